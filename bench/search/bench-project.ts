import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { addItems, savePapers } from '../../db/queries/import.js'
import { searchStorage } from '../../db/queries/search-storage.js'
import { accountCreate } from '../../src/operations/accounts/account-create.js'
import type { Context, ServiceContext } from '../../src/operations/context.js'
import { projectCreate } from '../../src/operations/projects/project-create.js'
import { summaryOf } from '../../src/papers/summary.js'
import { compact } from '../../src/search/compaction.js'
import { indexPending } from '../../src/search/indexing.js'
import type { BenchPaper } from './corpus.js'

const batchSize = 500

/** Whether the item at this position is a must-read: one in seven. */
export const isMustRead = (at: number): boolean => at % 7 === 0
/** Whether the item at this position has an upvote: one in fifty. */
export const isLiked = (at: number): boolean => at % 50 === 0

/** A project, and the context of its account. */
export interface BenchProject { context: Context, projectId: string }

/** Creates an account with an empty project. */
export async function createProject (service: ServiceContext): Promise<BenchProject> {
  const { id } = await accountCreate.run(service, { email: `search${randomUUID()}@example.org` })
  const context = { ...service, account: { id } }
  const { id: projectId } = await projectCreate.run(context, { name: 'Bench', sources: [] })
  return { context, projectId }
}

/** Adds papers to a project as an import would, without dedupe, and indexes them. @returns papers per second of each batch */
export async function addPapers ({ context, projectId }: BenchProject, papers: Iterable<BenchPaper>): Promise<number[]> {
  const { id } = context.account
  let waiting: BenchPaper[] = []
  let at = 0
  const rates: number[] = []
  const flush = async () => {
    const began = performance.now()
    const rows = waiting.map(paper => ({ id: randomUUID(), paper, place: at++ }))
    await context.db.transaction().execute(async transaction => {
      await savePapers(
        transaction,
        rows.map(({ id: paperId, paper, place }) => ({
          id: paperId,
          account_id: id,
          slug: `paper-${place}`,
          title: paper.title,
          abstract: paper.abstract,
          authors: JSON.stringify(paper.authors),
          doi: paper.doi,
          pmid: paper.pmid,
          source_name: 'json-lines',
          metadata: '{}',
          title_key: `${place}`,
          bytes: 4000
        }))
      )
      await addItems(
        transaction,
        rows.map(({ id: paperId, paper, place }) => ({
          project_id: projectId,
          paper_id: paperId,
          summary: summaryOf(paper.abstract),
          relevance_score: isMustRead(place) ? 0.9 : 0.3,
          relevance_class: isMustRead(place) ? ('must_read' as const) : ('related' as const),
          vote: isLiked(place) ? ('upvote' as const) : null,
          voted_at: isLiked(place) ? new Date() : null,
          ready_at: new Date(Date.UTC(2026, 0, 1) + place * 1000)
        }))
      )
    })
    await indexPending(searchStorage(context.db), projectId)
    await compact(searchStorage(context.db), projectId, { isThorough: false })
    rates.push(waiting.length / (performance.now() - began) * 1000)
    waiting = []
  }
  for (const paper of papers) {
    waiting.push(paper)
    if (waiting.length === batchSize) await flush()
  }
  if (waiting.length > 0) await flush()
  await compact(searchStorage(context.db), projectId)
  await sql`vacuum analyze`.execute(context.db)
  return rates
}
