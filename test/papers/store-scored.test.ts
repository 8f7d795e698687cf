import t from 'tap'
import type { Db } from '../../db/connection.js'
import { SerializationConflict } from '../../db/errors.js'
import { saveModel } from '../../db/queries/relevance.js'
import { ingestImported } from '../../src/papers/ingest-imported.js'
import { type ProjectScoring, storeScored } from '../../src/papers/store-scored.js'
import { openProjectScoring } from '../../src/relevance/project-scoring.js'
import type { PaperRecord } from '../../schemas/paper.js'
import { projectWith, record, testService } from '../support/service.js'

/** Scores papers, and notes what happens in which order. */
function watched ({ lock = async () => true }: Partial<ProjectScoring> = {}) {
  const steps: string[] = []
  const openScoring = async (): Promise<ProjectScoring> => ({
    score: async records => {
      steps.push(`score ${records.map(({ title }) => title).join(', ')}`)
      return records.map(({ title }) => (
        { relevance_score: title.length / 100, relevance_class: 'related', matching_details: {} as never, personalized_note: '' }))
    },
    entersFeed: () => true,
    lock
  })
  const inTransaction = async <T>(run: (transaction: Db) => Promise<T>): Promise<T> => {
    steps.push('begin')
    try {
      const result = await run({} as never)
      steps.push('commit')
      return result
    } catch (error) {
      steps.push('roll back')
      throw error
    }
  }
  return { steps, openScoring, inTransaction }
}

const [paper, stored] = ['Sleep', 'Sleep and memory'].map(title => record({ title })) as [PaperRecord, PaperRecord]

t.test('records are scored before their transaction', async t => {
  const { steps, ...services } = watched()
  const scores = await storeScored(services, [paper], async (_transaction, { relevancesOf }) => relevancesOf([paper]))
  t.match(scores, [{ relevance_score: 0.05 }])
  t.strictSame(steps, ['score Sleep', 'begin', 'commit'])
})

t.test('no transaction waits for the score of a paper that was stored before', async t => {
  const { steps, ...services } = watched()
  // Each attempt reads the paper again.
  const scores = await storeScored(services, [paper], async (_transaction, { relevancesOf }) => relevancesOf([{ ...stored }]))
  t.match(scores, [{ relevance_score: 0.16 }])
  t.strictSame(steps, ['score Sleep', 'begin', 'roll back', 'score Sleep and memory', 'begin', 'commit'])
})

t.test('settings that keep changing end in a conflict', async t => {
  const { steps, ...services } = watched({ lock: async () => false })
  await t.rejects(storeScored(services, [paper], async () => {}), SerializationConflict)
  t.equal(steps.filter(step => step === 'roll back').length, 5)
})

t.test('a stopped job does not try again', async t => {
  const stop = new AbortController()
  const { steps, ...services } = watched({
    lock: async () => {
      stop.abort(new Error('Stopped.'))
      return false
    }
  })
  await t.rejects(storeScored({ ...services, signal: stop.signal }, [paper], async () => {}), { message: 'Stopped.' })
  t.equal(steps.filter(step => step === 'begin').length, 1)
})

t.test('a model that was trained meanwhile scores the papers again', async t => {
  const owner = await (await testService(t)).user()
  const { context } = owner
  const project_id = await projectWith(owner, [])
  let attempts = 0
  await ingestImported(context, {
    projectId: project_id,
    openScoring: async () => {
      const scoring = await openProjectScoring(context, project_id)
      if (attempts++ === 0) await saveModel(context.db, context.account.id, project_id, { version: 0 }, new Date())
      return scoring
    },
    records: [{ place: 1, record: paper }]
  })
  t.equal(attempts, 2)
})
