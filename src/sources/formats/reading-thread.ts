import { serveTasks } from '../../threads/serve-tasks.js'
import { type FeedsRequest, readFeeds, readPiece, type ReadingRequest } from './reading-task.js'

/* The thread that reads files of records and of journal feeds. */

serveTasks(async (request: ReadingRequest | FeedsRequest) => 'opmlPath' in request ? await readFeeds(request) : await readPiece(request))
