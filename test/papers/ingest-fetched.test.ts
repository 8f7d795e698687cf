import t from 'tap'
import { sql } from 'kysely'
import { saveMarkdown } from '../../db/queries/markdown.js'
import { feedSearch } from '../../src/operations/feed/feed-search.js'
import { feedbackSet } from '../../src/operations/feed/feedback-set.js'
import { paperGet } from '../../src/operations/papers/paper-get.js'
import { jobGet } from '../../src/operations/jobs/job-get.js'
import { paperMarkdown } from '../../src/operations/papers/paper-markdown.js'
import { projectCreate } from '../../src/operations/projects/project-create.js'
import { projectFetch } from '../../src/operations/projects/project-fetch.js'
import { projectPreview } from '../../src/operations/projects/project-preview.js'
import { projectUpdate } from '../../src/operations/projects/project-update.js'
import { addPapers } from '../support/service.js'
import type { Publication } from '../support/stand-ins/papers.js'
import { abstract, sourcesNamed, feedOf, journal, onArxiv, only, resetRateLimits, startSources } from '../support/sources.js'

t.test('merges one work from all sources, with all identifiers and the best fields', async t => {
  const { user, project, fetchNow, journalFeed } = await startSources(t, [journal, onArxiv])
  const id = await project([
    ...sourcesNamed('arxiv', 'pubmed', 'europepmc', 'openalex', 'crossref'),
    { name: 'feed', query: `${journalFeed.url}/rss` }
  ])
  const { sources } = await fetchNow(id)
  t.same(sources.map(({ error }) => error), Array.from({ length: 6 }, () => null))
  t.ok(sources.every(({ found }) => found >= 1), 'each found it')
  const items = await feedOf(user, id)
  t.equal(items.length, 1)
  t.match(items[0]!.paper, {
    title: journal.title,
    doi: '10.1000/vision.1',
    venue_name: 'Journal of Editing',
    external_ids: { doi: '10.1000/vision.1', arxiv: '2611.01234', pmid: '41000001', pmcid: 'PMC12000001', openalex: 'W4400000001' }
  })
  t.match(items[0], {
    relevance_class: 'must_read',
    summary_origin: 'abstract',
    matching_details: { positive_keywords: ['base editing'], excluded: false }
  })
  t.match(items[0]!.personalized_note, /base editing/i)
  t.equal((await feedSearch.run(user.context, { project_id: id, q: 'vision mice' })).items.length, 1)

  await fetchNow(id)
  t.equal((await feedOf(user, id)).length, 1, 'and is not doubled by looking again')
  t.match(await projectPreview.run(user.context, { project_id: id }), { compared: 1 }, 'what is in the feed is no candidate')
})

t.test('links a preprint and its published version', async t => {
  const preprint = only({ doi: '10.1101/2026.10.01.1', publishedDoi: journal.doi! }, { preprint: true })
  const { user, project, fetchNow } = await startSources(t, [preprint, journal], { FETCH_DAYS: '9' })
  const id = await project(sourcesNamed('biorxiv', 'pubmed'))
  await fetchNow(id)
  const items = await feedOf(user, id)
  t.equal(items.length, 2)
  const [early, late] = ['10.1101/2026.10.01.1', journal.doi].map(doi => items.find(({ paper }) => paper.doi === doi)!.paper)
  t.same((await paperGet.run(user.context, { paper_id: early!.id })).versions, [{ paper_id: late!.id, form: 'published' }])
  t.same((await paperGet.run(user.context, { paper_id: late!.id })).versions, [{ paper_id: early!.id, form: 'preprint' }])
})

