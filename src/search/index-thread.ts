import { serveTasks } from '../threads/serve-tasks.js'
import { runIndexTask } from './indexer.js'

/* The thread that builds and merges segments. */

serveTasks(runIndexTask)
