import t, { type Test } from 'tap'
import { sql } from 'kysely'
import { saveMarkdown } from '../../db/queries/markdown.js'
import type { ProjectSource } from '../../schemas/project.js'
import { feedGet } from '../../src/operations/feed-get.js'
import { feedSearch } from '../../src/operations/feed-search.js'
import { feedbackSet } from '../../src/operations/feedback-set.js'
import { paperGet } from '../../src/operations/paper-get.js'
import { jobGet } from '../../src/operations/job-get.js'
import { paperMarkdown } from '../../src/operations/paper-markdown.js'
import { projectCreate } from '../../src/operations/project-create.js'
import { projectFetch } from '../../src/operations/project-fetch.js'
import { projectPreview } from '../../src/operations/project-preview.js'
import { projectScore } from '../../src/operations/project-score.js'
import { projectUpdate } from '../../src/operations/project-update.js'
import { projectsGet } from '../../src/operations/projects-get.js'
import { addPapers, testService, type TestUser } from '../support/service.js'
import { arxivStandIn } from '../support/stand-ins/arxiv.js'
import { biorxivStandIn } from '../support/stand-ins/biorxiv.js'
import { crossrefStandIn } from '../support/stand-ins/crossref.js'
import { europepmcStandIn } from '../support/stand-ins/europepmc.js'
import { rss } from '../support/stand-ins/feed.js'
import { openalexStandIn } from '../support/stand-ins/openalex.js'
import type { OutsidePaper } from '../support/stand-ins/papers.js'
import { pubmedStandIn } from '../support/stand-ins/pubmed.js'
import { standIn, xml } from '../support/stand-ins/server.js'

const today = '2026-11-20'
const abstract = 'We show that base editing of retinal cells restores vision in adult mice, and that edits elsewhere are rare.'
const journal: OutsidePaper = { title: 'Base editing restores vision in adult mice', abstract, date: '2026-11-12', doi: '10.1000/vision.1', pmid: '41000001', pmcid: 'PMC12000001', openalex: 'W4400000001', venue: 'Journal of Editing' }
const only = (identifiers: Partial<OutsidePaper>, part: Partial<OutsidePaper> = {}): OutsidePaper => ({ title: journal.title, abstract, date: journal.date, ...part, ...identifiers })
const onArxiv = only({ arxiv: '2611.01234', publishedDoi: journal.doi!, doi: journal.doi! }, { date: '2026-11-10', authors: [['A.', 'Lovelace']] })

/** The outside world with these papers, and a service and a user who see it. */
async function world (t: Test, papers: readonly OutsidePaper[], environment: Record<string, string> = {}) {
  const clock = { now: new Date(`${today}T12:00:00Z`) }
  const [arxiv, pubmed, europepmc, biorxiv, openalex, crossref] = await Promise.all([
    arxivStandIn(t, papers), pubmedStandIn(t, papers), europepmcStandIn(t, papers), biorxivStandIn(t, papers), openalexStandIn(t, papers), crossrefStandIn(t, papers)
  ])
  const journalFeed = await standIn(t, () => xml(rss(papers.filter(({ doi, preprint }) => doi !== undefined && preprint !== true))))
  const service = await testService(t, {
    ARXIV_URL: arxiv.url,
    PUBMED_URL: pubmed.url,
    EUROPEPMC_URL: europepmc.url,
    BIORXIV_URL: biorxiv.url,
    OPENALEX_URL: openalex.url,
    CROSSREF_URL: crossref.url,
    PRIVATE_ORIGINS: journalFeed.url,
    ...environment
  }, () => clock.now)
  const user = await service.user()
  const project = async (sources: ProjectSource[], more: object = {}) =>
    (await projectCreate.run(user.context, { name: 'Editing', interest_description: 'Base editing as a therapy of the retina', positive_keywords: ['base editing'], sources, ...more })).id
  const fetchNow = async (project_id: string) => await projectFetch.run({ ...user.context, atOnce: true }, { project_id })
  return { service, user, clock, project, fetchNow, arxiv, pubmed, europepmc, biorxiv, openalex, crossref, journalFeed }
}

/** Turns are taken by the wall clock, which the tests' clock does not move. */
const forgetPauses = ({ context }: TestUser) => sql`delete from source_turn`.execute(context.db)
const feedOf = async ({ context }: TestUser, project_id: string) => (await feedGet.run(context, { project_id, limit: 100 })).items
const asked = (...names: string[]): ProjectSource[] => names.map(name => ({ name, query: '' }))

