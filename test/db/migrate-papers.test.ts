import { createHash, randomUUID } from 'node:crypto'
import t from 'tap'
import { Migrator, sql } from 'kysely'
import { migrate } from '../../db/migrate.js'
import { convertRows } from '../../db/migrations/2026-11-27-papers.js'
import { convertRow as convertFoundPaper } from '../../db/migrations/2026-12-22-import-sources.js'
import { migrations } from '../../db/migrations/index.js'
import { upgradeRows } from '../../db/queries/backup.js'
import { listItems } from '../../db/queries/feed.js'
import { searchStorage } from '../../db/queries/search-storage.js'
import { indexAllPending } from '../../src/search/indexing.js'
import { searchFeed } from '../../src/search/search.js'
import { decodeTombstones, tombstonesPart } from '../../src/search/segment.js'
import { formerTitleKeyOf } from '../../src/papers/identity.js'
import { up as noteSearchNames } from '../../db/migrations/2027-02-17-search-names.js'
import { readMetadata } from '../../src/papers/metadata.js'
import { migrationDatabase } from '../support/migrations.js'

t.test('migrations of papers', async t => {
  const { db, empty } = await migrationDatabase(t)
  /** Runs the migrations before one that indexes all papers again. */
  const migrateBeforeReindexing = async () => {
    const older = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '2027-02-10-search-words'))
    await new Migrator({ db, provider: { getMigrations: async () => older } }).migrateToLatest()
  }

  t.test("remove publishers' markup from stored papers, which are indexed again", async t => {
    await empty()
    const older = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '2027-01-21-markup'))
    await new Migrator({ db, provider: { getMigrations: async () => older } }).migrateToLatest()
    const texts = [
      ['The <scp>SHAP</scp> guide', null],
      ['On <T>', 'If a < b, <tex-math notation="LaTeX">$H_1$ </tex-math> holds.\n\nSo.'],
      ['On <T> and </T>', 'a < b']
    ]
    await sql`
      with owner as (insert into account (email, password_hash) values ('owner@example.org', '') returning id),
        made as (insert into project (account_id, name) select id, 'Old' from owner returning id),
        papers as (insert into paper (slug, title, abstract, authors, source_name, metadata, title_key)
          select 'old', title, abstract, '[]', 'x', '{}', title
          from jsonb_to_recordset(${JSON.stringify(texts.map(([title, abstract]) => ({ title, abstract })))}::jsonb)
            given (title text, abstract text) returning id)
      insert into project_paper (project_id, paper_id, relevance_score, relevance_class) select made.id, papers.id, 0, 'related'
        from made, papers`.execute(db)
    await sql`delete from search_pending`.execute(db)
    await migrateBeforeReindexing()
    const rows = await db.selectFrom('paper').select(['title', 'abstract']).execute()
    t.strictSame(rows.map(({ title, abstract }) => [title, abstract]).sort(), [
      ['On <T> and </T>', 'a < b'],
      ['On <T>', 'If a < b, $H_1$ holds.\n\nSo.'],
      ['The SHAP guide', null]
    ])
    t.equal((await db.selectFrom('search_pending').select('item_id').execute()).length, 2)
  })

  t.test('store ids of arXiv as arXiv states them', async t => {
    await empty()
    const older = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '2027-01-22-arxiv-ids'))
    await new Migrator({ db, provider: { getMigrations: async () => older } }).migrateToLatest()
    for (const id of ['math.GT/0309136', 'hep-th/9901001', '2401.01234']) {
      await sql`insert into paper (slug, title, authors, source_name, metadata, title_key, arxiv_id)
        values ('s', 't', '[]', 'x', '{}', ${id}, ${id})`.execute(db)
    }
    await migrate(db)
    const rows = await db.selectFrom('paper').select('arxiv_id').execute()
    t.strictSame(rows.map(({ arxiv_id }) => arxiv_id).sort(), ['2401.01234', 'hep-th/9901001', 'math/0309136'])
  })

  t.test("remove publishers' markup and store ids of arXiv as arXiv states them, also in backups", async t => {
    await empty()
    await migrate(db)
    await sql`insert into paper (slug, title, authors, source_name, metadata, title_key, arxiv_id)
      values ('s', 'The <scp>SHAP</scp> guide', '[]', 'x', '{}', 't', 'math.GT/0309136')`.execute(db)
    for (const [version, title, arxiv_id] of [
      ['2027-01-22-arxiv-ids', 'The <scp>SHAP</scp> guide', 'math.GT/0309136'],
      ['2027-01-21-markup', 'The <scp>SHAP</scp> guide', 'math/0309136'],
      ['2027-01-21-lookup-visibility', 'The SHAP guide', 'math/0309136']
    ] as const) {
      await upgradeRows(db, version)
      t.strictSame(await db.selectFrom('paper').select(['title', 'arxiv_id']).execute(), [{ title, arxiv_id }], version)
    }
  })

  t.test('keep what an import alone stated', async t => {
    await empty()
    const older = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '2026-12-22-import-sources'))
    await new Migrator({ db, provider: { getMigrations: async () => older } }).migrateToLatest()
    const { rows: [{ id } = {}] } = await sql<{ id: string }>`
      with owner as (insert into account (email, password_hash) values ('owner@example.org', '') returning id),
        made as (insert into project (account_id, name) select id, 'Old' from owner returning id, account_id)
      insert into library_import (account_id, project_id, file_name, created_at) select account_id, id, 'a.ris', now() from made
      returning id`.execute(db)
    await sql`
      with papers as (insert into paper (slug, title, authors, source_name, metadata, title_key)
        select 'old', 'Old paper ' || n, '[]', 'x', '{}', n::text from generate_series(1, 3) n returning id, title_key)
      insert into found_paper (project_id, paper_id, sources, found_at, import_id, import_sources)
        select library_import.project_id, papers.id, given.sources::text[], now() + title_key::integer * interval '1 s',
          case when given.import_sources is not null then library_import.id end, coalesce(given.import_sources, '{}')::text[]
        from library_import, papers join (values ('1', '{pubmed}', null), ('2', '{pubmed,ris}', '{ris}'), ('3', '{ris}', '{}'))
          given (title_key, sources, import_sources) using (title_key)`.execute(db)
    const { rows: before } = await sql<Record<string, unknown>>`select * from found_paper order by found_at`.execute(db)
    await migrate(db)
    const rows = await db.selectFrom('found_paper').selectAll().orderBy('found_at').execute()
    t.strictSame(rows.map(({ sources, fetched_sources, imports }) => [sources, fetched_sources, imports]), [
      [['pubmed'], ['pubmed'], {}],
      [['pubmed', 'ris'], ['pubmed'], { [id!]: ['ris'] }],
      [['ris'], ['ris'], {}]
    ])
    t.strictSame(before.map(convertFoundPaper), rows, 'as rows of backups')
  })

  t.test('mark the papers of an older database for search indexing', async t => {
    await empty()
    const older = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '2026-11-22-search'))
    await new Migrator({ db, provider: { getMigrations: async () => older } }).migrateToLatest()
    const { rows: [made] } = await sql<{ project_id: string, account_id: string }>`
      with owner as (insert into account (email, password_hash) values ('old@example.org', '') returning id),
        made as (insert into project (account_id, name) select id, 'Old' from owner returning id, account_id),
        papers as (insert into paper (slug, title, authors, source_name, metadata, title_key)
          select 'old', 'Old paper ' || n, '[]', 'x', '{}', n::text from generate_series(1, 700) n returning id)
      insert into project_paper (project_id, paper_id, relevance_score, relevance_class, search_vector)
        select made.id, papers.id, 0, 'related', '' from made, papers returning project_id, (select account_id from made)`.execute(db)
    await migrate(db)
    const storage = searchStorage(db)
    await indexAllPending(storage)
    t.strictSame(await db.selectFrom('search_pending').selectAll().execute(), [])
    const feed = { accountId: made!.account_id, projectId: made!.project_id }
    const page = await searchFeed(storage, feed, { terms: ['old', 'paper', '321'] }, { limit: 5, offset: 0 })
    t.equal(page!.items[0]!.hasAllTerms, true)
    t.match(await listItems(db, feed.accountId, [page!.items[0]!.id]), [{ title: 'Old paper 321' }])
    t.equal((await searchFeed(storage, feed, { terms: ['old'] }, { limit: 5, offset: 695 }))!.items.length, 5)
    t.equal(
      await searchFeed(storage, { ...feed, accountId: randomUUID() }, { terms: ['old'] }, { limit: 5, offset: 0 }),
      undefined,
      'another account finds nothing'
    )
  })

  t.test('index papers with LaTeX again, and no others', async t => {
    await empty()
    const older = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '2027-01-02-displayed-words'))
    await new Migrator({ db, provider: { getMigrations: async () => older } }).migrateToLatest()
    await sql`
      with owner as (insert into account (email, password_hash) values ('old@example.org', '') returning id),
        made as (insert into project (account_id, name) select id, 'Old' from owner returning id),
        papers as (insert into paper (slug, title, abstract, authors, source_name, metadata, title_key)
          select title, title, abstract, authors::jsonb, 'x', '{}', title
            from (values ('plain', 'Plain {words} \`of\` 50 %', '[]'), ('formula', '$x$', '[]'), ('command', '\\alpha', '[]'),
              ('quotes', '\`\`a''''', '[]'), ('author', null, '[{"name": "Erd\\\\H os"}]')) given (title, abstract, authors)
          returning id)
      insert into project_paper (project_id, paper_id, relevance_score, relevance_class)
        select made.id, papers.id, 0, 'related' from made, papers`.execute(db)
    await sql`delete from search_pending`.execute(db)
    await migrateBeforeReindexing()
    const { rows } = await sql<{ title: string }>`select title from search_pending join project_paper on project_paper.id = item_id
      join paper on paper.id = paper_id order by title`.execute(db)
    t.strictSame(rows.map(({ title }) => title), ['author', 'command', 'formula', 'quotes'])
  })

  t.test('index all papers again when their words change', async t => {
    await empty()
    await migrateBeforeReindexing()
    await sql`
      with owner as (insert into account (email, password_hash) values ('old@example.org', '') returning id),
        made as (insert into project (account_id, name) select id, 'Old' from owner returning id),
        papers as (insert into paper (slug, title, authors, doi, source_name, metadata, title_key)
          select title, title, '[]', doi, 'x', '{}', title
            from (values ('plain', null), ('doi', '10.1000/1')) given (title, doi)
          returning id)
      insert into project_paper (project_id, paper_id, relevance_score, relevance_class)
        select made.id, papers.id, 0, 'related' from made, papers`.execute(db)
    await sql`delete from search_pending`.execute(db)
    await migrate(db)
    const { rows } = await sql<{ title: string }>`select title from search_pending join project_paper on project_paper.id = item_id
      join paper on paper.id = paper_id order by title`.execute(db)
    t.strictSame(rows.map(({ title }) => title), ['doi', 'plain'])
    await sql`delete from search_pending`.execute(db)
    await noteSearchNames(db)
    await noteSearchNames(db)
    t.equal((await db.selectFrom('search_pending').select('item_id').execute()).length, 2, 'each once')
  })

  t.test('give the search index the names of papers, and index papers again whose venue changes', async t => {
    await empty()
    const older = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '2027-01-03-names'))
    await new Migrator({ db, provider: { getMigrations: async () => older } }).migrateToLatest()
    const { rows: [made] } = await sql<{ account: string, project: string }>`
      with owner as (insert into account (email, password_hash) values ('old@example.org', '') returning id)
      insert into project (account_id, name) select id, 'Old' from owner returning account_id as account, id as project`.execute(db)
    const addPaper = async (number: number, venue: string | null, authors: object[]) => await sql`
      with paper as (insert into paper (slug, title, authors, venue_name, source_name, metadata, title_key)
          values (${number}, ${number}, ${JSON.stringify(authors)}::jsonb, ${venue}, 'x', '{}', '') returning id),
        item as (insert into project_paper (project_id, paper_id, relevance_score, relevance_class)
          select ${made!.project}, id, 0, 'related' from paper returning id)
      insert into search_document (project_id, item_id, number) select ${made!.project}, id, ${number} from item`.execute(db)
    await addPaper(5, 'Nature\tReviews', [{ name: 'Ana Böhm' }, { name: 'Bo Li' }])
    await addPaper(7, null, [])
    await addPaper(9, 'Neuron', [{ name: 'Cy' }])
    await sql`insert into search_segment (project_id, live, first_number, documents, words)
      values (${made!.project}, true, 4, 3, 3), (${made!.project}, true, 8, 1, 1), (${made!.project}, true, 10, 1, 1)`.execute(db)
    await migrate(db)
    const { rows } = await sql<{ name_parts: number, part: number | null, text: string | null }>`
      select name_parts, part, convert_from(bytes, 'UTF8') as text
      from search_segment left join search_block on segment_id = id order by first_number`.execute(db)
    t.strictSame(rows, [
      { name_parts: 1, part: -3, text: '5\tNature Reviews\tAna Böhm\u001fBo Li\n7\t\t' },
      { name_parts: 1, part: -3, text: '9\tNeuron\tCy' },
      { name_parts: 0, part: null, text: null }
    ])
    await sql`delete from search_pending`.execute(db)
    await sql`update paper set venue_name = 'eLife' where venue_name = 'Neuron'`.execute(db)
    t.equal((await db.selectFrom('search_pending').selectAll().execute()).length, 1)
  })

  t.test('move the tombstones of each feed into its last segment', async t => {
    await empty()
    const older = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '2027-01-27-tombstone-parts'))
    await new Migrator({ db, provider: { getMigrations: async () => older } }).migrateToLatest()
    const { rows: projects } = await sql<{ id: string }>`
      with owner as (insert into account (email, password_hash) values ('old@example.org', '') returning id)
      insert into project (account_id, name) select id, name from owner, unnest(array['One', 'Other', 'Empty']) as name
      returning id`.execute(db)
    const [one, other, empty_] = projects.map(({ id }) => id)
    await sql`insert into search_segment (project_id, live, first_number, documents, words)
      values (${one}, true, 70000, 1, 1), (${one}, true, 4, 3, 3), (${one}, false, 80000, 1, 1), (${other}, true, 9, 1, 1)`.execute(db)
    await sql`insert into search_tombstone (project_id, number)
      values (${one}, 66051), (${one}, 5), (${other}, 8), (${empty_}, 3)`.execute(db)
    await migrate(db)
    const { rows } = await sql<{ first_number: number, tombstones: number, part: number | null, bytes: Buffer | null }>`
      select first_number, tombstones, part, bytes
      from search_segment left join search_block on segment_id = id order by first_number`.execute(db)
    t.strictSame(rows.map(({ bytes, ...row }) => ({ ...row, numbers: bytes === null ? null : [...decodeTombstones(bytes)] })), [
      { first_number: 4, tombstones: 0, part: null, numbers: null },
      { first_number: 9, tombstones: 1, part: tombstonesPart, numbers: [8] },
      { first_number: 70_000, tombstones: 2, part: tombstonesPart, numbers: [5, 66_051] },
      { first_number: 80_000, tombstones: 0, part: null, numbers: null }
    ])
    await db.deleteFrom('project').execute()
    t.strictSame(await db.selectFrom('search_segment').selectAll().execute(), [])
  })

  t.test('date papers that left a feed as late as they may have', async t => {
    await empty()
    const older = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '2027-01-12-left-items'))
    await new Migrator({ db, provider: { getMigrations: async () => older } }).migrateToLatest()
    await sql`
      with owner as (insert into account (email, password_hash) values ('left@example.org', '') returning id),
        projects as (
          insert into project (account_id, name, weekly_limit, settings_changed_at)
          select id, name, weekly, changed from owner, (values ('changed', 0, timestamptz '2026-01-05Z'), ('limited', 5, null), ('same', 0, null))
            given (name, weekly, changed) returning id, weekly_limit),
        papers as (insert into paper (slug, title, authors, source_name, metadata, title_key)
          select title, title, '[]', 'x', '{}', title from (values ('One'), ('Two')) given (title) returning id, title)
      insert into candidate (project_id, paper_id, relevance_score, found_at, item_id)
      select projects.id, papers.id, 0, '2026-01-01Z', case when title = 'One' then gen_random_uuid() end from projects, papers
      where weekly_limit = 0`.execute(db)
    await migrate(db)
    const changed = new Date('2026-01-06Z')
    t.match(await db.selectFrom('project').select(['name', 'items_left_at']).orderBy('name').execute(),
      [{ name: 'changed', items_left_at: changed }, { name: 'limited', items_left_at: Date }, { name: 'same', items_left_at: null }])
    const left = await db.selectFrom('candidate').innerJoin('project', 'project.id', 'project_id').select(['item_id', 'left_at'])
      .where('name', '=', 'changed').orderBy('item_id').execute()
    t.match(left, [{ item_id: String, left_at: changed }, { item_id: null, left_at: null }])
  })

  t.test('move journal-feed papers to their only reader and remove feed addresses', async t => {
    await empty()
    const older = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '2026-11-25-feed-papers'))
    await new Migrator({ db, provider: { getMigrations: async () => older } }).migrateToLatest()
    await sql`
      with accounts as (insert into account (email, password_hash) values ('one@example.org', ''), ('two@example.org', '')
        returning id, email),
        projects as (insert into project (account_id, name) select id, email from accounts returning id, name),
        papers as (
          insert into paper (slug, title, authors, source_name, source_paper_id, metadata, title_key)
          select title, title, '[]', source, case source when 'feed'
          then 'https://feed.example.org/?token=private ' || title end,
            '{"feed": "https://feed.example.org/?token=private", "volume": "7"}', title
          from (values ('alone', 'feed'), ('both', 'feed'), ('nobody', 'feed'), ('noted', 'feed'), ('indexed', 'pubmed')) as listed (title,
          source) returning id, title),
        items as (
          insert into project_paper (project_id, paper_id, relevance_score, relevance_class)
          select projects.id, papers.id, 0, 'related' from projects, papers
          where (title in ('alone', 'both', 'indexed') and name = 'one@example.org') or (title = 'both' and name = 'two@example.org'))
      insert into candidate (project_id, paper_id, relevance_score) select projects.id, papers.id, 0 from projects, papers
        where title = 'noted' and name = 'two@example.org'`.execute(db)
    await migrate(db)
    const { rows } = await sql<{ title: string, email: string | null, source_paper_id: string | null, metadata: object }>`
      select title, email, source_paper_id, metadata from paper left join account on account.id = paper.account_id
      order by title`.execute(db)
    t.strictSame(
      rows.map(({ title, email }) => [title, email]),
      [
        ['alone', 'one@example.org'],
        ['both', null],
        ['indexed', null],
        ['noted', 'two@example.org']
      ]
    )
    t.notMatch(JSON.stringify(rows), /token/)
    t.match(rows[0], {
      metadata: { volume: '7' },
      source_paper_id: createHash('sha256').update('https://feed.example.org/?token=private alone').digest('hex')
    })
  })

  t.test('convert stored metadata and matching details without loss', async t => {
    await empty()
    const older = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '2026-11-27-papers'))
    await new Migrator({ db, provider: { getMigrations: async () => older } }).migrateToLatest()
    const full = {
      terms: [{ term: 'sleep', weight: 0.2, from: 'feedback' }],
      positive_keywords: [],
      negative_keywords: [],
      liked_paper: null,
      learned_from: { liked: 1, disliked: 0 },
      excluded: true
    }
    const [noReasons, none] = [
      {
        terms: [],
        positive_keywords: [],
        negative_keywords: [],
        liked_paper: null,
        learned_from: { liked: 0, disliked: 0 },
        excluded: false
      },
      { metadata: {}, details: full }
    ]
    const rows: Array<{ title: string, metadata: object, details: object, then: { metadata: object, details: object } }> = [
      {
        title: 'first version',
        metadata: { volume: 3, keywords: 'sleep', shelf: { row: 1 } },
        details: { terms: ['sleep'], positive_keywords: ['nap'], negative_keywords: [] },
        then: {
          metadata: { volume: '3', keywords: ['sleep'], shelf: { row: 1 } },
          details: { ...noReasons, terms: [{ term: 'sleep', weight: 0, from: 'interest' }], positive_keywords: ['nap'] }
        }
      },
      {
        title: 'in form',
        metadata: { volume: '3', version: 2, keywords: [], isbn: ['1'] },
        details: full,
        then: { metadata: { volume: '3', version: 2, keywords: [], isbn: ['1'] }, details: full }
      },
      { title: 'no reasons', metadata: {}, details: {}, then: { metadata: {}, details: noReasons } },
      {
        title: 'odd values',
        metadata: { volume: ['3', '4'], keywords: ['a', 1, {}], version: -1, preprint: 'no', isbn: 9, pages: null, other: ['x'] },
        details: full,
        then: {
          ...none,
          metadata: {
            volume: '3',
            keywords: ['a', '1'],
            isbn: '9',
            other: { volume: ['3', '4'], keywords: ['a', 1, {}], version: -1, preprint: 'no', other: ['x'] }
          }
        }
      }
    ]
    await sql`
      with owner as (insert into account (email, password_hash) values ('one@example.org', '') returning id),
        made as (insert into project (account_id, name) select id, 'One' from owner returning id),
        former as (select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row (title text, metadata jsonb, details jsonb)),
        papers as (insert into paper (slug, title, authors, source_name, metadata, title_key) select 's', title, '[]', 'x', metadata, title
          from former returning id, title)
      insert into project_paper (project_id, paper_id, relevance_score, relevance_class, matching_details)
      select made.id, papers.id, 0, 'related', details from made, papers join former using (title)`.execute(db)
    const stored = async () =>
      (
        await sql<{ title: string, metadata: object, details: object }>`
      select title, metadata, matching_details as details from paper join project_paper on paper_id = paper.id order by title`.execute(db)
      ).rows
    await migrate(db)
    t.strictSame(
      await stored(),
      rows.map(({ title, then: { metadata, details } }) => ({ title, metadata, details }))
    )
    for (const { title, metadata } of rows) {
      t.strictSame(
        readMetadata({ ...metadata }),
        (await stored()).find(each => each.title === title)!.metadata,
        "as a file's metadata is read"
      )
    }
    await convertRows(db)
    t.strictSame(
      await stored(),
      rows.map(({ title, then: { metadata, details } }) => ({ title, metadata, details })),
      'and twice has the effect of once'
    )
  })

  t.test('remove invisible characters and reindex the papers', async t => {
    await empty()
    const older = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '2026-11-28-visible-text'))
    await new Migrator({ db, provider: { getMigrations: async () => older } }).migrateToLatest()
    const persian = 'می\u200Cخواهم'
    const papers = [
      {
        title: 'Deep\u{E0041}\u{E0042} lear\u200Bning \u202E',
        abstract: 'An \u2066abstract\u2069.',
        authors: [{ name: 'Ada\u200D Lovelace' }],
        venue_name: '\u{E0041}Venue',
        metadata: { keywords: ['sleep\u{E0020}'], other: { '\u200Bnote': 'x\u00AD' } }
      },
      { title: '\u{E0041}', abstract: null, authors: [], venue_name: null, metadata: {} },
      { title: persian, abstract: persian, authors: [{ name: persian }], venue_name: persian, metadata: { keywords: [persian] } },
      { title: 'Plain', abstract: null, authors: [], venue_name: null, metadata: {} }
    ]
    const { rows: [made] } = await sql<{ account_id: string, project_id: string }>`
      with owner as (insert into account (email, password_hash) values ('one@example.org', '') returning id),
        made as (insert into project (account_id, name) select id, 'One' from owner returning id, account_id),
        former as (select * from jsonb_to_recordset(${JSON.stringify(papers)}::jsonb) as row (title text, abstract text, authors jsonb,
          venue_name text, metadata jsonb)),
        papers as (insert into paper (slug, title, abstract, authors, published_date, venue_name, source_name, metadata, title_key)
          select 's', title, abstract, authors, '1843-01-01', venue_name, 'x', metadata, 'key ' || title from former returning id, title),
        texts as (insert into markdown (paper_id, markdown) select id, '# ' || title from papers)
      insert into project_paper (project_id, paper_id, relevance_score, relevance_class, summary)
        select made.id, papers.id, 0, 'related', 'Sum\u200Bmary' from made, papers
        returning project_id, (select account_id from made)`.execute(db)
    // As if they had been indexed.
    await sql`delete from search_pending`.execute(db)
    await migrate(db)
    const { rows } = await sql<{
      title: string
      title_key: string
    }>`select title, abstract, authors, venue_name, metadata, title_key, summary, markdown from paper
      join project_paper on paper_id = paper.id join markdown using (paper_id) order by title`.execute(db)
    t.match(
      rows.find(({ title }) => title === 'Deep learning '),
      {
        abstract: 'An abstract.',
        authors: [{ name: 'Ada Lovelace' }],
        venue_name: 'Venue',
        metadata: { keywords: ['sleep'], other: { note: 'x' } },
        summary: 'Summary',
        markdown: '# Deep learning '
      }
    )
    t.equal(
      rows.find(({ title }) => title === 'Deep learning ')!.title_key,
      formerTitleKeyOf({ title: 'Deep learning', authors: [{ name: 'Ada Lovelace' }], published_date: '1843-01-01' }),
      'a record of another file matches it'
    )
    t.match(
      rows.find(({ title }) => title === persian),
      { abstract: persian, authors: [{ name: persian }], title_key: `key ${persian}`, markdown: `# ${persian}` }
    )
    t.strictSame(rows.map(({ title }) => title).sort(), ['(no title)', 'Deep learning ', 'Plain', persian])
    await indexAllPending(searchStorage(db))
    const page = await searchFeed(
      searchStorage(db),
      { accountId: made!.account_id, projectId: made!.project_id },
      { terms: ['learning'] },
      { limit: 5, offset: 0 }
    )
    t.match(
      await listItems(
        db,
        made!.account_id,
        page!.items.map(({ id }) => id)
      ),
      [{ title: 'Deep learning ' }]
    )
  })
})
