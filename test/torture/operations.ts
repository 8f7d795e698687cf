import { backup } from './operations-backup.js'
import { eventLoop } from './operations-event-loop.js'
import { processes, throughput } from './operations-processes.js'
import { soak } from './operations-soak.js'
import { stop } from './operations-stop.js'
import { runParts } from './service.js'

/* PART selects one part; SOAK_MINUTES is the duration of the soak on each kind of database. */
await runParts({ stop, backup, eventLoop, processes, throughput, soak })
