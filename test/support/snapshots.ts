import { sql } from 'kysely'
import { tasks } from '../../src/adapters/jobs/tasks.js'
import type { ServiceContext } from '../../src/operations/context.js'
import { feedbackSet } from '../../src/operations/feed/feedback-set.js'
import { projectCreate } from '../../src/operations/projects/project-create.js'
import { snapshotCreate } from '../../src/operations/snapshots/snapshot-create.js'
import { snapshotDownload } from '../../src/operations/snapshots/snapshot-download.js'
import { snapshotGet } from '../../src/operations/snapshots/snapshot-get.js'
import { ingestFetched } from '../../src/papers/ingest-fetched.js'
import type { PaperRecord } from '../../schemas/paper.js'
import { type TestUser, record } from './service.js'
import { feedOf } from './sources.js'

type Part = Partial<PaperRecord> & { title: string }

/** A record of the review whose DOI ends with a name. */
export const work = (name: string, more: Partial<PaperRecord> = {}): Part =>
  ({ title: `Work ${name} of the review`, doi: `10.1000/${name}`, authors: [{ name: 'Ada Lovelace' }], published_date: '2026-10-01', ...more })

/** Ingests papers of a source into a project: those with "below" in their title score below the threshold. */
export const ingestFrom = async (source: string, { context }: TestUser, project: { id: string }, papers: readonly Part[]) =>
  await ingestFetched(context, {
    project: { id: project.id, account_id: context.account.id },
    openScoring: async () => ({
      score: async records => records.map(({ title }) => ({
        relevance_score: title.includes('below') ? 0.01 : 0.9,
        relevance_class: 'related' as const,
        matching_details: {} as never,
        personalized_note: ''
      })),
      entersFeed: ({ relevance_score }) => relevance_score > 0.1,
      lock: async () => true
    }),
    records: papers.map((paper, at) => ({ place: at, record: record({ source: { name: source }, ...paper }) }))
  })

/**
 * Creates the project of a review: papers of two sources, some of them both, screened and not, in the feed, below the threshold, and no
 * longer listed there. @returns its id, and the ids of its feed items by name
 */
export async function createReview (user: TestUser): Promise<{ id: string, idOf: (name: string) => string }> {
  const { context, context: { db } } = user
  const project = await projectCreate.run(context, {
    name: 'Retina editing',
    interest_description: 'Base editing of the retina',
    positive_keywords: ['base editing'],
    sources: [
      { name: 'pubmed', query: '' },
      { name: 'arxiv', query: 'all:"base editing"' },
      { name: 'feed', query: 'https://j.example.org/rss?token=s3cret' }
    ]
  })
  await sql`update source_state set last_fetched_at = now(), failures = case name when 'arxiv' then 2 else 0 end
    where project_id = ${project.id} and name <> 'feed'`.execute(db)
  const ingest = async (source: string, ...names: string[]) => await ingestFrom(source, user, project, names.map(name => work(name)))
  await ingest('pubmed', 'kept', 'starred', 'off', 'poor', 'unread', 'below-listed', 'below-old')
  await ingest('crossref', 'kept', 'off', 'below-old', 'alone')
  await ingest('pubmed', 'kept')
  const items = await feedOf(user, project.id)
  const idOf = (name: string) => items.find(({ paper }) => paper.doi === `10.1000/${name}`)!.id
  await feedbackSet.run(context, { paper_id: idOf('kept'), vote: 'upvote' })
  await feedbackSet.run(context, { paper_id: idOf('starred'), vote: 'star' })
  await feedbackSet.run(context, { paper_id: idOf('off'), vote: 'downvote', downvote_reason: 'not_relevant' })
  await feedbackSet.run(context, { paper_id: idOf('poor'), vote: 'downvote', downvote_reason: 'low_quality' })
  // As upkeep does after 90 days.
  await sql`delete from candidate
    where project_id = ${project.id} and paper_id = (select id from paper where doi = '10.1000/below-old')`.execute(db)
  return { id: project.id, idOf }
}

/** Runs the next job that freezes snapshots. @returns its result; undefined without a job */
export async function runNextFreeze (context: ServiceContext): Promise<object | undefined> {
  const job = await context.queue.claim('freeze-snapshot')
  if (job === undefined) return undefined
  const result = await tasks.find(({ task }) => task === 'freeze-snapshot')!.run({ ...context, signal: new AbortController().signal }, job)
  await context.queue.complete(job, result)
  return result
}

/**
 * Runs that job, and a change in the middle of it.
 * @param isMoment whether a row that the job reads marks the middle; default: its first part is stored, after the decisions were read
 */
export async function freezeDuring (
  context: ServiceContext,
  change: () => Promise<unknown>,
  isMoment: (row: object) => boolean = row => 'ordinal' in row
): Promise<object | undefined> {
  let changed = false
  const db = context.db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult ({ result }) {
      // The first part follows them; the statements that read them are in transactions.
      if (!changed && result.rows.some(isMoment)) {
        changed = true
        await change()
      }
      return result
    }
  })
  return await runNextFreeze({ ...context, db })
}

/** Requests and freezes a snapshot of a project, of all time or a period. */
export async function freeze ({ context }: TestUser, project: { id: string }, period: { since?: string, until?: string } = {}) {
  const { id: snapshot_id } = await snapshotCreate.run(context, { project_id: project.id, ...period })
  await runNextFreeze(context)
  return await snapshotGet.run(context, { project_id: project.id, snapshot_id })
}

/** The archive of a snapshot. */
export const downloadSnapshot = async ({ context }: TestUser, project: { id: string }, snapshot: { id: string }): Promise<Buffer> =>
  await readBytes((await snapshotDownload.run(context, { project_id: project.id, snapshot_id: snapshot.id })).parts)

export async function readBytes (parts: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const part of parts) chunks.push(part)
  return Buffer.concat(chunks)
}