t.test('one work from every source is one paper, with all its identifiers and the best of each', async t => {
  const { user, project, fetchNow, journalFeed } = await world(t, [journal, onArxiv])
  const id = await project([...asked('arxiv', 'pubmed', 'europepmc', 'openalex', 'crossref'), { name: 'feed', query: `${journalFeed.url}/rss` }])
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
  t.match(items[0], { relevance_class: 'must_read', summary_origin: 'abstract', matching_details: { positive_keywords: ['base editing'], excluded: false } })
  t.match(items[0]!.personalized_note, /base editing/i)
  t.equal((await feedSearch.run(user.context, { project_id: id, q: 'vision mice' })).items.length, 1)

  await fetchNow(id)
  t.equal((await feedOf(user, id)).length, 1, 'and is not doubled by looking again')
  t.match(await projectPreview.run(user.context, { project_id: id }), { compared: 1 }, 'what is in the feed is no candidate')
})

t.test('a preprint and its published form are two papers that know of each other', async t => {
  const preprint = only({ doi: '10.1101/2026.10.01.1', publishedDoi: journal.doi! }, { preprint: true })
  const { user, project, fetchNow } = await world(t, [preprint, journal], { FETCH_DAYS: '9' })
  const id = await project(asked('biorxiv', 'pubmed'))
  await fetchNow(id)
  const items = await feedOf(user, id)
  t.equal(items.length, 2)
  const [early, late] = ['10.1101/2026.10.01.1', journal.doi].map(doi => items.find(({ paper }) => paper.doi === doi)!.paper)
  t.same((await paperGet.run(user.context, { paper_id: early!.id })).versions, [{ paper_id: late!.id, form: 'published' }])
  t.same((await paperGet.run(user.context, { paper_id: late!.id })).versions, [{ paper_id: early!.id, form: 'preprint' }])
})

t.test('votes and full text survive when two papers turn out to be one', async t => {
  const separate: OutsidePaper[] = [only({ doi: journal.doi! }), only({ pmid: journal.pmid! }, { title: 'Base editing restores vision in grown-up mice' })]
  const papers = [...separate]
  const { user, project, fetchNow } = await world(t, papers)
  const id = await project(asked('crossref', 'pubmed'))
  await fetchNow(id)
  const items = await feedOf(user, id)
  t.equal(items.length, 2, 'nothing tells yet that they are one: titles do not')
  const [byDoi, byPmid] = [items.find(({ paper }) => paper.doi !== null)!, items.find(({ paper }) => paper.doi === null)!]
  await feedbackSet.run(user.context, { ref: byPmid.id, vote: 'star' })
  await saveMarkdown(user.context.db, { paper_id: byDoi.paper.id, markdown: '# The text', origin: 'jats', converter: 'test' })

  papers.push(journal)
  await projectUpdate.run(user.context, { project_id: id, sources: asked('openalex') })
  await fetchNow(id)
  const [item, ...others] = await feedOf(user, id)
  t.same(others, [])
  for (const former of [byDoi.id, byDoi.paper.id, byPmid.paper.id, byPmid.paper.id.slice(0, 8)]) {
    t.equal((await paperGet.run(user.context, { paper_id: former })).id, item!.paper.id, 'references that somebody holds still find it')
  }
  t.match(item, { feedback: { vote: 'star' }, paper: { doi: journal.doi, external_ids: { pmid: journal.pmid, openalex: journal.openalex }, markdown_ready: true } })
  t.match(await paperMarkdown.run(user.context, { paper_id: item!.paper.id }), { status: 'ready', markdown: '# The text' })
})

t.test('a conversion that waits goes on with the paper that another becomes part of', async t => {
  const papers = [only({ doi: journal.doi! }), only({ pmid: journal.pmid!, pmcid: 'PMC12000001' }, { title: 'Base editing restores vision in grown-up mice' })]
  const { user, project, fetchNow } = await world(t, papers)
  const id = await project(asked('crossref', 'pubmed'))
  await fetchNow(id)
  const before = (await feedOf(user, id)).find(({ paper }) => paper.external_ids.pmcid !== null)!
  const queued = await paperMarkdown.run(user.context, { paper_id: before.paper.id }) as { job_id: string }
  papers.push(journal)
  await projectUpdate.run(user.context, { project_id: id, sources: asked('openalex') })
  await fetchNow(id)
  const [item] = await feedOf(user, id)
  t.match(await jobGet.run(user.context, queued), { state: 'waiting', paper_id: item!.paper.id })
  t.match(await paperMarkdown.run(user.context, { paper_id: item!.paper.id }), { job_id: queued.job_id, created: false })
})

