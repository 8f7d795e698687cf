import t, { type Test } from 'tap'
import { sql } from 'kysely'
import type { ProjectSource } from '../../schemas/project.js'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { projectCreate } from '../../src/operations/projects/project-create.js'
import { projectDelete } from '../../src/operations/projects/project-delete.js'
import { projectFetch } from '../../src/operations/projects/project-fetch.js'
import { projectScore } from '../../src/operations/projects/project-score.js'
import { projectUpdate } from '../../src/operations/projects/project-update.js'
import { addPapers, testService, type TestUser } from '../support/service.js'
import { rss } from '../support/stand-ins/feed.js'
import { openalexStandIn } from '../support/stand-ins/openalex.js'
import type { Publication } from '../support/stand-ins/papers.js'
import { pubmedStandIn } from '../support/stand-ins/pubmed.js'
import { escaped, standIn, xml } from '../support/stand-ins/server.js'

const abstract = 'We show that base editing of retinal cells restores vision in adult mice, and that edits elsewhere are rare.'
const journal: Publication = {
  title: 'Base editing restores vision in adult mice',
  abstract,
  date: '2026-11-19',
  doi: '10.1000/vision.1',
  pmid: '41000001',
  openalex: 'W4400000001',
  venue: 'Journal of Editing'
}
const pubmed: ProjectSource = { name: 'pubmed', query: '' }

/** A feed whose entry claims the identifiers of any work. */
const claim = ({ doi, link }: { doi: string, link: string }) => `<?xml version="1.0"?>
<rss version="2.0" xmlns:prism="http://prismstandard.org/namespaces/basic/2.0/"><channel><title>A feed</title><link>https://feed.example.org/</link><description>All</description>
<item><title>Base editing is a fraud, says this feed</title><link>${escaped(link)}</link><guid isPermaLink="false">claim</guid><prism:doi>${doi}</prism:doi><description>${escaped(abstract.repeat(9))}</description></item></channel></rss>`

/** Starts stand-ins of PubMed and OpenAlex with these papers, a journal feed with this XML, and a service with two users. */
async function setUp (t: Test, papers: readonly Publication[], feedXml: () => string) {
  const [asPubmed, asOpenalex, asFeed] = await Promise.all([
    pubmedStandIn(t, papers),
    openalexStandIn(t, papers),
    standIn(t, () => xml(feedXml()))
  ])
  const service = await testService(
    t,
    { PUBMED_URL: asPubmed.url, OPENALEX_URL: asOpenalex.url, PRIVATE_ORIGINS: asFeed.url },
    () => new Date('2026-11-20T12:00:00Z')
  )
  const project = async ({ context }: TestUser, sources: ProjectSource[]) =>
    (
      await projectCreate.run(context, {
        name: 'Editing',
        interest_description: 'Base editing as a therapy of the retina',
        positive_keywords: ['base editing'],
        sources
      })
    ).id
  const fetchSources = async ({ context }: TestUser, project_id: string) =>
    (await projectFetch.run({ ...context, ignoreSchedule: true }, { project_id })).sources
  const listPapers = async ({ context }: TestUser, project_id: string) =>
    (await feedGet.run(context, { project_id, limit: 100 })).items.map(({ paper }) => paper)
  const feed: ProjectSource = { name: 'feed', query: `${asFeed.url.replace('//', '//reader:pass-phrase@')}/rss?token=very-private` }
  return {
    db: service.context.db,
    reader: await service.user(),
    other: await service.user(),
    project,
    fetchSources,
    listPapers,
    feed,
    host: new URL(asFeed.url).host
  }
}

t.test("a journal feed never changes other readers' papers", async t => {
  const papers: Publication[] = [
    journal,
    { ...journal, title: 'Base editing of the inner ear restores hearing', doi: '10.1000/ear', pmid: '41000002', openalex: 'W4400000002' }
  ]
  const { db, reader, other, project, fetchSources, listPapers, feed } = await setUp(t, papers, () =>
    claim({ doi: journal.doi!, link: 'https://pubmed.ncbi.nlm.nih.gov/41000002/' })
  )
  const theirs = await project(other, [pubmed])
  await fetchSources(other, theirs)
  // Were they merged, these would be one.
  await sql`update paper set pmid = null where doi = ${journal.doi!}`.execute(db)
  await sql`update paper set doi = null, url = null where pmid = '41000002'`.execute(db)
  const before = await listPapers(other, theirs)
  t.equal(before.length, 2)
  const own = await project(reader, [feed])
  t.match(await fetchSources(reader, own), [{ found: 1, error: null }])
  t.strictSame(await listPapers(other, theirs), before)
  t.strictSame((await sql`select source_name from paper`.execute(db)).rows, [{ source_name: 'pubmed' }, { source_name: 'pubmed' }])
})

t.test('journal feed papers are private until a source confirms them', async t => {
  const papers: Publication[] = []
  const { db, reader, other, project, fetchSources, listPapers, feed } = await setUp(t, papers, () =>
    claim({ doi: journal.doi!, link: 'https://feed.example.org/fraud' })
  )
  const own = await project(reader, [feed, pubmed])
  await fetchSources(reader, own)
  t.match(await listPapers(reader, own), [{ title: /fraud/ }])
  const also = await project(other, [feed])
  await fetchSources(other, also)
  t.not((await listPapers(other, also))[0]!.id, (await listPapers(reader, own))[0]!.id, 'two readers of a feed have a paper each')

  papers.push(journal)
  const theirs = await project(other, [{ name: 'openalex', query: '' }])
  t.match(await fetchSources(other, theirs), [{ entered: 1 }])
  await fetchSources(reader, own)
  t.match(
    await listPapers(reader, own),
    [{ title: journal.title, venue_name: journal.venue, external_ids: { pmid: journal.pmid } }],
    'PubMed knows better than the feed'
  )
  const known = await listPapers(reader, own)
  await fetchSources(reader, own)
  t.strictSame(await listPapers(reader, own), known, 'however often and in whichever order they are looked at')
  const { rows: shared } = await sql<{ row: string }>`select to_jsonb(paper)::text as row from paper where account_id is null`.execute(db)
  t.equal(shared.length, 1)
  t.notMatch(shared[0]!.row, /fraud|feed\.example/)
})