t.test('links a preprint whose published form names another version of it', async t => {
  const doi = '10.21203/rs.3.rs-900001/v2'
  const preprint = only({ doi }, { preprint: true })
  const preprints = [{ type: 'doi', id: '10.21203/rs.3.rs-900001/v1' }]
  const article = only({ doi: '10.1000/article' }, { title: 'Base editing restores vision in adult mice, and lasts', preprints })
  for (const order of [[preprint, article], [article, preprint]]) {
    const papers: Publication[] = []
    const { user, project, fetchNow } = await startSources(t, papers, { FETCH_DAYS: '9' })
    const id = await project(sourcesNamed('crossref'))
    for (const [at, paper] of order.entries()) {
      papers.push({ ...paper, date: `2026-11-${18 + at}` })
      await resetRateLimits(user)
      await fetchNow(id)
    }
    const early = (await feedOf(user, id)).find(({ paper }) => paper.doi === doi)!.paper
    t.match((await paperGet.run(user.context, { paper_id: early.id })).versions, [{ form: 'published' }])
  }
})

t.test('a preprint and the article to which OpenAlex moves its id are two linked papers', async t => {
  const preprint = only({ openalex: 'W1', doi: '10.1101/2026.10.01.1' }, { venue: 'bioRxiv' })
  const locations = [{ address: `https://doi.org/${preprint.doi!}`, type: 'repository', version: 'submittedVersion', place: 'bioRxiv' }]
  const article = only({ openalex: 'W1', doi: journal.doi! }, { locations })
  const papers = [preprint]
  const { user, project, fetchNow } = await startSources(t, papers)
  const id = await project(sourcesNamed('openalex'))
  await fetchNow(id)
  t.match(await feedOf(user, id), [{ paper: { doi: preprint.doi } }])
  const entered: number[] = []
  for (const stated of [article, article, preprint, article]) {
    papers.splice(0, 1, stated)
    await resetRateLimits(user)
    entered.push(...(await fetchNow(id)).sources.map(source => source.entered))
  }
  t.strictSame(entered, [1, 0, 0, 0])
  const items = await feedOf(user, id)
  t.equal(items.length, 2)
  const [early, late] = [preprint, article].map(({ doi }) => items.find(({ paper }) => paper.doi === doi)!.paper)
  t.strictSame((await paperGet.run(user.context, { paper_id: early!.id })).versions, [{ paper_id: late!.id, form: 'published' }])
  t.strictSame((await paperGet.run(user.context, { paper_id: late!.id })).versions, [{ paper_id: early!.id, form: 'preprint' }])
})

t.test('votes and full text survive when two papers turn out to be one', async t => {
  const separate: Publication[] = [
    only({ doi: journal.doi! }),
    only({ pmid: journal.pmid! }, { title: 'Base editing restores vision in grown-up mice' })
  ]
  const papers = [...separate]
  const { user, project, fetchNow } = await startSources(t, papers)
  const id = await project(sourcesNamed('crossref', 'pubmed'))
  await fetchNow(id)
  const items = await feedOf(user, id)
  t.equal(items.length, 2, 'nothing tells yet that they are one: titles do not')
  const [byDoi, byPmid] = [items.find(({ paper }) => paper.doi !== null)!, items.find(({ paper }) => paper.doi === null)!]
  await feedbackSet.run(user.context, { paper_id: byPmid.id, vote: 'star' })
  await saveMarkdown(user.context.db, { paper_id: byDoi.paper.id, markdown: '# The text', origin: 'jats', converter: 'test' })

  papers.push(journal)
  await projectUpdate.run(user.context, { project_id: id, sources: sourcesNamed('openalex') })
  await fetchNow(id)
  const [item, ...others] = await feedOf(user, id)
  t.same(others, [])
  for (const former of [byDoi.id, byDoi.paper.id, byPmid.paper.id, byPmid.paper.id.slice(0, 8)]) {
    t.equal((await paperGet.run(user.context, { paper_id: former })).id, item!.paper.id, 'references that somebody holds still find it')
  }
  t.match(item, {
    feedback: { vote: 'star' },
    paper: { doi: journal.doi, external_ids: { pmid: journal.pmid, openalex: journal.openalex }, markdown_ready: true }
  })
  t.match(await paperMarkdown.run(user.context, { paper_id: item!.paper.id }), { status: 'ready', markdown: '# The text' })
})

