import { backup } from './operations-backup.js'
import { processes, throughput } from './operations-processes.js'
import { soak } from './operations-soak.js'
import { stop } from './operations-stop.js'
import { runParts } from './service.js'

/* PART names one of them; SOAK_MINUTES says how long the soak takes on each kind of database. */
await runParts({ stop, backup, processes, throughput, soak })
