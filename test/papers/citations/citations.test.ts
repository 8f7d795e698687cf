import { deepEqual } from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import type { PaperRecord } from '../../../schemas/paper.js'
import { withIdsOf } from '../../../src/papers/authors.js'
import { babelLanguage } from '../../../src/papers/citations/babel-language.js'
import { bibtex } from '../../../src/papers/citations/bibtex.js'
import { ris } from '../../../src/papers/citations/ris.js'
import { csl } from '../../../src/papers/citations/csl.js'
import { text } from '../../../src/papers/citations/text.js'
import { zoteroItemOf } from '../../../src/papers/citations/zotero-item.js'
import { citationFormats } from '../../../src/papers/citations/formats.js'
import { sortedName } from '../../../src/papers/citations/names.js'
import { registerSources } from '../../../src/papers/source-traits.js'
import { citationGet } from '../../../src/operations/papers/citation-get.js'
import { feedExport } from '../../../src/operations/feed/feed-export.js'
import { feedGet } from '../../../src/operations/feed/feed-get.js'
import { feedbackSet } from '../../../src/operations/feed/feedback-set.js'
import { formatNames } from '../../../src/sources/formats/index.js'
import { readZoteroItem } from '../../../src/sources/formats/zotero-item.js'
import { sources } from '../../../src/sources/index.js'
import { takesLess } from '../../support/event-loop.js'
import { readRecords, sample } from '../../support/readings.js'
import { logIn, paperOf, projectWith, record, testService } from '../../support/service.js'

registerSources(sources)

/** Fields of a reference, named alike for every format; BibTeX has the languages that LaTeX knows. */
function told (format: string, record: PaperRecord) {
  const { title, abstract, authors, published_date, url, pdf_url, doi, venue_name, external_ids, metadata } = record
  const { volume, issue, pages, issn, isbn, issn_or_isbn: number, publisher, language, keywords } = metadata as Record<string, string>
  return {
    title,
    abstract,
    authors,
    published_date,
    url,
    pdf_url,
    doi,
    venue_name,
    external_ids,
    metadata: {
      volume,
      issue,
      pages: pages?.replace(/\s*[–—-]+\s*/, '-'),
      number: issn ?? isbn ?? number,
      // Books, theses, reports and preprints state it once.
      publisher: publisher === venue_name ? undefined : publisher,
      language: format === 'bibtex' ? babelLanguage(language) : language,
      keywords: [...(keywords ?? [])].sort()
    }
  }
}

const full: Partial<PaperRecord> & { title: string } = {
  title: 'DNA & 100 % of mRNA_x: $a^2$ ~ {b} -- \\textbf{c} #1 `d` \'\'e\'\' a < b | pH, and a Map',
  abstract: 'One: 5 < 6 & more --- so.\n\nAn end, {nor} is \\LaTeX.',
  authors: [
    'Jan van der Berg', 'The ATLAS Collaboration', 'Martin King Jr', 'Plato', "Ana O'Neill-García", '山田 太郎', 'bell hooks',
    'Santiago Ramón y Cajal', 'And Anders', 'Anders And', 'Research and Development Group', 'J. B. S. Haldane'
  ].map(name => ({ name })),
  published_date: '2021-04-01',
  url: 'https://example.org/a_b?x=1%20&y=~z#f',
  pdf_url: 'https://arxiv.org/pdf/2401.01234',
  doi: '10.1000/a_b(c)',
  venue_name: 'Journal of A & B',
  external_ids: { arxiv: '2401.01234', pmid: '123', pmcid: 'PMC9', openalex: 'W12' },
  metadata: {
    published: '2021 Apr',
    volume: '12',
    issue: '3_4',
    pages: '12-34',
    issn: '1234-5678',
    publisher: 'A & Sons',
    language: 'en',
    keywords: ['Mice, Inbred C57BL', 'sleep', 'a; b', 'R&D']
  }
}

