import t from 'tap'
import { sql } from 'kysely'
import { addCitations, saveLinks } from '../../db/queries/citations.js'
import { tasks } from '../../src/adapters/jobs/tasks.js'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { feedbackSet } from '../../src/operations/feed/feedback-set.js'
import { noticesCheck } from '../../src/operations/papers/notices-check.js'
import { paperGet } from '../../src/operations/papers/paper-get.js'
import { paperReferences } from '../../src/operations/papers/paper-references.js'
import { projectScore } from '../../src/operations/projects/project-score.js'
import { signalReader } from '../../src/relevance/signals.js'
import { dayMs } from '../../schemas/durations.js'
import { staysResponsive } from '../support/event-loop.js'
import { projectWith, record, testService } from '../support/service.js'
import { ingestFrom } from '../support/snapshots.js'
import { feedOf, only, resetRateLimits, sourcesNamed, startSources } from '../support/sources.js'

const references = Array.from({ length: 9 }, (_, at) => ({ openalex: `W${900 + at}` }))
const seed = only({ doi: '10.1000/seed', pmid: '41000009', openalex: 'W1' }, {
  title: 'Base editing of rods in adult mice', date: '2020-03-04', cites: references, citedBy: 7
})
const citing = only({ doi: '10.1000/citing', openalex: 'W2' }, { title: 'Base editing of cones', cites: [{ openalex: 'W1' }] })
const sharing = only({ doi: '10.1000/sharing', openalex: 'W3' }, { title: 'Base editing of the lens', cites: references.slice(2) })

t.test('found papers are linked to an example that no index named with its references', async t => {
  const { service, user, clock, project, fetchNow, openalex } = await startSources(t, [seed, citing, sharing])
  const { context } = user
  const project_id = await project(sourcesNamed('openalex'), { examples: [seed.doi!] })
  const task = tasks.find(each => each.task === 'import-library')!
  const job = (await context.queue.claim('import-library'))!
  await context.queue.complete(job, await task.run({ ...service.context, signal: new AbortController().signal }, job))
  await resetRateLimits(user)
  await fetchNow(project_id)
  await projectScore.run(context, { project_id })
  const itemOf = async ({ doi }: { doi?: string }) => (await feedOf(user, project_id)).find(({ paper }) => paper.doi === doi)!
  const linked = async (link: 'shares-references') =>
    (await feedGet.run(context, { project_id, link })).items.map(({ paper }) => paper.doi)
  t.match(await itemOf(seed), { feedback: { vote: 'upvote' }, paper: { external_ids: { openalex: null } } })
  t.strictSame(await linked('shares-references'), [])
  const due = async () => (await context.db.selectFrom('project').select('scoring_due_at').executeTakeFirstOrThrow()).scoring_due_at
  const check = async () => {
    await resetRateLimits(user)
    await noticesCheck.run(service.context, {})
  }
  t.equal(await due(), null)

  const asked = openalex.requests.length
  await check()
  t.equal(openalex.requests.length, asked + 1, 'no further request')
  t.ok(await due(), 'the feed is rescored')
  await projectScore.run(context, { project_id })
  t.equal((await itemOf(seed)).paper.external_ids.openalex, 'W1')
  t.match((await itemOf(citing)).matching_details.citations, { cites: { upvoted: 1 } })
  t.match((await itemOf(citing)).personalized_note, /^Cites 1 paper you upvoted\. /)
  t.match((await itemOf(sharing)).personalized_note, /^Shares 7 references with “Base editing of rods in adult mice”\. /)
  t.strictSame(await linked('shares-references'), [sharing.doi])

  await t.test('a check that adds nothing rescores nothing', async t => {
    clock.now = new Date(clock.now.getTime() + 8 * dayMs)
    await check()
    t.equal(openalex.requests.length, asked + 2)
    t.equal(await due(), null)
  })

  await t.test('what cannot rescore the feed is not stored', async t => {
    const { paper: { id } } = await itemOf(seed)
    const known = async () =>
      await context.db.selectFrom('paper_citation').select(['cited', 'cited_by']).where('paper_id', '=', id).executeTakeFirstOrThrow()
    const before = await known()
    const lost = context.db.withPlugin({
      transformQuery ({ node }) {
        if (JSON.stringify(node).includes('set scoring_due_at')) throw new Error('lost')
        return node
      },
      transformResult: async ({ result }) => result
    })
    const stated = { id, notices: [], citations: { references: ['W999'], cited_by: 1 } }
    await t.rejects(saveLinks(lost, [stated], clock.now), { message: 'lost' })
    t.strictSame(await known(), before)
    await saveLinks(context.db, [stated], clock.now)
    t.ok((await known()).cited.includes('W999'))
    t.ok(await due())
  })

  await t.test('a paper states how often it is cited, as far as a source says', async t => {
    const citedBy = async ({ paper: { id } }: { paper: { id: string } }) => (await paperGet.run(context, { paper_id: id })).cited_by
    const [stated, unstated] = [await itemOf(sharing), await itemOf(citing)]
    await saveLinks(context.db, [{ id: stated.paper.id, notices: [], citations: { references: [], cited_by: 1234 } }], clock.now)
    t.strictSame([await citedBy(stated), await citedBy(unstated)], [1234, null])
  })

  await t.test('an id is stored once for each owner, and no other replaces it', async t => {
    const { paper: { id: citingId } } = await itemOf(citing)
    const { paper: { id: sharingId } } = await itemOf(sharing)
    const stated = async (id: string, value: string) => {
      await saveLinks(context.db, [{ id, notices: [], openalex: value }], clock.now)
      return (await context.db.selectFrom('paper').select('openalex_id').where('id', '=', id).executeTakeFirstOrThrow()).openalex_id
    }
    t.equal(await stated(citingId, 'W77'), 'W2')
    await context.db.updateTable('paper').set({ openalex_id: null }).where('id', '=', citingId).execute()
    t.equal(await stated(citingId, 'W3'), null, 'another shared paper has it')
    await context.db.updateTable('paper').set({ account_id: context.account.id }).where('openalex_id', '=', 'W1').execute()
    t.equal(await stated(citingId, 'W1'), 'W1', 'one of the account\'s own has it')
    await context.db.updateTable('paper').set({ openalex_id: null }).where('id', 'in', [citingId, sharingId]).execute()
    const both = [citingId, sharingId].map(id => ({ id, notices: [], openalex: 'W5' }))
    const missing = '0b54c2ab-6f2e-4d6c-9d0f-3a8f5b1f7a11'
    await saveLinks(context.db, [...both, { id: missing, notices: [], citations: { references: ['W1'], cited_by: 1 } }], clock.now)
    t.equal((await context.db.selectFrom('paper').select('id').where('openalex_id', '=', 'W5').execute()).length, 1)
  })
})

