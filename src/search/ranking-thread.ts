import { serveTasks } from '../threads/serve-tasks.js'
import { runNames, runRanking } from './ranking-task.js'
import type { RankerTask } from './ranker.js'

/* The thread that ranks, with the cache of segments. */

serveTasks((task: RankerTask) => 'page' in task ? runRanking(task) : runNames(task))
