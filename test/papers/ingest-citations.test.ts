import t from 'tap'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { addCitations } from '../../db/queries/citations.js'
import { mergePapers } from '../../db/queries/papers-merge.js'
import { readAccountRows } from '../../db/queries/account-export.js'
import { papersImport } from '../../src/operations/papers/papers-import.js'
import type { Publication } from '../support/stand-ins/papers.js'
import { projectWith } from '../support/service.js'
import { feedOf, journal, only, sourcesNamed, startSources } from '../support/sources.js'

const person = { orcid: '0000-0002-1825-0097', openalex: 'A5023888391' }
const authors: Publication['authors'] = [['Ada', 'Lovelace', person], ['Émile', 'Borel']]
const paper: Publication = {
  ...journal,
  authors,
  cites: [{ doi: '10.1000/old.1', pmid: '111', openalex: 'W11' }, { doi: '10.1000/old.2', openalex: 'W12' }],
  citedBy: 7
}

t.test('citations', async t => {
  const other = only({ doi: '10.1000/other.1', openalex: 'W99' }, {
    title: 'Base editing of the cornea in adult mice', cites: [{ doi: '10.1000/old.2', openalex: 'W12' }]
  })
  const { user, service, project, fetchNow } = await startSources(t, [paper, other])
  const { db } = user.context
  const id = await project(sourcesNamed('pubmed', 'europepmc', 'openalex', 'crossref'))
  await fetchNow(id)
  const stored = async (doi: string) => await db.selectFrom('paper_citation').innerJoin('paper', 'paper.id', 'paper_citation.paper_id')
    .select(['paper.id', 'cited', 'cited_by', 'authors', 'metadata']).where('doi', '=', doi).executeTakeFirst()

  t.test('of all sources are united', async t => {
    const row = await stored(paper.doi!)
    t.same([...row!.cited].sort(), ['10.1000/old.1', '10.1000/old.2', '111', 'W11', 'W12'])
    t.equal(row!.cited_by, 7)
    t.match(row!.authors, [{ name: 'Ada Lovelace', ...person }, { name: 'Émile Borel' }])
    t.match((await feedOf(user, id)).find(({ paper: { doi } }) => doi === paper.doi)!.paper.authors, [{ orcid: person.orcid }])
  })

  t.test('do not change when they are fetched again, and grow when a source states more', async t => {
    const versions = async () => (await sql`select xmin::text, xmax::text from paper_citation order by paper_id`.execute(db)).rows
    const before = await versions()
    await fetchNow(id)
    t.same(await versions(), before, 'no row was written or locked')
    const row = await stored(paper.doi!)
    await addCitations(db, [{ paper_id: row!.id, cited: ['W11', 'W13'], cited_by: 3 }])
    t.match(await stored(paper.doi!), { cited: [...row!.cited, 'W13'], cited_by: 7 })
    await addCitations(db, [{ paper_id: row!.id, cited: Array.from({ length: 1000 }, (_, at) => `W${at + 100}`), cited_by: null }])
    t.equal((await stored(paper.doi!))!.cited.length, 1003, 'the references by DOI and PMID have a limit of their own')
    t.same(await addCitations(db, [{ paper_id: row!.id, cited: ['W9001'], cited_by: null }]), [], 'there is no room for it')
    const gaining = await addCitations(db, [{ paper_id: row!.id, cited: ['W9001', '112'], cited_by: null }])
    t.same(gaining, [{ id: row!.id, bytes: '112 '.length }])
    t.equal((await stored(paper.doi!))!.cited.at(-1), '112')
  })

  t.test('in another order are compared without comparing each with each', async t => {
    const reader = await service.user()
    const feed = await feedOf(reader, await projectWith(reader, Array.from({ length: 60 }, (_each, at) => ({ title: `Review ${at}` }))))
    const citationsOf = (order: (ids: string[]) => string[]) => feed.map(({ paper }, number) => ({
      paper_id: paper.id,
      cited: ['W', '10.1000/', ''].flatMap(kind => order(Array.from({ length: 1000 }, (_each, at) => `${kind}${number * 1000 + at + 1}`))),
      cited_by: null
    }))
    await addCitations(db, citationsOf(ids => ids))
    // One that is slow can be chance.
    let fastestMs = Infinity
    for (let tries = 0; tries < 3 && fastestMs >= 2000; tries++) {
      const began = performance.now()
      t.same(await addCitations(db, citationsOf(ids => ids.reverse())), [])
      fastestMs = Math.min(fastestMs, performance.now() - began)
    }
    t.ok(fastestMs < 2000, `${fastestMs} ms`)
  })

  t.test('of imported files stay with the papers of the account', async t => {
    const stranger = await service.user()
    const article = (pmid: string, title: string) =>
      `<PubmedArticle><MedlineCitation><PMID>${pmid}</PMID><Article><ArticleTitle>${title}</ArticleTitle></Article></MedlineCitation>` +
      '<PubmedData><ReferenceList><Reference><ArticleIdList><ArticleId IdType="doi">10.1000/invented</ArticleId></ArticleIdList>' +
      '</Reference></ReferenceList></PubmedData></PubmedArticle>'
    const file = join(t.testdir(), 'records.xml')
    const articles = [article(paper.pmid!, paper.title), article('990000777', 'Unknown to sources')]
    writeFileSync(file, `<PubmedArticleSet>${articles.join('')}</PubmedArticleSet>`)
    const before = await stored(paper.doi!)
    const project_id = await projectWith(stranger, [])
    t.match(await papersImport.run(stranger.context, { project_id, files: [file] }), { created: 2 })
    t.same(await stored(paper.doi!), before, 'a shared paper keeps what sources state')
    const own = await db.selectFrom('paper_citation').innerJoin('paper', 'paper.id', 'paper_citation.paper_id')
      .select(['account_id', 'title']).where(sql<boolean>`cited @> '{10.1000/invented}'`).execute()
    t.same(own, [{ account_id: stranger.context.account.id, title: 'Unknown to sources' }])
  })

  t.test('are exported, and stay with merged papers until these are deleted', async t => {
    const rows: unknown[] = []
    for await (const batch of readAccountRows(db, user.context.account.id, 'paper_citation')) rows.push(...batch)
    t.equal(rows.length, 2)
    const stranger = await service.user()
    for await (const batch of readAccountRows(db, stranger.context.account.id, 'paper_citation')) t.fail(`exported ${batch.length}`)
    const [kept, gone] = [await stored(other.doi!), await stored(paper.doi!)]
    await db.transaction().execute(transaction => mergePapers(transaction, kept!.id, gone!.id))
    t.match(await stored(other.doi!), { cited_by: 7 })
    t.ok((await stored(other.doi!))!.cited.length > 900)
    await db.deleteFrom('paper').execute()
    t.same(await db.selectFrom('paper_citation').selectAll().execute(), [])
  })
})