t.test('a waiting conversion continues with the merged paper', async t => {
  const papers = [
    only({ doi: journal.doi! }),
    only({ pmid: journal.pmid!, pmcid: 'PMC12000001' }, { title: 'Base editing restores vision in grown-up mice' })
  ]
  const { user, project, fetchNow } = await startSources(t, papers)
  const id = await project(sourcesNamed('crossref', 'pubmed'))
  await fetchNow(id)
  const before = (await feedOf(user, id)).find(({ paper }) => paper.external_ids.pmcid !== null)!
  const queued = await paperMarkdown.run(user.context, { paper_id: before.paper.id }) as { job_id: string }
  papers.push(journal)
  await projectUpdate.run(user.context, { project_id: id, sources: sourcesNamed('openalex') })
  await fetchNow(id)
  const [item] = await feedOf(user, id)
  t.match(await jobGet.run(user.context, { job_id: queued.job_id }), { state: 'waiting', paper_id: item!.paper.id })
  t.match(await paperMarkdown.run(user.context, { paper_id: item!.paper.id }), { job_id: queued.job_id, created: false })
})

t.test('tells works apart that share a DOI and contradict each other, and the first keeps it', async t => {
  const { user, project, fetchNow } = await startSources(t, [
    only({ pmid: '11', doi: '10.1000/vision.1' }),
    only({ openalex: 'W9', doi: '10.1000/vision.1', pmid: '33', arxiv: '2401.11111' }, { title: 'Another work altogether of other people' })
  ])
  const id = await project(sourcesNamed('pubmed'))
  await fetchNow(id)
  await projectUpdate.run(user.context, { project_id: id, sources: sourcesNamed('openalex') })
  await fetchNow(id)
  const ids = (await feedOf(user, id)).map(({ paper }) => paper.external_ids).sort((a, b) => Number(a.pmid) - Number(b.pmid))
  t.match(ids, [{ pmid: '11', doi: '10.1000/vision.1', arxiv: null }, { pmid: '33', doi: null, arxiv: '2401.11111' }])
})

t.test('keeps papers with short titles or other authors apart', async t => {
  const reply = (part: Partial<Publication>): Publication => ({ title: 'Base editing', abstract, date: '2026-11-12', ...part })
  const { user, project, fetchNow } = await startSources(t, [
    reply({ pmid: '1' }),
    reply({ openalex: 'W1', doi: '10.1000/a' }),
    only({ pmid: '2' }),
    only({ doi: '10.1000/other', openalex: 'W2' }, { authors: [['Niels', 'Bohr']] })
  ])
  const id = await project(sourcesNamed('pubmed', 'openalex'))
  await fetchNow(id)
  t.equal((await feedOf(user, id)).length, 4)
})

t.test('an imported paper is a separate feed item', async t => {
  const { user, project, fetchNow } = await startSources(t, [journal])
  const id = await project(sourcesNamed('pubmed'))
  await addPapers(user.context, id, [{ title: 'My own note of it', doi: journal.doi! }])
  t.match((await fetchNow(id)).sources, [{ found: 1, entered: 0 }])
  t.same((await feedOf(user, id)).map(({ paper_title }) => paper_title), ['My own note of it'])

  const other = await project(sourcesNamed('europepmc'))
  t.match((await fetchNow(other)).sources, [{ found: 1, entered: 1 }])
  t.match(
    await feedOf(user, other),
    [{ paper: { id: (await feedOf(user, id))[0]!.paper.id, external_ids: { pmid: journal.pmid, pmcid: journal.pmcid } } }],
    'in every feed of theirs, completed by what a source knows'
  )
})

t.test('papers are shared between accounts, feeds are not', async t => {
  const { service, user, project, fetchNow } = await startSources(t, [journal])
  await fetchNow(await project(sourcesNamed('pubmed')))
  const other = await service.user()
  const { id } = await projectCreate.run(other.context, {
    name: 'Mine',
    interest_description: 'base editing',
    sources: sourcesNamed('pubmed')
  })
  await projectFetch.run({ ...other.context, ignoreSchedule: true }, { project_id: id })
  const {
    rows: [{ count }]
  } = (await sql<{ count: number }>`select count(*)::int as count from paper`.execute(user.context.db)) as { rows: [{ count: number }] }
  t.equal(count, 1)
  t.equal((await feedOf(other, id)).length, 1)
})
