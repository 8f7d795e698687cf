import t from 'tap'
import { feedExport } from '../../src/operations/feed/feed-export.js'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { importingUser } from '../support/import-files.js'
import { sample } from '../support/readings.js'
import { projectWith, testService } from '../support/service.js'

t.test('imported duplicates', async t => {
  const service = await testService(t)
  const { user, context, file, lines, into, titles } = await importingUser(t, service)

  t.test('the same DOI, arXiv id, PMID or source id is the same paper', async t => {
    const project_id = await projectWith(user, [])
    const pairs = [
      [{ title: 'A', doi: '10.5555/same' }, { title: 'A changed', doi: '10.5555/SAME' }],
      [{ title: 'B', external_ids: { arxiv: '2613.00002' } }, { title: 'B changed', external_ids: { arxiv: '2613.00002v3' } }],
      [{ title: 'C', external_ids: { pmid: '990000777' } }, { title: 'C changed', external_ids: { pmid: '990000777' } }],
      [{ title: 'D', source: { name: 'x' }, source_paper_id: '7' }, { title: 'D changed', source: { name: 'x' }, source_paper_id: '7' }]
    ]
    for (const [one, other] of pairs) {
      t.match(await into(project_id, lines(one!)), { created: 1 })
      t.match(await into(project_id, lines(other!)), { created: 0, updated: 1 })
    }
    t.strictSame(await titles(project_id), ['A changed', 'B changed', 'C changed', 'D changed'])
  })

  t.test('records without identifiers merge by title, first author and year; conflicting identifiers prevent it', async t => {
    const project_id = await projectWith(user, [])
    const paper = { title: 'On Sleep: a Study', authors: ['Ana Böhm'], published_date: '2026-03-01' }
    t.match(
      await into(project_id, lines(paper, { ...paper, title: 'on sleep — A STUDY', authors: ['A. Bohm'], published_date: '2026-01-01' })),
      { created: 1 }
    )
    t.match(await into(project_id, lines({ ...paper, published_date: '2025-03-01' }, { ...paper, authors: ['Someone Else'] })), {
      created: 2
    })
    t.match(await into(project_id, lines({ ...paper, doi: '10.5555/title.1' })), { created: 0, updated: 1 })
    t.match(await into(project_id, lines({ ...paper, doi: '10.5555/title.2' })), { created: 1 })
  })

  t.test('distinct records of one source stay distinct despite equal titles, also when imported again', async t => {
    const distinct: Record<string, object[]> = {
      'with source ids of their own': [
        { title: 'A note on the boundary layer', source: { name: 'collection' }, source_paper_id: '1' },
        { title: 'A note on the boundary layer', source: { name: 'collection' }, source_paper_id: '2' }
      ],
      'with source ids of their own, and title, author and year': ['1', '2'].map(source_paper_id => ({
        title: 'Annual report of the institute',
        authors: ['Ana Böhm'],
        published_date: '2026-01-01',
        source: { name: 'reports' },
        source_paper_id
      })),
      'without authors and years': [
        { title: 'Editorial', abstract: 'On spring.' },
        { title: 'Editorial', abstract: 'On autumn.' },
        { title: 'Editorial' }
      ],
      'without a year': [
        { title: 'A thesis on sleep', authors: ['Ana Böhm'], venue_name: 'Here' },
        { title: 'A thesis on sleep', authors: ['Ana Böhm'], venue_name: 'There' }
      ],
      'without authors': [
        { title: 'Proceedings of the meeting', published_date: '2026-01-01', url: 'https://example.org/a' },
        { title: 'Proceedings of the meeting', published_date: '2026-01-01', url: 'https://example.org/b' }
      ],
      'whose first author has no letters': [
        { title: 'An anonymous letter', authors: ['—'], published_date: '2026-01-01', abstract: 'One.' },
        { title: 'An anonymous letter', authors: ['—'], published_date: '2026-01-01', abstract: 'Other.' }
      ]
    }
    for (const [why, records] of Object.entries(distinct)) {
      const project_id = await projectWith(user, [])
      const path = lines(...records)
      t.match(await into(project_id, path), { created: records.length, updated: 0, unchanged: 0 }, why)
      t.match(await into(project_id, path), { created: 0, updated: 0, unchanged: records.length }, why)
    }
  })

  t.test('identical records merge even if fields are missing', async t => {
    const project_id = await projectWith(user, [])
    const note = '{"title":"A note without anything","metadata":{"shelf":-0,"size":1e400}}'
    t.match(await into(project_id, file(`${note}\n${note}`)), { created: 1, updated: 0, unchanged: 1 })
    t.match(await into(project_id, file(note)), { created: 0, updated: 0, unchanged: 1 })
  })

  t.test('records that complete a paper leave it unchanged on the second import', async t => {
    const project_id = await projectWith(user, [])
    const paper = { title: 'Sleep in three editions', authors: ['Ana Böhm'], published_date: '2026-03-01' }
    const path = lines(
      { ...paper, venue_name: 'Reprint' },
      { ...paper, doi: '10.5555/edition.1', venue_name: 'First' },
      { ...paper, doi: '10.5555/edition.2', venue_name: 'Second' }
    )
    t.match(await into(project_id, path), { created: 2 })
    t.match(await into(project_id, path), { created: 0, updated: 0, unchanged: 3 })
  })

  t.test('metadata of any JSON type is imported without loss', async t => {
    const project_id = await projectWith(user, [])
    const path = lines({
      title: 'With metadata',
      metadata: { volume: 3, keywords: 'sleep', pages: { first: 1 }, shelf: 'B' },
      extra: [1, null]
    })
    t.match(await into(project_id, path), { created: 1 })
    const { items: [item] } = await feedGet.run(context, { project_id })
    t.strictSame(item!.paper.metadata, { volume: '3', keywords: ['sleep'], shelf: 'B', extra: [1, null], other: { pages: { first: 1 } } })
    t.match(await into(project_id, path), { created: 0, updated: 0, unchanged: 1 })
    t.match(
      await into(project_id, lines({ ...item!.paper })),
      { created: 0, updated: 0, unchanged: 1 },
      "nor when the service's own record is imported"
    )
  })

  t.test('a duplicate record in one file is one paper', async t => {
    const project_id = await projectWith(user, [])
    t.match(await into(project_id, lines({ title: 'Twice', doi: '10.5555/twice' }, { title: 'Twice', doi: '10.5555/twice' })), {
      created: 1,
      unchanged: 1
    })
  })

  t.test('completing a paper keeps its existing values', async t => {
    const project_id = await projectWith(user, [])
    await into(
      project_id,
      lines({
        title: 'Full',
        doi: '10.5555/full',
        abstract: 'Kept.',
        published_date: '2026-05-17',
        metadata: { volume: '3' },
        external_ids: { pmcid: 'PMC990001' }
      })
    )
    await into(
      project_id,
      lines({ title: 'Full', doi: '10.5555/full', published_date: '2026-01-01', metadata: { issue: '4' }, venue_name: 'A journal' })
    )
    const { items: [item] } = await feedGet.run(context, { project_id })
    t.match(item!.paper, {
      abstract: 'Kept.',
      published_date: '2026-05-17',
      metadata: { volume: '3', issue: '4' },
      venue_name: 'A journal',
      external_ids: { pmcid: 'PMC990001' }
    })
  })

  t.test('a file in the original format overwrites values; one in another format only fills gaps', async t => {
    const project_id = await projectWith(user, [])
    const bib = (rest: string) => file(`@mastersthesis{own, title = {Corrected thesis}, year = 2026, doi = {10.5555/correct}, ${rest}}`)
    await into(project_id, bib('school = {Old name}'))
    t.match(await into(project_id, bib('school = {New name}')), { updated: 1 })
    t.match(
      await into(
        project_id,
        file('TY  - RPRT\nTI  - Another title\nPY  - 2026\nDO  - 10.5555/correct\nT2  - Other name\nLA  - en\nER  - \n')
      ),
      { updated: 1 }
    )
    const { items: [item] } = await feedGet.run(context, { project_id })
    t.match(item!.paper, {
      title: 'Corrected thesis',
      venue_name: 'New name',
      source: { name: 'bibtex' },
      metadata: { type: 'mastersthesis', citation_key: 'own', language: 'en' }
    })
  })

  t.test('importing exports repeatedly changes nothing after the first round', async t => {
    const project_id = await projectWith(user, [])
    const mixed = lines(
      {
        title: 'A preprint with a venue',
        venue_name: 'arXiv',
        external_ids: { arxiv: '2613.00009' },
        metadata: { type: 'posted-content' }
      },
      {
        title: 'A report',
        authors: ['Food and Drug Administration'],
        venue_name: 'Ministry of Bread and Butter',
        published_date: '2026-02-01',
        metadata: { type: 'report' }
      }
    )
    await into(
      project_id,
      mixed,
      ...['pubmed.xml', 'pubmed.nbib', 'arxiv.xml', 'references.ris', 'references.bib', 'references.json'].map(name => file(sample(name)))
    )
    const exported = async (format: 'bibtex' | 'ris') => {
      const { parts } = await feedExport.run(context, { project_id, format })
      let text = ''
      for await (const part of parts) text += part
      return text
    }
    const files = [file(await exported('bibtex')), file(await exported('ris'))]
    const kinds = async () => [(await exported('bibtex')).match(/^@\w+/gm), (await exported('ris')).match(/^TY .*/gm)]
    const before = await kinds()
    for (const path of files) t.match(await into(project_id, path), { read: 61, created: 0 })
    t.strictSame(await kinds(), before)
    for (const path of files) t.match(await into(project_id, path), { created: 0, updated: 0, unchanged: 61 })
  })
})