t.test('identifiers that contradict a paper are not taken over', async t => {
  const { user, project, fetchNow } = await world(t, [only({ pmid: '11', doi: '10.1000/vision.1' }), only({ openalex: 'W9', doi: '10.1000/vision.1', pmid: '33', arxiv: '2401.11111' }, { title: 'Another work altogether of other people' })])
  const id = await project(asked('pubmed'))
  await fetchNow(id)
  await projectUpdate.run(user.context, { project_id: id, sources: asked('openalex') })
  await fetchNow(id)
  t.match((await feedOf(user, id)).map(({ paper }) => paper.external_ids), [{ pmid: '11', arxiv: null }])
})

t.test('a record that cannot be read takes no other with it, and holds up no later look', async t => {
  const sound = Array.from({ length: 60 }, (_, at): OutsidePaper => ({ title: `Base editing, part ${at}`, abstract, date: '2026-11-18', pmid: String(41_200_000 + at) }))
  const papers = [...sound.slice(0, 20), { title: 'Base editing, broken', abstract: '\u0001<unclosed', date: '2026-11-18', pmid: '41999999', broken: true }, ...sound.slice(20)]
  const { user, clock, project, fetchNow } = await world(t, papers)
  const id = await project(asked('pubmed'))
  t.match((await fetchNow(id)).sources, [{ entered: 60, error: null, rejections: [/left out \(1\)/] }])
  t.match((await projectsGet.run(user.context, { project_id: id })).source_states, [{ last_error: /PubMed sent records that could not be read/ }])
  clock.now = new Date('2026-11-24T12:00:00Z')
  papers.push({ title: 'Base editing, later', abstract, date: '2026-11-24', pmid: '41300000' })
  t.match((await fetchNow(id)).sources, [{ entered: 1, error: null }])
})

t.test('a name or a pause is no change that drops papers', async t => {
  const { user, clock, project, fetchNow } = await world(t, [journal])
  const id = await project(asked('pubmed'), { feed_threshold: 0 })
  await fetchNow(id)
  await sql`update project set feed_threshold = 0.99 where id = ${id}`.execute(user.context.db)
  clock.now = new Date('2026-11-20T13:00:00Z')
  await projectUpdate.run(user.context, { project_id: id, name: 'Renamed', interest_description: 'Base editing as a therapy of the retina' })
  t.match(await projectScore.run(user.context, { project_id: id }), { dropped: 0 })
  t.equal((await feedOf(user, id)).length, 1)
})

t.test('papers with the same short title, or the same title of other people, stay apart', async t => {
  const reply = (part: Partial<OutsidePaper>): OutsidePaper => ({ title: 'Base editing', abstract, date: '2026-11-12', ...part })
  const { user, project, fetchNow } = await world(t, [reply({ pmid: '1' }), reply({ openalex: 'W1', doi: '10.1000/a' }), only({ pmid: '2' }), only({ doi: '10.1000/other', openalex: 'W2' }, { authors: [['Niels', 'Bohr']] })])
  const id = await project(asked('pubmed', 'openalex'))
  await fetchNow(id)
  t.equal((await feedOf(user, id)).length, 4)
})