for (const { name: format, write } of citationFormats.filter(({ name }) => formatNames.includes(name))) {
  const readBack = async (part: Partial<PaperRecord> & { title: string }) =>
    (await readRecords(format, write(paperOf(part), new Map())))[0]!

  t.test(`a reference as ${format}`, async t => {
    t.test('survives a round trip through import', async t => {
      t.strictSame(told(format, await readBack(full)), told(format, record(full)))
      t.strictSame(told(format, await readBack({ title: 'A title alone' })), told(format, record({ title: 'A title alone' })))
    })

    t.test('survives a round trip with any text', async () => {
      // An import normalizes any text: one line, no control characters, no entities, no tags.
      const text = fc
        .string({ unit: fc.constantFrom(...'abZé中 1.,;:\'"!?()[]{}\\$%&#_^~<>|`-=+*/@'), minLength: 1, maxLength: 40 })
        .map(each => `T${each.replace(/&(?=[#\w])/g, '& ').replace(/<(?=[\w/])/g, '< ')}`.replace(/\s+/g, ' ').trim())
      await fc.assert(
        fc.asyncProperty(text, text, async (title, abstract) => {
          const back = await readBack({ title, abstract })
          deepEqual([back.title, back.abstract], [title, abstract])
        }),
        { numRuns: 300 }
      )
    })

    t.test('has the date with the precision of the source', async t => {
      for (const [published_date, published] of [
        ['2019-01-01', '2019'],
        ['2019-04-01', '2019 Apr'],
        ['2019-04-01', '2019-04'],
        ['2019-04-01', '2019-04-01'],
        ['2019-04-05', '20190405'],
        ['2019-01-01', '1 January 2019'],
        ['2019-01-01', '01/2019'],
        ['2019-01-01', '2019-2020'],
        ['2019-01-01', undefined],
        ['2019-04-01', '2018']
      ] as const) {
        const written = write(paperOf({ title: 'T', published_date, metadata: published === undefined ? {} : { published } }), new Map())
        const [record] = await readRecords(format, written)
        t.equal(record!.published_date, published_date)
        const isYear = published === undefined || /^2019(?:-2020)?$/.test(published)
        t.equal(/month|^DA/m.test(written), !isYear, `${published} has a month`)
        t.equal(/ day = |^DA {2}- \d+\/\d+\/\d+/m.test(written), /-?0[15]$|^1 /.test(published ?? ''), `${published} has a day`)
      }
    })

    t.test('matches every sample', async t => {
      for (const [name, from] of [
        ['pubmed.xml', 'pubmed-xml'],
        ['pubmed.nbib', 'nbib'],
        ['arxiv.xml', 'arxiv-atom'],
        ['references.bib', 'bibtex'],
        ['references.ris', 'ris'],
        ['references.json', 'csl-json']
      ] as const) {
        const records = await readRecords(from, sample(name))
        const taken = new Map<string, number>()
        const back = await readRecords(format, records.map(record => write(paperOf(record), taken)).join('\n'))
        t.strictSame(
          back.map(each => told(format, each)).map(({ external_ids, ...rest }) => rest),
          records.map(each => told(format, each)).map(({ external_ids, ...rest }, at) => ({ ...rest, url: rest.url ?? back[at]!.url })),
          name
        )
      }
    })
  })
}

t.test('keeps venues and publishers with "and" whole in BibTeX', async t => {
  const venue_name = 'U.S. Food and Drug Administration'
  for (const type of ['techreport', 'phdthesis', 'article']) {
    const written = bibtex.write(paperOf({ title: 'T', venue_name, metadata: { type, publisher: 'Smith and Sons' } }), new Map())
    if (type !== 'article') t.match(written, `{{${venue_name}}}`)
    t.match(written, 'publisher = {{Smith and Sons}}')
    t.match(await readRecords('bibtex', written), [{ venue_name, metadata: { publisher: 'Smith and Sons' } }], type)
  }
  for (const field of ['institution', 'school', 'publisher']) {
    t.match(await readRecords('bibtex', `@misc{a, title = {T}, ${field} = {${venue_name}}}`), [{ venue_name }], field)
  }
})

