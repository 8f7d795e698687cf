import { serveTasks } from '../../threads/serve-tasks.js'
import { parseFeedDocument } from './journal-feed-document.js'

/* The thread that parses journal feeds. */

serveTasks(parseFeedDocument)
