import t from 'tap'
import { sql } from 'kysely'
import { searchStorage } from '../../db/queries/search-storage.js'
import { feedsExport } from '../../src/operations/feed/feeds-export.js'
import { feedsGet } from '../../src/operations/feed/feeds-get.js'
import { compact } from '../../src/search/compaction.js'
import { decodeNames, encodeNames, findNames, mergeNames } from '../../src/search/names.js'
import { explainSelects } from '../support/plans.js'
import { projectWith, testService } from '../support/service.js'

const rows = [
  { number: 12, venue: 'Nature\tReviews', authors: [{ name: 'Ana Böhm' }, { name: 'Bo Li' }] },
  { number: 13, venue: null, authors: [] },
  { number: 140, venue: 'Neuron', authors: [{ name: 'CY Twombly' }] },
  { number: 141, venue: null, authors: [{ name: 'Jo Haber-Boehm' }] }
]

t.test('the names of a segment', async t => {
  const find = (parts: readonly Uint8Array[], filter: Parameters<typeof findNames>[1]) =>
    parts.flatMap(bytes => findNames(decodeNames(bytes), filter))
  const parts = encodeNames(rows)!

  t.test('are found by any part, whatever its case, each in its own field', async t => {
    for (const [filter, numbers] of [
      [{ author: 'BÖHM' }, [12, 141]], [{ author: 'bohm' }, [12]], [{ author: 'Boehm' }, [12, 141]], [{ author: 'Joe' }, []],
      [{ author: 'wom' }, [140]], [{ author: 'n' }, [12]], [{ author: 'li' }, [12]],
      [{ author: 'Böhm Bo' }, []], [{ author: 'neuron' }, []], [{ author: '1' }, []], [{ author: '%' }, []],
      [{ venue: 'n' }, [12, 140]], [{ venue: '14' }, []], [{ venue: 'nature\treviews' }, [12]], [{ venue: 'twombly' }, []],
      [{ venue: 'n', author: 'cy' }, [140]], [{ venue: 'cy', author: 'cy' }, []]
    ] as const) t.strictSame(find(parts, filter), numbers, JSON.stringify(filter))
    t.strictSame(find(encodeNames([])!, { author: 'a' }), [])
  })

  t.test('are split into parts, and merged without former documents', async t => {
    const many = Array.from({ length: 9000 }, (_each, number) => ({ number, venue: 'V', authors: [{ name: `Author ${number} ${'x'.repeat(80)}` }] }))
    const [one, other] = [encodeNames(many.slice(0, 5000))!, encodeNames(many.slice(5000))!]
    t.ok(one.length > 1)
    const merged = mergeNames([...one, ...other], new Set([7, 8999]))!
    t.ok(merged.every(bytes => bytes.length < 300_000))
    t.strictSame(find(merged, { author: 'author' }), many.map(({ number }) => number).filter(number => number !== 7 && number !== 8999))
  })

  t.test('are left out where they would be too large', async t => {
    const authors = [{ name: 'x'.repeat(500_000) }]
    t.equal(encodeNames(Array.from({ length: 70 }, (_each, number) => ({ number, venue: null, authors }))), undefined)
  })
})

