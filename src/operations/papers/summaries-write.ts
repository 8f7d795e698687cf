import pLimit from 'p-limit'
import { Type } from 'typebox'
import { findScoring } from '../../../db/queries/relevance.js'
import { listExcerptSummaries, saveSummary } from '../../../db/queries/summaries.js'
import { ProjectInput } from '../../../schemas/project.js'
import { ProjectNotFound } from '../../errors/operation-errors.js'
import { operation } from '../operation.js'
import { rescoringStart } from '../../relevance/interest.js'

/** Items per query. */
const batchSize = 200
/** Ends before the job's deadline of half an hour. The next job continues. */
const maxRunMs = 20 * 60 * 1000
const concurrentRequests = 2
/** After this many consecutive failures, the endpoint counts as unreachable. */
const maxConsecutiveFailures = 10

/**
 * Writes summaries of the newest items of a feed with the configured model. If one fails, the item keeps the abstract's sentences.
 * @throws ProjectNotFound, and the endpoint's error if it is unreachable
 */
export const summariesWrite = operation({
  name: 'summaries_write',
  title: 'Write summaries',
  description: 'Writes the summaries of a feed\'s new items with the configured language model.',
  input: ProjectInput,
  output: Type.Object({ written: Type.Integer(), failed: Type.Integer() }),
  async handler (context, { project_id }) {
    const { db, account, now, log, summaries, signal } = context
    const result = { written: 0, failed: 0 }
    const project = await findScoring(db, account.id, project_id)
    if (project === undefined) throw new ProjectNotFound(project_id)
    if (summaries === undefined) return result
    const limit = pLimit(concurrentRequests)
    const deadline = performance.now() + maxRunMs
    const failedIds: string[] = []
    let consecutiveFailures = 0
    const writeOne = async (item: Awaited<ReturnType<typeof listExcerptSummaries>>[number]): Promise<void> => {
      signal?.throwIfAborted()
      if (consecutiveFailures >= maxConsecutiveFailures) return
      try {
        const summary = await summaries.write(item, project.interest_description, signal)
        await saveSummary(db, account.id, item.id, summary)
        result.written++
        consecutiveFailures = 0
      } catch (error) {
        signal?.throwIfAborted()
        result.failed++
        failedIds.push(item.id)
        if (++consecutiveFailures < maxConsecutiveFailures) return
        log.warn({ err: error, project: project_id }, 'Writing summaries failed; items keep sentences of the abstract.')
        throw error
      }
    }
    for (;;) {
      const items = await listExcerptSummaries(db, account.id, project_id, rescoringStart(now()), failedIds, batchSize)
      await Promise.all(items.map(item => limit(() => writeOne(item))))
      if (items.length < batchSize || performance.now() > deadline) return result
    }
  }
})