const preprint = { title: 'A preprint', doi: '10.1101/2020.01.01.000001', external_ids: { openalex: 'W11' } }
const article = { title: 'An article', doi: '10.1000/article', external_ids: { openalex: 'W12' } }
const published = { metadata: { published_doi: article.doi } }
type Part = Record<'title' | 'doi', string> & typeof published

t.test('a preprint that only arXiv states is linked with its published form, whichever is stored first', async t => {
  const user = await (await testService(t)).user()
  const forms = (id: string) => [
    ['arxiv', { title: `Preprint ${id}`, external_ids: { arxiv: id } }],
    ['crossref', { title: `Article ${id}`, doi: `10.1000/${id}`, metadata: { preprint_doi: `10.48550/arXiv.${id}` } }]
  ] as const
  const project = { id: await projectWith(user, []) }
  for (const papers of [forms('2401.00001'), [...forms('2401.00002')].reverse()]) {
    for (const [source, paper] of papers) await ingestFrom(source, user, project, [paper])
  }
  const linked = await user.context.db.selectFrom('paper_relation')
    .innerJoin('paper as preprint', 'preprint.id', 'preprint_id').innerJoin('paper as published', 'published.id', 'published_id')
    .select(['preprint.title as preprint', 'published.title as published']).orderBy('preprint').execute()
  t.same(linked, ['2401.00001', '2401.00002'].map(id => ({ preprint: `Preprint ${id}`, published: `Article ${id}` })))
})