t.test('a filter by names', async t => {
  const service = await testService(t)
  const user = await service.user()
  const { context, context: { db } } = user
  const papers = Array.from({ length: 300 }, (_each, at) =>
    ({ title: `Paper ${at}`, authors: [{ name: `Author ${at}` }], venue_name: `Venue ${at % 7}` }))
  const one = await projectWith(user, papers, { name: 'One' })
  await projectWith(user, papers.slice(0, 20), { name: 'Other' })
  const titles = async (input: object) =>
    (await feedsGet.run(context, { limit: 100, sort: 'best', ...input })).items.map(({ paper_title }) => paper_title).sort()
  await feedsGet.run(context, { author: 'x' })
  await sql`vacuum analyze`.execute(db)

  await t.test('reads no papers but those of the page', async t => {
    for (const filter of [{ author: 'author 29' }, { venue: 'nue 3', author: '17' }, { author: 'author 29', q: 'paper' }]) {
      const statements = await explainSelects(db, recorded => feedsGet.run({ ...context, db: recorded }, { ...filter, limit: 5 }))
      t.ok(statements.length > 0)
      t.notOk(statements.some(({ sql }) => /position\(|jsonb_array_elements/.test(sql)), JSON.stringify(filter))
    }
    t.strictSame(await titles({ author: 'AUTHOR 29' }), ['Paper 29', ...Array.from({ length: 10 }, (_each, at) => `Paper 29${at}`)])
    t.strictSame(await titles({ author: 'hor 19', q: 'paper' }), ['Paper 19', 'Paper 19', ...Array.from({ length: 10 }, (_each, at) => `Paper 19${at}`)])
  })

  await t.test('takes no notice of case, accents and typographic signs, with and without the index', async t => {
    const names = [
      'Ana Böhm', 'Łukasz Ørsted', 'Jean‐Luc O’Neill', 'Ægir Þórðarson', 'Weißmann', 'Иван Йорк', '김민지', 'Γεώργιος', 'ΓΕΏΡΓΙΟΣ Β'
    ]
    const papers = names.map(name => ({ title: name, authors: [{ name }], venue_name: `Revista de Psicología ${name}` }))
    const feed = await projectWith(user, papers, { name: 'Names' })
    const scan = async (papers: { author?: string, venue?: string }) => {
      const ids = (await db.selectFrom('project_paper').select('id').where('project_id', '=', feed).execute()).map(({ id }) => id)
      return await searchStorage(db).filterItems({ accountId: context.account.id, projectId: feed }, ids, { papers })
    }
    for (const [part, count] of [
      ['BÖHM', 1], ['ana bohm', 1], ['lukasz orsted', 1], ['ŁUKASZ', 1], ['jean-luc o\'neill', 1], ['Jean‑Luc', 1], ['aegir thor', 1],
      ['weissmann', 1], ['иван йорк', 1], ['김민', 1], ['γεωργιο', 2], ['γεώργιος', 2],
      ['ΓΕΏΡΓΙΟΣ', 2], ['WEIẞMANN', 1], ['bo hm', 0]
    ] as const) {
      for (const filter of [{ author: part }, { venue: part }]) {
        t.equal((await feedsGet.run(context, { project_id: feed, ...filter })).total, count, `index: ${JSON.stringify(filter)}`)
        t.equal((await scan(filter)).length, count, `scan: ${JSON.stringify(filter)}`)
      }
    }
  })

  await t.test('finds an author under both spellings of a vowel with marks, with and without the index', async t => {
    const names = ['Ada Müller', 'Bo Mueller', 'Cy Muller', 'Søren Kjær', 'Soeren Aas', 'John Joergensen', 'Joe Doe']
    const feed = await projectWith(user, names.map(name => ({ title: name, authors: [{ name }] })), { name: 'Spellings' })
    for (const [author, expected] of [
      ['Mueller', ['Ada Müller', 'Bo Mueller', 'Cy Muller']], ['Müller', ['Ada Müller', 'Bo Mueller', 'Cy Muller']],
      ['muller', ['Ada Müller', 'Cy Muller']], ['soeren', ['Soeren Aas', 'Søren Kjær']], ['JØRGENSEN', ['John Joergensen']],
      ['joe', ['Joe Doe', 'John Joergensen']], ['doe', ['Joe Doe']]
    ] as const) {
      const found = await feedsGet.run(context, { project_id: feed, author })
      t.strictSame(found.items.map(({ paper_title }) => paper_title).sort(), expected, author)
      const ids = (await db.selectFrom('project_paper').select('id').where('project_id', '=', feed).execute()).map(({ id }) => id)
      const scanned = await searchStorage(db).filterItems({ accountId: context.account.id, projectId: feed }, ids, { papers: { author } })
      t.equal(scanned.length, expected.length, `scan: ${author}`)
    }
  })

  await t.test('states the total with and without other filters, and is exported', async t => {
    for (const filter of [{}, { feedback_filter: 'unrated' }, { year_to: 2030 }, { as_of: '2999-01-01T00:00:00Z' }] as const) {
      const { total, items } = await feedsGet.run(context, { author: 'author 1', limit: 3, ...filter })
      if ('year_to' in filter) t.strictSame([total, items.length], [0, 0])
      else t.strictSame([total, items.length], [122, 3], JSON.stringify(filter))
    }
    const { parts } = await feedsExport.run(context, { format: 'ris', author: 'author 299' })
    let text = ''
    for await (const part of parts) text += part
    t.strictSame(text.match(/Paper \d+/g), ['Paper 299'])
  })

  await t.test('follows changes of venues and authors, also through compaction', async t => {
    await sql`update paper set venue_name = 'Elsewhere' where title = 'Paper 5'`.execute(db)
    await sql`update paper set authors = '[{"name": "Somebody"}]' where title = 'Paper 6'`.execute(db)
    const check = async () => {
      t.strictSame(await titles({ venue: 'elsewhere' }), ['Paper 5', 'Paper 5'])
      t.strictSame(await titles({ author: 'someb' }), ['Paper 6', 'Paper 6'])
      t.strictSame(await titles({ author: 'author 6', project_id: one, venue: 'venue 6' }), ['Paper 62', 'Paper 69'])
    }
    await check()
    const countSegments = async () => (await db.selectFrom('search_segment').select('id').where('project_id', '=', one).execute()).length
    await sql`update paper set venue_name = 'Nowhere' where title = 'Paper 8'`.execute(db)
    t.strictSame(await titles({ venue: 'nowhere' }), ['Paper 8', 'Paper 8'])
    const before = await countSegments()
    await compact(searchStorage(db), one)
    t.ok(await countSegments() < before)
    await check()
  })

  await t.test('looks at the papers where the index has no names', async t => {
    await sql`update search_segment set name_parts = null`.execute(db)
    t.strictSame(await titles({ author: 'author 299' }), ['Paper 299'])
    t.strictSame(await titles({ author: 'author 299', q: 'paper' }), ['Paper 299'])
    await sql`update paper set venue_name = 'Anywhere' where title = 'Paper 7'`.execute(db)
    t.strictSame(await titles({ venue: 'anywhere' }), ['Paper 7', 'Paper 7'])
    for (const id of await searchStorage(db).listIndexedProjects()) await compact(searchStorage(db), id)
    t.strictSame(await titles({ author: 'author 298' }), ['Paper 298'])
  })
})
