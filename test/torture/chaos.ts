import { slowDatabase } from './chaos-database.js'
import { clock } from './chaos-clock.js'
import { slowDisk } from './chaos-disk.js'
import { manyProjects } from './chaos-projects.js'
import { runParts } from './service.js'

/* The bystander while the surroundings of the service misbehave. */
await runParts({ slowDisk, clock, slowDatabase, manyProjects })