t.test('writes names for BibTeX sorting and keeps groups whole', async t => {
  const sorted = (name: string) => {
    const { family, given, suffix } = sortedName(name)
    return [family, given, suffix].filter(part => part !== undefined).join(' | ')
  }
  t.strictSame(
    [
      'Jan van der Berg', 'Jean de La Fontaine', 'Martin King Jr', 'World Health Organization', 'Plato', '山田 太郎', 'Smith, Inc.',
      'Santiago Ramón y Cajal'
    ].map(sorted),
    [
      'van der Berg | Jan', 'de La Fontaine | Jean', 'King | Martin | Jr', 'World Health Organization', 'Plato', '山田 太郎', 'Smith, Inc.',
      'Ramón y Cajal | Santiago'
    ]
  )
  const groups = [
    'U.S. Food and Drug Administration', 'Federal Trade Commission', 'European Medicines Agency', 'National Audit Office',
    'Federal Statistical Bureau', 'Medical Research Council', 'Ministry of Health', 'Safety Board', 'State Health Department',
    'World Meteorological Organisation', 'Food Standards Authority', 'Centers for Disease Control and Prevention', 'Johnson & Johnson',
    'Friends of the Earth', 'US Preventive Services Task Force', 'GBD 2016 Neurology Collaborators', 'COVID-19 Host Genetics',
    'RECOVERY Trial', 'Framingham Heart Study', 'Clinical Trials Unit', 'Massachusetts General Hospital', 'Expert Panel',
    'ATAC Trialists', 'INTERACT3 Researchers', 'Dutch Cancer Registry', 'Board of Directors', 'National Transportation Safety Board'
  ]
  t.strictSame(groups.map(sorted), groups)
  t.strictSame(
    ['Philip G. Board', 'Philip G Board', 'Yves Bureau', 'Thomas Force', 'William H Press', 'Martin King 3rd'].map(sorted),
    ['Board | Philip G.', 'Board | Philip G', 'Bureau | Yves', 'Force | Thomas', 'Press | William H', 'King | Martin | 3rd']
  )
  const long = 'safety '.repeat(300_000)
  await takesLess(t, 2000, () => sortedName(long))
  for (const { write } of citationFormats) {
    t.match(
      write(paperOf({ title: 'T', authors: [{ name: groups[0]! }] }), new Map()),
      /(?:AU {2}- |author = \{\{|"literal":"|^)U\.S\. Food and Drug Administration\b/
    )
  }
})

t.test('groups stay whole where their source states them, whatever their name', async t => {
  const stated = {
    bibtex: '@report{a, title = {T}, author = {{World Bank} and Smith, Ann}}',
    'csl-json': '[{"title": "T", "author": [{"literal": "World Bank"}, {"family": "Smith", "given": "Ann"}]}]',
    ris: 'TY  - RPRT\nTI  - T\nAU  - World Bank,\nAU  - Smith, Ann\nER  - \n',
    nbib: 'PMID- 1\nTI  - T\nCN  - World Bank\nFAU - Smith, Ann\n',
    'pubmed-xml': '<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>1</PMID><Article><ArticleTitle>T</ArticleTitle><AuthorList>' +
      '<Author><CollectiveName>World Bank</CollectiveName></Author><Author><LastName>Smith</LastName><ForeName>Ann</ForeName></Author>' +
      '</AuthorList></Article></MedlineCitation></PubmedArticle></PubmedArticleSet>',
    'json-lines': '{"title": "T", "authors": [{"name": "World Bank", "group": true}, "Ann Smith"]}'
  }
  const authors: PaperRecord['authors'] = [{ name: 'World Bank', group: true }, { name: 'Ann Smith' }]
  for (const [format, content] of Object.entries(stated)) t.strictSame((await readRecords(format, content))[0]!.authors, authors, format)
  const creators = [{ creatorType: 'author', name: 'World Bank' }, { creatorType: 'author', firstName: 'Ann', lastName: 'Smith' }]
  t.match(readZoteroItem({ itemType: 'report', title: 'T', creators }), { record: { authors } })
  for (const { name, write } of citationFormats) {
    const written = write(paperOf({ title: 'T', authors }), new Map())
    t.match(written, /(?:AU {2}- World Bank,\n|author = \{\{World Bank\} and|\{"literal":"World Bank"\}|World Bank, Smith A)/, name)
    if (formatNames.includes(name)) t.strictSame((await readRecords(name, written))[0]!.authors, authors, `${name}, read again`)
  }
  t.strictSame(withIdsOf([{ name: 'World Bank' }, { name: 'Ann Smith' }], authors), authors)
  t.strictSame(withIdsOf([{ name: 'William Bank' }], authors), [{ name: 'William Bank' }], 'a person of a similar name')
})

t.test('publishers, institutions and servers stand where other programs look for them', async t => {
  const written = (type: string, more: Partial<PaperRecord>) => {
    const paper = paperOf({ title: 'T', ...more, metadata: { type, ...more.metadata } })
    const [inBibtex, inRis, inCsl, inText] = [bibtex, ris, csl, text].map(({ write }) => write(paper, new Map()))
    return { inBibtex, inRis, inCsl: JSON.parse(inCsl!), inText, inZotero: zoteroItemOf(paper) }
  }
  for (const [type, bibtexField, zoteroField] of [
    ['thesis', 'school', 'university'], ['report', 'institution', 'institution'], ['book', 'publisher', 'publisher']
  ] as const) {
    const metadata = { publisher: 'MIT' }
    for (const more of [{ venue_name: 'MIT' }, { metadata }, { venue_name: 'MIT', metadata }]) {
      const { inBibtex, inRis, inCsl, inText, inZotero } = written(type, more)
      t.match(inBibtex, ` ${bibtexField} = {MIT}`, type)
      t.equal(inBibtex!.split('MIT').length, 2, 'once')
      t.match(inRis, 'PB  - MIT\n')
      t.notMatch(inRis, 'T2  - ')
      t.match(inCsl, { publisher: 'MIT', 'container-title': undefined })
      t.match(inText, 'T. MIT.')
      t.match(inZotero, { [zoteroField]: 'MIT' })
      t.match(await readRecords('ris', inRis!), [{ venue_name: 'MIT' }])
    }
  }
  const book = written('book', { venue_name: 'A Series', metadata: { publisher: 'Press' } })
  t.match(book.inBibtex, /series = \{A Series\},\n {2}publisher = \{Press\}/)
  t.match(book.inRis, /T2 {2}- A Series\nPB {2}- Press\n/)
  t.match(book.inZotero, { publisher: 'Press' })
  for (const [format, reference] of [['bibtex', book.inBibtex], ['ris', book.inRis]] as const) {
    t.match(await readRecords(format, reference!), [{ venue_name: 'A Series', metadata: { publisher: 'Press' } }], format)
  }
  const preprint = written('preprint', { venue_name: 'bioRxiv', metadata: { publisher: 'A Laboratory' } })
  t.match(preprint.inCsl, { publisher: 'bioRxiv', 'container-title': undefined })
})

t.test('states the whole last page, and the ISSN without its kind', async t => {
  for (const [stated, first, last] of [
    ['132-42', '132', '142'], ['1234-8', '1234', '1238'], ['S12-9', 'S12', 'S19'], ['139-2', '139', '2'], ['98-104', '98', '104'],
    ['e7-e9', 'e7', 'e9']
  ] as const) {
    t.match(ris.write(paperOf({ title: 'T', metadata: { pages: stated } }), new Map()), `SP  - ${first}\nEP  - ${last}\n`)
  }
  t.match(ris.write(paperOf({ title: 'T', metadata: { issn: '1476-4687 (Electronic)' } }), new Map()), 'SN  - 1476-4687\n')
})

t.test('states languages in BibTeX that LaTeX knows', async t => {
  for (const [stated, langid] of [
    ['eng', 'english'], ['en', 'english'], ['en-US', 'english'], ['English', 'english'], ['ger', 'ngerman'], ['fre', 'french'],
    ['slv', 'slovene'], ['norsk', 'norsk'], ['chi', undefined], ['mul', undefined], ['no language', undefined], ['', undefined]
  ] as const) {
    const written = bibtex.write(paperOf({ title: 'T', metadata: { language: stated } }), new Map())
    t.equal(/ langid = \{(.*)\}/.exec(written)?.[1], langid, stated)
    t.notMatch(written, ' language = ')
  }
})

t.test('protects capitals in BibTeX titles', async t => {
  const titleOf = (title: string) => / {2}title = \{(.*)\},?\n/.exec(bibtex.write(paperOf({ title }), new Map()))![1]
  t.equal(
    titleOf('Role of "DNA", (mRNA) – 5-HT4, and Vitamin D3: pH7 & C'),
    'Role of "{DNA}", ({mRNA}) – {5-HT4}, and Vitamin {D3}: {pH7} \\& {C}'
  )
  const letters = 'a'.repeat(2_000_000)
  const dashes = '–'.repeat(2_000_000)
  t.ok(titleOf(letters) === letters, 'small letters alone')
  t.ok(titleOf(`B${letters}X.`) === `{B${letters}X}.`, 'a capital at their end')
  t.ok(titleOf(`a${dashes}b.`) === `a${dashes}b.`, 'signs between two letters')
})

t.test('a BibTeX key is imported or made of author, year and word, unique per file', async t => {
  const { write } = bibtex
  const taken = new Map<string, number>()
  const keys = [
    { title: 'On the nature of it', authors: [{ name: 'Zoë Müller' }], published_date: '2020-01-01' },
    { title: 'The nature of us', authors: [{ name: 'Zoë Müller' }], published_date: '2020-05-01' },
    { title: 'x', metadata: { citation_key: 'Own:key_1' } },
    { title: '中文' },
    { title: 'x', metadata: { citation_key: 'evil},' } }
  ].map(part => /\{(.*),/.exec(write(paperOf(part), taken))![1])
  t.strictSame(keys, ['muller2020nature', 'muller2020nature-2', 'Own:key_1', 'paper', 'paper-2'])
})

t.test('equal citation keys are numbered, skipping keys in use, in linear time', async t => {
  const { write } = bibtex
  class Counted extends Map<string, number> {
    asked = 0
    override has (key: string): boolean {
      this.asked++
      return super.has(key)
    }
  }
  const taken = new Counted()
  const keysOf = (metadata: object[]) =>
    metadata.map(each => /\{(.*),/.exec(write(paperOf({ title: '睡眠', metadata: { ...each } }), taken))![1])
  t.strictSame(keysOf(['a-2', 'a', 'A', 'a', 'a-2', 'a-2-2', 'a-4'].map(citation_key => ({ citation_key }))), [
    'a-2', 'a', 'A-3', 'a-4', 'a-2-2', 'a-2-2-2', 'a-4-2'
  ])
  const many = 3000
  const keys = keysOf(Array.from({ length: many }, () => ({})))
  t.equal(new Set(keys).size, many)
  t.strictSame([keys[0], keys.at(-1)], ['paper', `paper-${many}`])
  t.ok(taken.asked < 3 * many, `${taken.asked} keys were looked at for ${many} papers`)
})

t.test('maps publication types to reference types', async t => {
  const types = (part: Partial<PaperRecord>) => [
    /@(\w+)/.exec(bibtex.write(paperOf({ title: 'T', ...part }), new Map()))![1],
    /TY {2}- (\w+)/.exec(ris.write(paperOf({ title: 'T', ...part }), new Map()))![1]
  ]
  t.strictSame(types({ metadata: { type: 'CHAP' } }), ['incollection', 'CHAP'])
  t.strictSame(types({ metadata: { publication_types: ['Journal Article', 'Review'] } }), ['article', 'JOUR'])
  t.strictSame(types({ source: { name: 'arxiv' } }), ['misc', 'UNPB'])
  t.strictSame(types({ metadata: { type: 'proceedings-article' } }), ['inproceedings', 'CPAPER'])
  t.strictSame(types({ venue_name: 'Nature' }), ['article', 'JOUR'])
  t.strictSame(types({}), ['misc', 'GEN'])
  t.strictSame(types({ venue_name: 'bioRxiv', metadata: { type: 'misc' } }), ['misc', 'UNPB'], 'as BibTeX states it')
  t.strictSame(types({ venue_name: 'bioRxiv', metadata: { type: 'article' } }), ['article', 'JOUR'], 'what a file states counts')
  t.strictSame(types({ venue_name: 'ICPSR', metadata: { type: 'dataset' } }), ['misc', 'GEN'], 'a data set is no article')
  t.strictSame(types({ venue_name: 'Handbook', metadata: { type: 'ECHAP' } }), ['incollection', 'CHAP'])
  t.strictSame(types({ venue_name: 'Press', metadata: { type: 'EBOOK' } }), ['book', 'BOOK'])
  t.strictSame(types({ venue_name: 'Press', metadata: { publication_types: ['reference-book'] } }), ['book', 'BOOK'])
  t.strictSame(types({ source: { name: 'csl-json' }, metadata: { type: 'article' } }), ['misc', 'UNPB'], 'CSL calls preprints articles')
})

t.test('over REST', async t => {
  const service = await testService(t)
  const user = await service.user()
  const { access_token } = await logIn(service, user)
  const headers = { authorization: `Bearer ${access_token}` }
  const project_id = await projectWith(
    user,
    [{ ...full, title: 'Sleep "spindles"' }, ...Array.from({ length: 450 }, (_, at) => ({ title: `Paper number ${at}` }))],
    { name: 'Schlaf & Träume' }
  )
  const { items: [item] } = await feedGet.run(user.context, { project_id, limit: 1 })
  const export_ = `/api/projects/${project_id}/feed/export`

  t.test('one reference is a file', async t => {
    const answer = await service.app.inject({ url: `/api/project-papers/${item!.short_id}/citation?format=ris`, headers })
    t.equal(answer.headers['content-type'], 'application/x-research-info-systems; charset=utf-8')
    t.equal(answer.headers['content-disposition'], `attachment; filename="${item!.slug}.ris"`)
    t.equal(answer.body, (await citationGet.run(user.context, { ref: item!.id, format: 'ris' })).text)
    t.match((await service.app.inject({ url: `/api/project-papers/${item!.short_id}/citation`, headers })).body, /^@/)
    t.match((await service.app.inject({ url: `/api/project-papers/${item!.short_id}/citation?format=word`, headers })).json(), {
      code: 'invalid_arguments',
      detail: 'format is "word"; allowed: bibtex, ris, csl, text.'
    })
  })

  t.test('exports a whole feed, every item once, with unique keys', async t => {
    for (const format of ['bibtex', 'ris']) {
      const answer = await service.app.inject({ url: `${export_}?format=${format}`, headers })
      t.equal(answer.statusCode, 200)
      t.match(answer.headers['content-disposition'], /^attachment; filename="schlaf-(?:and-)?traeume\.(?:bib|ris)"$/)
      const records = await readRecords(format, answer.body)
      t.equal(new Set(records.map(({ title }) => title)).size, 451)
      if (format === 'bibtex') t.equal(new Set(records.map(({ metadata }) => metadata.citation_key)).size, 451)
    }
  })

  t.test('a filter exports only matching items', async t => {
    const { items: [first, second] } = await feedGet.run(user.context, { project_id, limit: 2 })
    await feedbackSet.run(user.context, { paper_id: first!.id, vote: 'star' })
    await feedbackSet.run(user.context, { paper_id: second!.id, vote: 'upvote' })
    const answer = await service.app.inject({ url: `${export_}?feedback_filter=starred`, headers })
    t.strictSame((await readRecords('bibtex', answer.body)).map(({ title }) => title), [first!.paper_title])
    t.equal((await service.app.inject({ url: `${export_}?feedback_filter=not-relevant`, headers })).body, '')
  })

  t.test('a search exports full matches, best first, or partial matches if there are none', async t => {
    const found = async (query: string) => {
      const answer = await service.app.inject({ url: `${export_}?${query}`, headers })
      return answer.statusCode === 200 ? (await readRecords('bibtex', answer.body)).map(({ title }) => title) : answer.json()
    }
    t.equal((await found('q=paper')).length, 450)
    t.strictSame(await found('q=number%20447'), ['Paper number 447'])
    t.strictSame(await found('q=unheard%20447'), ['Paper number 447'])
    t.strictSame(await found('q=number%20447&feedback_filter=disliked'), [])
    const allowed = 'allowed: 3 to 200, or 2 in Chinese, Japanese or Korean.'
    t.match(await found('q=x'), { code: 'invalid_arguments', detail: `q has 1 character after trimming; ${allowed}` })
  })

  t.test('hides exports from other accounts', async t => {
    const other = await service.user()
    await t.rejects(feedExport.run(other.context, { project_id }), { code: 'project_not_found' })
    await t.rejects(citationGet.run(other.context, { ref: item!.id }), { code: 'paper_not_found' })
  })
})
