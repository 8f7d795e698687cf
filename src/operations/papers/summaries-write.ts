import pLimit from 'p-limit'
import { Type } from 'typebox'
import { findScoring } from '../../../db/queries/relevance.js'
import { countModelCall, listExcerptSummaries, saveSummary } from '../../../db/queries/summaries.js'
import { ProjectInput } from '../../../schemas/project.js'
import { dayOf } from '../../../schemas/utc-time.js'
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

/** Why no more summaries are written today. */
const usedUp = (maxCalls: number) =>
  `Your account's ${maxCalls.toLocaleString('en')} calls of the language model for today are used up. ` +
  'Summaries of other papers are sentences of the abstract. Writing continues after tomorrow\'s first fetch (UTC); ' +
  'the operator can raise LLM_DAILY_CALLS.'

/**
 * Writes summaries of the newest items of a feed with the configured model. If one fails, or the account's calls of the day are used up,
 * the item keeps the abstract's sentences.
 * @throws ProjectNotFound, and the endpoint's error if it is unreachable
 */
export const summariesWrite = operation({
  name: 'summaries_write',
  title: 'Write summaries',
  description: 'Writes the summaries of a feed\'s new items with the configured language model.',
  input: ProjectInput,
  output: Type.Object({ written: Type.Integer(), failed: Type.Integer(), detail: Type.Optional(Type.String()) }),
  async handler (context, { project_id }) {
    const { db, account, now, log, summaries, maxModelCalls, signal } = context
    const result: { written: number, failed: number, detail?: string } = { written: 0, failed: 0 }
    const project = await findScoring(db, account.id, project_id)
    if (project === undefined) throw new ProjectNotFound(project_id)
    if (summaries === undefined) return result
    const limit = pLimit(concurrentRequests)
    const deadline = performance.now() + maxRunMs
    const failedIds: string[] = []
    let consecutiveFailures = 0
    const writeOne = async (item: Awaited<ReturnType<typeof listExcerptSummaries>>[number]): Promise<void> => {
      signal?.throwIfAborted()
      if (consecutiveFailures >= maxConsecutiveFailures || result.detail !== undefined) return
      const day = dayOf(now())
      if (maxModelCalls !== undefined && !await countModelCall(db, account.id, { day, max: maxModelCalls })) {
        result.detail = usedUp(maxModelCalls)
        return
      }
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
      // Items that entered the feed meanwhile queued no other job: only an empty list is the end.
      if (items.length === 0 || result.detail !== undefined || performance.now() > deadline) return result
    }
  }
})
