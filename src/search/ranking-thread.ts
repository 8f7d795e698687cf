import { serveTasks } from '../threads/serve-tasks.js'
import { runRanking } from './ranking-task.js'

/* The thread that ranks, with the cache of segments. */

serveTasks(runRanking)
