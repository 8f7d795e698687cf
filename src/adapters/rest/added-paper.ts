import type { Static } from 'typebox'
import { FeedItem, type PaperAddResult } from '../../../schemas/feed.js'
import { JobQueued } from '../../../schemas/job.js'
import type { Send } from './send.js'

/** Sends an added item, or with status 202 the job that asks the sources for it. */
export const sendAdded: Send = (result: Static<typeof PaperAddResult>, _request, reply) =>
  reply.code(result.job_id === undefined ? 200 : 202).send(result)

sendAdded.responses = {
  200: { ...FeedItem, description: 'The paper is in the feed.' },
  202: { ...JobQueued, description: 'The sources are being asked: call again later.' }
}