t.test('a source that fails says so, tries again later and later, and stops no other', async t => {
  const { user, clock, project, fetchNow, pubmed, europepmc } = await world(t, [journal])
  const id = await project(asked('pubmed', 'europepmc'))
  pubmed.next.push({ status: 400, body: '{"error":"API key invalid"}' })
  const { sources } = await fetchNow(id)
  t.match(sources.find(({ name }) => name === 'pubmed'), { found: 0, error: /API key invalid/ })
  t.match(sources.find(({ name }) => name === 'europepmc'), { found: 1, entered: 1, error: null })
  const state = async (name: string) => (await projectsGet.run(user.context, { project_id: id })).source_states.find(each => each.name === name)!
  t.match(await state('pubmed'), { last_fetched_at: null, last_error: /API key invalid/, next_fetch_at: '2026-11-20T12:05:00.000Z' })
  t.match(await state('europepmc'), { last_fetched_at: '2026-11-20T12:00:00.000Z', last_error: null, papers_found: 1, papers_entered: 1, next_fetch_at: '2026-11-20T18:00:00.000Z' })

  const before = europepmc.asked.length
  clock.now = new Date('2026-11-20T12:06:00Z')
  pubmed.next.push({ status: 429, headers: { 'retry-after': '7200' }, body: '{"error":"API rate limit exceeded"}' })
  await projectFetch.run(user.context, { project_id: id })
  t.match(await state('pubmed'), { last_error: /too often/, next_fetch_at: '2026-11-20T14:06:00.000Z' })
  t.equal(europepmc.asked.length, before, 'the other was not due')

  const askedBefore = pubmed.asked.length
  const another = await project(asked('pubmed'))
  t.match((await fetchNow(another)).sources, [{ error: /asked to be left alone until/ }], 'the pause is for every project, and for whoever cannot wait')
  t.equal(pubmed.asked.length, askedBefore)

  await forgetPauses(user)
  clock.now = new Date('2026-11-20T14:07:00Z')
  await projectFetch.run(user.context, { project_id: id })
  t.match(await state('pubmed'), { last_error: null, papers_found: 1, papers_entered: 0, last_fetched_at: '2026-11-20T14:07:00.000Z' })
})

t.test('"nothing new" and "could not look" are different', async t => {
  const { user, project, fetchNow, europepmc } = await world(t, [])
  const id = await project(asked('europepmc'))
  t.match((await fetchNow(id)).sources, [{ found: 0, error: null }])
  const { last_fetched_at, source_states: [nothing] } = await projectsGet.run(user.context, { project_id: id })
  t.match(nothing, { last_fetched_at: '2026-11-20T12:00:00.000Z', last_error: null, papers_found: 0 })
  t.equal(last_fetched_at, '2026-11-20T12:00:00.000Z')
  europepmc.next.push({ body: '<html><h1>We are down</h1></html>' })
  t.match((await fetchNow(id)).sources, [{ error: /not the JSON of its interface: We are down/ }])
})

t.test('a walk that breaks off goes on where it was, and misses nothing', async t => {
  const papers = Array.from({ length: 450 }, (_, at): OutsidePaper => ({ title: `Base editing, part ${at}`, abstract, date: '2026-11-15', pmid: String(41_100_000 + at), doi: `10.1000/part.${at}` }))
  const { user, project, fetchNow, europepmc } = await world(t, papers)
  const id = await project(asked('europepmc'))
  const failing = { status: 503, headers: { 'retry-after': '600' }, body: 'busy' }
  // The second page fails, after the first was taken.
  const { sources: [first] } = await projectFetch.run({ ...user.context, atOnce: true, onProgress: ({ found }) => { if (found === 200) europepmc.next.push(failing) } }, { project_id: id })
  t.match(first, { found: 200, entered: 200, error: /status 503/ })
  t.equal((await feedOf(user, id)).length, 100)
  await forgetPauses(user)
  const before = europepmc.asked.length
  t.match((await fetchNow(id)).sources, [{ found: 250, entered: 250, error: null }])
  t.equal(europepmc.asked[before]!.url.searchParams.get('cursorMark'), 'AoJ200')
  t.equal((await feedGet.run(user.context, { project_id: id })).total, 450)
})

t.test('what cannot be used is told, and the rest comes in', async t => {
  const { user, project, fetchNow } = await world(t, [
    only({ pmid: '1' }, { title: '' }),
    only({ pmid: '2' }, { title: 'Base editing &amp; <b onclick="x()">bold</b> moves', abstract: `${abstract} ${'long '.repeat(1_000_000)}` }),
    only({ pmid: '3' }, { title: `Base editing ${'\u0000'}with NUL` }),
    only({ pmid: '4' }, { title: 'Base editing, sound' })
  ])
  const id = await project(asked('europepmc'))
  t.match((await fetchNow(id)).sources, [{ found: 4, entered: 3, rejected: 1, rejections: ['title is missing'], error: null }])
  t.same((await feedOf(user, id)).map(({ paper_title }) => paper_title).sort(), ['Base editing & bold moves', 'Base editing with NUL', 'Base editing, sound'])
})

