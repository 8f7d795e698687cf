import { serveTasks } from '../../threads/serve-tasks.js'
import { readPiece } from './reading-task.js'

/* The thread that reads files of records. */

serveTasks(readPiece)