t.test('the two forms of a work are one work in citations', async t => {
  const service = await testService(t)
  const shared = Array.from({ length: 5 }, (_, at) => `10.1000/ref.${at}`)
  type Citing = Parameters<typeof projectWith>[1][number] & { cites?: string[], vote?: 'star' | 'upvote' }
  /** Stores papers that cite works, votes in this order, and answers with the citations of a paper and of a record that is not stored. */
  async function citationsOf (title: string, papers: readonly Citing[]) {
    const user = await service.user()
    const { context, context: { db, account } } = user
    const project_id = await projectWith(user, papers.map(({ cites, vote, ...paper }) => paper))
    const items = await feedOf(user, project_id)
    const idOf = (name: string) => items.find(({ paper_title }) => paper_title === name)!.paper.id
    for (const { title: name, cites, vote } of papers) {
      if (cites !== undefined) await addCitations(db, [{ paper_id: idOf(name), cited: cites, cited_by: null }])
      if (vote !== undefined) await feedbackSet.run(context, { paper_id: idOf(name), vote })
    }
    await projectScore.run(context, { project_id })
    const { matching_details: { citations } } = (await feedOf(user, project_id)).find(({ paper_title }) => paper_title === title)!
    const { cites, vote, ...paper } = papers.find(each => each.title === title)!
    const found = record({ ...paper, ...(cites === undefined ? {} : { citations: { references: cites, cited_by: null } }) })
    const [unstored] = await (await signalReader(db, account.id, project_id)).ofRecords([found])
    const { liked } = await paperReferences.run(context, { paper_id: idOf(title) })
    return { citations, unstored: unstored!.signals?.citations, liked: liked.map(paper => paper.title).sort() }
  }

  t.match(
    await citationsOf(article.title, [
      { ...preprint, ...published, cites: shared, vote: 'star' },
      { ...article, cites: [...shared, preprint.doi] },
      { title: 'Another', cites: shared, vote: 'upvote' }
    ]),
    {
      citations: { cites: { starred: 0 }, cited_by: { starred: 0 }, shares: { title: 'Another' } },
      unstored: { shares: { title: 'Another' } },
      liked: []
    },
    'a work is not linked to its own preprint'
  )
  const citedBy = { cited_by: { starred: 1, papers: [{ title: 'Citing' }] } }
  t.match(
    await citationsOf(preprint.title, [{ ...preprint, ...published }, { title: 'Citing', cites: [article.doi], vote: 'star' }]),
    { citations: citedBy, unstored: citedBy },
    'a preprint is cited under the DOI of its article'
  )
  const cites = { cites: { starred: 1, upvoted: 0, papers: [{ title: preprint.title, starred: true }] } }
  t.match(
    await citationsOf('Citing', [{ ...preprint, ...published, vote: 'star' }, { title: 'Citing', cites: [article.doi] }]),
    { citations: cites, unstored: cites, liked: [preprint.title] },
    'an article is cited whose preprint is starred'
  )
  for (const vote of ['star', 'upvote'] as const) {
    const { citations } = await citationsOf('Citing', [
      { ...preprint, ...published, vote: 'star' },
      { ...article, cites: ['10.1000/citing'], vote },
      { title: 'Citing', doi: '10.1000/citing', cites: [article.doi, 'W12', preprint.doi, 'W11'] }
    ])
    t.match(citations, { cites: { starred: 1, upvoted: 0 }, cited_by: { starred: 1, upvoted: 0 } }, `both forms are liked: ${vote}`)
  }

  const [first, second, third, fourth] = [1, 2, 3, 4].map(at =>
    ({ title: `Part ${at}`, doi: `10.1000/part.${at}`, metadata: { published_doi: '10.1000/volume' } })) as [Part, Part, Part, Part]
  const starred = [{ ...first, vote: 'star' }, { ...second, vote: 'star' }] as const
  const both = { cites: { starred: 2 } }
  t.match(
    await citationsOf(third.title, [...starred, { ...third, cites: [first.doi, second.doi] }, fourth]),
    { citations: both, unstored: both, liked: [first.title, second.title] },
    'papers of one volume are works of their own'
  )
  t.strictSame(
    await citationsOf('Citing', [...starred, third, fourth, { title: 'Citing', cites: ['10.1000/volume'] }]),
    { citations: undefined, unstored: undefined, liked: [] },
    'and are not cited under the DOI of the volume'
  )
})

t.test('references of many liked papers are read without holding up the event loop', { timeout: 240_000 }, async t => {
  const service = await testService(t)
  const user = await service.user()
  const { context: { db, account } } = user
  const projectId = await projectWith(user, [{ title: 'Citing' }])
  await sql`
    with papers as (
      insert into paper (account_id, slug, title, authors, source_name, metadata, title_key)
      select ${account.id}, 'liked', 'Liked ' || n, '[]', 'json-lines', '{}', n::text from generate_series(1, 500) n returning id, title
    ), cited as (
      insert into paper_citation (paper_id, cited)
      select id, array(select '10.1000/' || md5(title || at) from generate_series(1, 1000) at)
        || array(select 'W' || hashtext(title || at) from generate_series(1, 1000) at) from papers
    )
    insert into project_paper (project_id, paper_id, relevance_score, relevance_class, ready_at, vote, voted_at)
    select ${projectId}, id, 0.5, 'related', now(), 'star', now() from papers`.execute(db)
  await staysResponsive(t, 'reading liked papers', async () => { await signalReader(db, account.id, projectId) })
})