t.test('excluded keywords and a score below the threshold keep fetched papers out, but a preview knows of them', async t => {
  const { user, clock, project, fetchNow } = await world(t, [
    journal,
    { title: 'Base editing in plants', abstract: 'We edited tobacco.', date: '2026-11-12', pmid: '5', doi: '10.1000/5' },
    { title: 'Copy editing in newspapers', abstract: 'On journalists.', date: '2026-11-12', pmid: '6', doi: '10.1000/6' }
  ])
  const id = await project([{ name: 'pubmed', query: 'editing' }], { negative_keywords: ['tobacco'], feed_threshold: 0.5 })
  t.match((await fetchNow(id)).sources, [{ found: 3, entered: 1 }])
  t.same((await feedOf(user, id)).map(({ paper_title }) => paper_title), [journal.title])

  const preview = await projectPreview.run(user.context, { project_id: id, negative_keywords: ['mice'] })
  t.match(preview, { counts: { added: 1, dropped: 1 }, added: [{ title: 'Base editing in plants', now: null }], dropped: [{ title: journal.title }] })
  t.same((await feedOf(user, id)).length, 1, 'nothing was changed')

  clock.now = new Date('2026-11-20T13:00:00Z')
  await projectUpdate.run(user.context, { project_id: id, negative_keywords: ['mice'] })
  t.match(await projectScore.run(user.context, { project_id: id }), { added: 1, dropped: 1 })
  t.same((await feedOf(user, id)).map(({ paper_title }) => paper_title), ['Base editing in plants'], 'what the preview said')
})

t.test('what a person has imported stands for itself in the feed', async t => {
  const { user, project, fetchNow } = await world(t, [journal])
  const id = await project(asked('pubmed'))
  await addPapers(user.context, id, [{ title: 'My own note of it', doi: journal.doi! }])
  t.match((await fetchNow(id)).sources, [{ found: 1, entered: 0 }])
  t.same((await feedOf(user, id)).map(({ paper_title }) => paper_title), ['My own note of it'])

  const other = await project(asked('europepmc'))
  t.match((await fetchNow(other)).sources, [{ found: 1, entered: 1 }])
  t.match(await feedOf(user, other), [{ paper: { id: (await feedOf(user, id))[0]!.paper.id, external_ids: { pmid: journal.pmid, pmcid: journal.pmcid } } }], 'in every feed of theirs, completed by what a source knows')
})

t.test('papers are shared between accounts, feeds are not', async t => {
  const { service, user, project, fetchNow } = await world(t, [journal])
  await fetchNow(await project(asked('pubmed')))
  const other = await service.user()
  const { id } = await projectCreate.run(other.context, { name: 'Mine', interest_description: 'base editing', sources: asked('pubmed') })
  await projectFetch.run({ ...other.context, atOnce: true }, { project_id: id })
  const { rows: [{ count }] } = await sql<{ count: number }>`select count(*)::int as count from paper`.execute(user.context.db) as { rows: [{ count: number }] }
  t.equal(count, 1)
  t.equal((await feedOf(other, id)).length, 1)
})

t.test('a change of keywords asks the sources anew, over all the days', async t => {
  const { user, clock, project, fetchNow, pubmed } = await world(t, [journal, { title: 'Prime editing restores hearing', abstract: 'In ears.', date: '2026-11-01', pmid: '7' }])
  const id = await project(asked('pubmed'), { positive_keywords: ['vision'], interest_description: '' })
  t.match((await fetchNow(id)).sources, [{ found: 1 }])
  clock.now = new Date('2026-11-20T13:00:00Z')
  await projectUpdate.run(user.context, { project_id: id, positive_keywords: ['hearing'] })
  t.match((await projectFetch.run(user.context, { project_id: id })).sources, [{ found: 1, entered: 1 }])
  t.match(pubmed.asked.at(-2)!.body.toString(), 'mindate=2026%2F10%2F21')
})

t.test('a project that asks for nothing says so', async t => {
  const { project, fetchNow } = await world(t, [journal])
  const id = await project(asked('pubmed'), { positive_keywords: [], interest_description: '' })
  t.match((await fetchNow(id)).sources, [{ error: /nothing to ask for: give the project keywords/ }])
})

t.test('unknown sources and questions that cannot be asked are refused when they are set', async t => {
  const { project } = await world(t, [])
  await t.rejects(project(asked('scholar')), { code: 'invalid_arguments', message: /"scholar"; allowed: arxiv, pubmed/ })
  await t.rejects(project([{ name: 'arxiv', query: '(ti:open' }]), { message: /parenthesis is not closed/ })
  await t.rejects(project([{ name: 'feed', query: '' }]), { message: /address/ })
})