t.test('keeps journal feed papers for other projects after a deletion', async t => {
  const { reader, project, fetchSources, listPapers, feed } = await setUp(t, [], () => rss([journal]))
  const [kept, deleted] = [await project(reader, [feed]), await project(reader, [])]
  await projectUpdate.run(reader.context, { project_id: kept, feed_threshold: 1 })
  t.match(await fetchSources(reader, kept), [{ found: 1, entered: 0 }])
  await projectDelete.run(reader.context, { project_id: deleted })
  await projectUpdate.run(reader.context, { project_id: kept, feed_threshold: 0 })
  t.match(await projectScore.run(reader.context, { project_id: kept }), { added: 1 })
  t.match(await listPapers(reader, kept), [{ title: journal.title }])
})

t.test('a journal feed does not add a paper twice', async t => {
  const { reader, project, fetchSources, listPapers, feed } = await setUp(t, [journal], () =>
    rss([journal, { ...journal, title: 'Base editing of the inner ear restores hearing', doi: '10.1000/ear' }])
  )
  const id = await project(reader, [pubmed])
  await fetchSources(reader, id)
  const both = await project(reader, [feed])
  await addPapers(reader.context, both, [{ title: 'Hearing, my own copy', doi: '10.1000/ear' }])
  t.match(await fetchSources(reader, both), [{ found: 2, entered: 1 }])
  t.match(await fetchSources(reader, both), [{ found: 2, entered: 0 }])
  const found = await listPapers(reader, both)
  t.strictSame(found.map(({ title }) => title).sort(), [journal.title, 'Hearing, my own copy'])
  t.equal(
    found.find(({ title }) => title === journal.title)!.id,
    (await listPapers(reader, id))[0]!.id,
    'a shared paper stands for it as it is'
  )
})

t.test('an entry without a DOI is one paper in all feeds of its journal, and after the address of a feed changes', async t => {
  const entries: Publication[] = [
    { title: journal.title, abstract, date: '2026-11-19' },
    { title: 'Base editing of the inner ear restores hearing', abstract, date: '2026-11-18', authors: [] },
    { title: 'Base editing', abstract, date: '2026-11-17', authors: [] }
  ]
  const { reader, project, fetchSources, listPapers, feed } = await setUp(t, [], () => rss(entries))
  const id = await project(reader, [feed])
  t.match(await fetchSources(reader, id), [{ found: 3, entered: 3 }])
  const before = await listPapers(reader, id)
  const moved: ProjectSource = { ...feed, query: feed.query.replace('/rss', '/current') }
  await projectUpdate.run(reader.context, { project_id: id, sources: [moved] })
  t.match(await fetchSources(reader, id), [{ found: 3, entered: 0 }])
  await projectUpdate.run(reader.context, { project_id: id, sources: [feed, moved] })
  t.match(await fetchSources(reader, id), [{ found: 3, entered: 0 }, { found: 3, entered: 0 }])
  t.strictSame((await listPapers(reader, id)).map(paper => paper.id), before.map(paper => paper.id))
})

t.test('papers of a journal feed keep its host, never its address', async t => {
  const { db, reader, project, fetchSources, listPapers, feed, host } = await setUp(t, [], () => rss([journal]))
  const id = await project(reader, [feed])
  await fetchSources(reader, id)
  t.match(await listPapers(reader, id), [{ metadata: { feed: host }, source_paper_id: /^[0-9a-f]{64}$/ }])
  const { rows } = await sql<{ row: string }>`select to_jsonb(paper)::text as row from paper`.execute(db)
  t.notMatch(rows[0]!.row, /very-private|pass-phrase/)
})

t.test('equal titles alone do not merge an entry with an imported paper or another entry', async t => {
  const editorial = (guid: string, text: string) =>
    `<item><title>Editorial</title><guid isPermaLink="false">${guid}</guid><description>${text}</description></item>`
  const { reader, project, fetchSources, listPapers, feed } = await setUp(
    t,
    [],
    () =>
      `<?xml version="1.0"?><rss version="2.0"><channel><title>A feed</title><link>https://feed.example.org/</link><description>All</description>${editorial('a', 'On base editing in spring.')}${editorial('b', 'On base editing in autumn.')}</channel></rss>`
  )
  const id = await project(reader, [feed])
  await addPapers(reader.context, id, [{ title: 'Editorial', abstract: 'My own.' }])
  await projectUpdate.run(reader.context, { project_id: id, feed_threshold: 0 })
  t.match(await fetchSources(reader, id), [{ found: 2, entered: 2 }])
  t.match(await fetchSources(reader, id), [{ found: 2, entered: 0 }])
  t.strictSame((await listPapers(reader, id)).map(({ abstract }) => abstract).sort(), [
    'My own.',
    'On base editing in autumn.',
    'On base editing in spring.'
  ])
})
