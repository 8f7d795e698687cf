import { sql } from 'kysely'
import { accountCreate } from '../src/operations/accounts/account-create.js'
import type { ServiceContext } from '../src/operations/context.js'
import { ingestImported } from '../src/papers/ingest-imported.js'
import { projectCreate } from '../src/operations/projects/project-create.js'
import { projectScore } from '../src/operations/projects/project-score.js'
import { scorer } from '../src/relevance/score.js'
import { openService } from '../src/service.js'
import { readSettings } from '../src/composition/settings.js'
import { postgresUrl, temporaryDirectory } from './process.js'
import { reportBound } from './report.js'
import { textGenerator } from './text-generator.js'

const paperCount = 100_000
const batchSize = 500
const voteCount = 200

/**
 * Measures rescoring a large feed after votes: training, reading, scoring, and writing changed scores. Prints a table row for each
 * database.
 */
export async function measureScore (): Promise<void> {
  for (const kind of postgresUrl === undefined ? ['embedded'] : ['embedded', 'PostgreSQL']) {
    const settings = readSettings({
      DATA_DIR: temporaryDirectory(),
      JWT_SECRET: 'x'.repeat(32),
      ...(kind === 'embedded' ? {} : { DATABASE_URL: postgresUrl! })
    })
    const silent = () => {}
    const service = await openService({ settings, log: { info: silent, warn: silent, error: silent }, name: 'bench', share: false })
    const { id: project_id, accountId } = await createFeed(service.context)
    const began = performance.now()
    const { scored, changed } = await projectScore.run({ ...service.context, account: { id: accountId } }, { project_id })
    reportBound(
      `scoring ${scored.toLocaleString('en')} papers of one project, ${changed.toLocaleString('en')} of them changed, ${kind}`,
      (performance.now() - began) / 1000,
      's',
      60,
      'at most'
    )
    await service.close()
  }
}

async function createFeed (context: ServiceContext): Promise<{ id: string, accountId: string }> {
  const words = textGenerator()
  const { id } = await accountCreate.run(context, { email: `score${Date.now()}@example.org` })
  const owner = { ...context, account: { id } }
  const { id: projectId } = await projectCreate.run(owner, { name: 'Bench', interest_description: 'w10 w20 w30 w40', sources: [] })
  const score = scorer({ interest_description: '', positive_keywords: [], negative_keywords: [], must_read_threshold: 0.6 })
  for (let at = 0; at < paperCount; at += batchSize) {
    const records = Array.from({ length: batchSize }, (_, place) => ({
      place,
      record: {
        title: words(12),
        abstract: words(160),
        authors: [{ name: words(2) }],
        published_date: null,
        url: null,
        pdf_url: null,
        doi: `10.5555/score.${at + place}`,
        venue_name: null,
        external_ids: {},
        source: { name: 'json-lines' },
        source_paper_id: null,
        metadata: {}
      }
    }))
    await ingestImported(owner, {
      projectId,
      openScoring: async () => ({ score: async papers => papers.map(score), entersFeed: () => true, lock: async () => true }),
      records
    })
  }
  await sql`
    update project_paper set vote = case when random() < 0.3 then 'upvote' else 'downvote' end, downvote_reason = null, voted_at = now()
    where id in (select id from project_paper where project_id = ${projectId} order by id limit ${sql.lit(voteCount)})`.execute(context.db)
  return { id: projectId, accountId: id }
}
