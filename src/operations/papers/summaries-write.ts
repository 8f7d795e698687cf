import pLimit from 'p-limit'
import { Type } from 'typebox'
import { findScoring } from '../../../db/queries/relevance.js'
import { listExcerptSummaries, saveSummary } from '../../../db/queries/summaries.js'
import { ProjectInput } from '../../../schemas/project.js'
import { ProjectNotFound } from '../../errors/operation-errors.js'
import type { ServiceContext } from '../context.js'
import { operation } from '../operation.js'
import { rescoringStart } from '../../relevance/interest.js'

/** Items that are read from the feed at a time. */
const itemsAtOnce = 200
/** Milliseconds after which a job ends; it has half an hour. The next one, when papers have come, goes on. */
const longestJob = 20 * 60 * 1000
const requestsAtOnce = 2
/** After so many failures in a row the endpoint is taken to be away. */
const patience = 10

/**
 * Has summaries written for the newest items of a feed. One that cannot be had leaves the abstract's sentences where they are.
 * @throws ProjectNotFound, and what the endpoint's failures were where it is away
 */
export const summariesWrite = operation({
  name: 'summaries_write',
  title: 'Write summaries',
  description: 'Has the configured language model write the summaries of a feed\'s new items.',
  input: ProjectInput,
  output: Type.Object({ written: Type.Integer(), failed: Type.Integer() }),
  async handler (context: ServiceContext & { signal?: AbortSignal }, { project_id }) {
    const { db, now, log, summaries, signal } = context
    const result = { written: 0, failed: 0 }
    const project = await findScoring(db, project_id)
    if (project === undefined) throw new ProjectNotFound(project_id)
    if (summaries === undefined) return result
    const limit = pLimit(requestsAtOnce)
    const end = Date.now() + longestJob
    const failed: string[] = []
    let failuresInARow = 0
    const writeOne = async (item: Awaited<ReturnType<typeof listExcerptSummaries>>[number]): Promise<void> => {
      signal?.throwIfAborted()
      if (failuresInARow >= patience) return
      try {
        const summary = await summaries.write(item, project.interest_description, signal)
        await saveSummary(db, project.account_id, item.id, summary)
        result.written++
        failuresInARow = 0
      } catch (error) {
        signal?.throwIfAborted()
        result.failed++
        failed.push(item.id)
        if (++failuresInARow < patience) return
        log.warn({ err: error, project: project_id }, 'Summaries cannot be written; sentences of the abstract stand in their place.')
        throw error
      }
    }
    for (;;) {
      const items = await listExcerptSummaries(db, project.account_id, project_id, rescoringStart(now()), failed, itemsAtOnce)
      await Promise.all(items.map(item => limit(() => writeOne(item))))
      if (items.length < itemsAtOnce || Date.now() > end) return result
    }
  }
})
