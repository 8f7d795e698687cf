import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { makePapers } from '../../bench/search/corpus.js'
import { randomNumbers } from '../../bench/search/random.js'
import { addItems, savePapers } from '../../db/queries/import.js'
import type { Context } from '../../src/operations/context.js'
import { projectCreate } from '../../src/operations/projects/project-create.js'
import { summaryOf } from '../../src/papers/summary.js'
import { dayMs } from '../../schemas/durations.js'

const batchSize = 500
/** Days over which the papers came in and were published. */
const days = 400

/** Creates a project with many papers, without the dedupe of an import and without a search index. @returns its id */
export async function createLargeFeed (context: Context, count: number): Promise<string> {
  const { db, account, now } = context
  const project = { name: 'Large', interest_description: 'How sleep consolidates memory', sources: [] }
  const { id: projectId } = await projectCreate.run(context, project)
  const random = randomNumbers(3)
  const earlier = () => new Date(now().getTime() - random() * days * dayMs)
  const papers = [...makePapers(count)].map((paper, at) => ({ ...paper, id: randomUUID(), at }))
  for (let from = 0; from < count; from += batchSize) {
    const batch = papers.slice(from, from + batchSize)
    await db.transaction().execute(async transaction => {
      await savePapers(transaction, batch.map(({ id, at, title, abstract, authors, doi, pmid }) => ({
        id,
        account_id: account.id,
        slug: `paper-${at}`,
        title,
        abstract,
        authors: JSON.stringify(authors),
        doi,
        pmid,
        published_date: earlier().toISOString().slice(0, 10),
        source_name: 'json-lines',
        metadata: '{}',
        title_key: `${at}`,
        bytes: 4000
      })))
      await addItems(transaction, batch.map(({ id, abstract }) => {
        const score = random()
        return {
          project_id: projectId,
          paper_id: id,
          summary: summaryOf(abstract),
          relevance_score: score,
          relevance_class: score > 0.8 ? 'must_read' as const : 'related' as const,
          ready_at: earlier()
        }
      }))
    })
  }
  await sql`delete from search_pending where project_id = ${projectId}`.execute(db)
  await sql`vacuum analyze`.execute(db)
  return projectId
}
