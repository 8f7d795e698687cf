import t from 'tap'
import { parseFeedDocument } from '../../src/sources/documents/journal-feed-document.js'
import { journalFeed } from '../../src/sources/journal-feed.js'
import { atom, rdf, rss } from '../support/stand-ins/feed.js'
import { editing } from '../support/stand-ins/papers.js'
import { standIn, xml } from '../support/stand-ins/server.js'
import { sourceContext, runSearch } from '../support/source-search.js'

t.test('journal feeds', async t => {
  for (const [name, write] of Object.entries({ rss, rdf, atom })) {
    t.test(`are parsed as ${name}`, async t => {
      const { url } = await standIn(t, () => xml(write([editing])))
      const { records, error } = await runSearch(journalFeed, sourceContext(journalFeed, url), { query: `${url}/feed` })
      t.equal(error, undefined)
      t.match(records, [
        {
          title: 'Base editing of ABCA4 in the retina',
          doi: '10.1000/edit.1',
          published_date: '2026-11-10',
          authors: [{ name: 'Ana María Núñez de Balboa' }, { name: 'Wei Zhang' }],
          abstract: 'We edited α & β cells.',
          source: { name: 'feed' }
        }
      ])
    })
  }
  t.test('state the day of a date as it is written', async t => {
    // Far from UTC in both directions, as a server may be.
    for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Europe/Berlin']) {
      const before = process.env.TZ
      process.env.TZ = zone
      for (const written of [
        'Fri, 20 Nov 2026 00:00:00 +0200', 'Fri, 20 Nov 2026 23:30:00 -0500', 'Fri, 20 Nov 2026 00:00:00 GMT', '20 Nov 26 01:00 EST',
        '2026-11-20 00:00:00', '2026-11-20T23:30:00-08:00', '11/20/2026 12:30:00 AM', 'Nov 20, 2026 00:30:00 +02:00 (EET)', '2026-11-20'
      ]) {
        const body = rss([editing]).replace(/<pubDate>.*<\/pubDate>/, `<pubDate>${written}</pubDate>`)
        const content = await parseFeedDocument({ address: 'https://journal.example.org/rss', bytes: Buffer.from(body) })
        const records = 'batches' in content && JSON.parse(content.batches[0]!)
        t.match(records, [{ record: { published_date: '2026-11-20' } }], `${written} in ${zone}`)
      }
      if (before === undefined) delete process.env.TZ
      else process.env.TZ = before
    }
  })
  t.test('of arXiv list new and cross-listed preprints, not new versions of old ones', async t => {
    const item = (at: number, type: string) => `<item><title>Preprint ${at}</title><link>https://arxiv.org/abs/2001.0123${at}</link>
      <description>arXiv:2001.0123${at}v5 Announce Type: ${type} \nAbstract: We edit.</description>
      <guid isPermaLink="false">oai:arXiv.org:2001.0123${at}v5</guid><arxiv:announce_type>${type}</arxiv:announce_type></item>`
    const { url } = await standIn(t, () => xml(`<rss xmlns:arxiv="http://arxiv.org/schemas/atom" version="2.0"><channel><title>cs.AI</title>
      ${['new', 'cross', 'replace', 'replace-cross'].map((type, at) => item(at, type)).join('')}</channel></rss>`))
    const { records, reasons } = await runSearch(journalFeed, sourceContext(journalFeed, url), { query: url })
    t.match(records, [
      { external_ids: { arxiv: '2001.01230' }, abstract: 'We edit.', venue_name: 'arXiv', metadata: { preprint: true } },
      { external_ids: { arxiv: '2001.01231' } }
    ])
    t.strictSame([records.length, reasons], [2, []])
  })
  t.test('at an address without a feed say so', async t => {
    const { url, next } = await standIn(t, () => xml(''))
    for (const status of [400, 404, 410, 414, 422]) {
      next.push({ status, body: 'Gone' })
      t.match((await runSearch(journalFeed, sourceContext(journalFeed, url), { query: url })).error, {
        fault: 'bad_query',
        message: `The address of the journal feed answered with status ${status}. Open it in a browser and enter its present address.`
      })
    }
    next.push({ status: 403, body: '' })
    t.match((await runSearch(journalFeed, sourceContext(journalFeed, url), { query: url })).error, { fault: 'unavailable' })
  })
  t.test('skip empty records', async t => {
    const { url } = await standIn(t, () => xml(rss([{ ...editing, title: '' }, editing])))
    const { records, reasons } = await runSearch(journalFeed, sourceContext(journalFeed, url), { query: url })
    t.same([records.length, reasons], [1, ['title is missing']])
  })
  for (const [name, body] of Object.entries({
    'an error page': '<html><body>404</body></html>',
    'a feed that was cut off': rss([editing]).slice(0, -80),
    'an empty answer': '',
    'a bomb of entities': `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY a "${'x'.repeat(1000)}">${Array.from({ length: 8 }, (_, at) => `<!ENTITY ${'bcdefghi'[at]} "${`&${'abcdefgh'[at]};`.repeat(10)}">`).join('')}]><rss version="2.0"><channel><title>T</title><item><title>&i;</title></item></channel></rss>`
  })) {
    t.test(`that are ${name} are rejected or bounded`, async t => {
      const { url } = await standIn(t, () => xml(body))
      const { records, error } = await runSearch(journalFeed, sourceContext(journalFeed, url), { query: url })
      if (error === undefined) t.ok(JSON.stringify(records).length < 20_000)
      else t.match(error, { fault: 'wrong_answer' })
    })
  }
  t.test('distinguish names from lists of names', async t => {
    const { url } = await standIn(t, () =>
      xml(
        rss([editing]).replace(
          /(?:<dc:creator>.*?<\/dc:creator>)+/,
          '<dc:creator>Ada Lovelace, Niels Bohr and Wei Zhang; Núñez, Ana</dc:creator>'
        )
      )
    )
    t.same(
      (await runSearch(journalFeed, sourceContext(journalFeed, url), { query: url })).records[0]!.authors.map(({ name }) => name),
      ['Ada Lovelace', 'Niels Bohr', 'Wei Zhang', 'Ana Núñez']
    )
  })
  const firstOf = async (document: string) => {
    const content = await parseFeedDocument({ address: 'https://journal.example.org/feed', bytes: Buffer.from(document) })
    return 'batches' in content ? JSON.parse(content.batches[0]!)[0].record : content
  }
  t.test('distinguish families with initials, and lists with one group, from single names', async t => {
    for (const [written, names] of [
      ['Kukla, D., Crampton, A., van Wood, D. J.', ['D. Kukla', 'A. Crampton', 'D. J. van Wood']],
      ['DeepSeek-AI, Aixin Liu, Bei Feng', ['DeepSeek-AI', 'Aixin Liu', 'Bei Feng']],
      ['Lovelace, A.', ['A. Lovelace']],
      ['Lovelace, Ada', ['Ada Lovelace']]
    ] as const) {
      const document = rss([editing]).replace(/(?:<dc:creator>.*?<\/dc:creator>)+/, `<dc:creator>${written}</dc:creator>`)
      t.match((await firstOf(document)).authors, names.map(name => ({ name })), written)
    }
  })
  t.test('have a name in each of several elements, however many given and family names', async t => {
    const creators = ['van der Berg, Anna Maria', 'García Márquez, Gabriel José', 'Lovelace, A., Bohr, N.', 'Wei Zhang']
    const elements = creators.map(name => `<dc:creator>${name}</dc:creator>`).join('')
    const document = rss([editing]).replace(/(?:<dc:creator>.*?<\/dc:creator>)+/, elements)
    t.strictSame(
      (await firstOf(document)).authors.map(({ name }: { name: string }) => name),
      ['Anna Maria van der Berg', 'Gabriel José García Márquez', 'A. Lovelace', 'N. Bohr', 'Wei Zhang']
    )
  })
  t.test('state PRISM in RDF, too', async t => {
    const prism = '<prism:doi>10.1000/prism</prism:doi><prism:publicationName>J Prism</prism:publicationName>' +
      '<prism:volume>3</prism:volume><prism:number>2</prism:number><prism:startingPage>5</prism:startingPage>' +
      '<prism:endingPage>9</prism:endingPage>' +
      '<prism:publicationDate>2026-10-01</prism:publicationDate><prism:issn>1234-5679</prism:issn>'
    const document = rdf([editing]).replace(/<dc:date>.*?<\/dc:date><dc:identifier>.*?<\/dc:identifier>/, prism)
    t.match(await firstOf(document), {
      doi: '10.1000/prism',
      venue_name: 'J Prism',
      published_date: '2026-10-01',
      metadata: { volume: '3', issue: '2', pages: '5-9', issn: '1234-5679' }
    })
  })
  t.test('of ScienceDirect state date, journal and authors in a description, which is no abstract', async t => {
    const document = `<rss version="2.0"><channel><title>ScienceDirect Publication: Cell</title><item><title>Maize</title>
      <link>https://www.sciencedirect.com/science/article/pii/S0092867426000001?dgcid=rss_sd_all</link><description><![CDATA[<p>Publication
      date: Available online 20 May 2026</p><p><b>Source:</b> Cell, Volume 189, Issue 3</p><p>Author(s): Laura E. Tibbs-Cortes, Linqian
      Han</p>]]></description></item></channel></rss>`
    t.match(await firstOf(document), {
      abstract: null,
      published_date: '2026-05-20',
      venue_name: 'Cell',
      authors: [{ name: 'Laura E. Tibbs-Cortes' }, { name: 'Linqian Han' }]
    })
  })
  t.test('of IEEE state authors and pages in elements of their own', async t => {
    const document = `<rss version="2.0"><channel><title>IEEE Transactions - new TOC</title><item><title>Fusion</title>
      <authors><![CDATA[ Li Chen;Penghao Wu; ]]></authors><volume>46</volume><startPage>10164</startPage><endPage>10183</endPage>
      <link>https://ieeexplore.ieee.org/document/1</link></item></channel></rss>`
    t.match(await firstOf(document), {
      authors: [{ name: 'Li Chen' }, { name: 'Penghao Wu' }],
      metadata: { volume: '46', pages: '10164-10183' }
    })
  })
  t.test('name their journal between a publisher and what they are', async t => {
    for (const [title, venue] of [
      ['tandf: Journal of Web Librarianship: Table of Contents', 'Journal of Web Librarianship'],
      ['Econometrica: Table of Contents', 'Econometrica'],
      ['Latest articles for Econometrica', 'Econometrica']
    ] as const) {
      const document = `<rss version="2.0"><channel><title>${title}</title><item><title>A paper</title></item></channel></rss>`
      t.equal((await firstOf(document)).venue_name, venue)
    }
  })
  t.test('that begin titles with their citation have the title of Dublin Core', async t => {
    const document = rss([editing]).replace(/<item><title>.*?<\/title>/,
      '<item><title>Foods, Vol. 14, Pages 1: Real title</title><dc:title>Real title</dc:title>')
    t.equal((await firstOf(document)).title, 'Real title')
    t.equal((await firstOf(document.replace('Foods, Vol. 14, Pages 1: ', '[Articles] '))).title, 'Real title')
  })
  t.test('of PubMed have the DOI and the journal of each paper, and its abstract alone', async t => {
    t.match(await firstOf(`<rss xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:content="http://purl.org/rss/1.0/modules/content/"
      version="2.0"><channel><title>gene editing</title><item><title>Editing of rods</title>
      <link>https://pubmed.ncbi.nlm.nih.gov/42476553/?utm_source=x</link><description><![CDATA[In this study, we]]></description>
      <content:encoded><![CDATA[<div><p>Integr Comp Biol. 2026 Feb 1. doi: 10.1093/icb/icag118.</p><p><b>ABSTRACT</b></p>
        <p>In this study, we edit.</p><p>PMID:<a href="x">42476553</a> | DOI:<a href="x">10.1093/icb/icag118</a></p></div>]]></content:encoded>
      <guid isPermaLink="false">pubmed:42476553</guid><dc:creator>Ada Lovelace</dc:creator><dc:source>Integrative biology</dc:source>
      <dc:identifier>pmid:42476553</dc:identifier><dc:identifier>doi:10.1093/icb/icag118</dc:identifier></item></channel></rss>`), {
      doi: '10.1093/icb/icag118',
      external_ids: { pmid: '42476553' },
      venue_name: 'Integrative biology',
      abstract: 'In this study, we edit.'
    })
  })
  t.test('of bioRxiv have no marks of HighWire', async t => {
    const document = rss([{ ...editing, doi: '10.1101/2026.01.02.123456' }])
      .replace(/<item><title>.*?<\/title>/, '<item><title>Loss of {beta}-catenin</title>')
    t.match((await firstOf(document)).title, 'Loss of β-catenin')
  })
  t.test('of any kind are parsed in linear time', async t => {
    for (const body of [
      rss([editing]).trim() + '<!---->'.repeat(20_000) + 'x',
      rss([editing]).trim() + '<!-- -->\n'.repeat(20_000),
      ...[' ', 'x ', 'x, ', '@', 'a@ ('].map(piece =>
        rss([editing]).replace(/<dc:creator>/, `<dc:creator>${piece.repeat(1_000_000 / piece.length)}`)
      )
    ]) {
      const { url } = await standIn(t, () => xml(body))
      const { records, error } = await runSearch(journalFeed, sourceContext(journalFeed, url), { query: url })
      t.ok(records.length === 1 || error !== undefined)
    }
  })
  t.test('are parsed up to their limits or rejected with the limit', async t => {
    const [begin, end] = ['<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>T</title>', '</channel></rss>']
    const item = (inner: string) => `<item><title>A title</title>${inner}</item>`
    const fill = (piece: string) => piece.repeat(1_900_000 / Buffer.byteLength(piece))
    const hostile: Record<string, [string, { entries: number, authors: number } | RegExp]> = {
      'entries with many names': [fill(item(`<dc:creator>${'A B, '.repeat(500)}</dc:creator>`)), { entries: 500, authors: 300 }],
      'many names in elements': [item('<dc:creator>A B</dc:creator>'.repeat(5000)), { entries: 1, authors: 300 }],
      'many small entries': [item('').repeat(5000), { entries: 500, authors: 0 }],
      'marks heaped on one letter': [item(`<description>a${fill('\u0316\u0301')}</description>`), { entries: 1, authors: 0 }],
      'tags without end': [fill('<item/>'), /more than 40000 tags/],
      'attributes without end': [
        `<item ${Array.from({ length: 100_000 }, (_, at) => `a${at}="b"`).join(' ')}>${item('')}</item>`,
        /more than 40000 attributes/
      ]
    }
    for (const [name, [body, expected]] of Object.entries(hostile)) {
      const { url } = await standIn(t, () => xml(begin + body + end))
      const { records, error } = await runSearch(journalFeed, sourceContext(journalFeed, url), { query: url })
      if (expected instanceof RegExp) t.match(error, { fault: 'wrong_answer', message: expected }, name)
      else t.strictSame([error, records.length, records[0]!.authors.length], [undefined, expected.entries, expected.authors], name)
      t.ok((records[0]?.abstract ?? '').length < 100, `${name}: no more of a text than is looked at`)
    }
  })
  t.test('are rejected above two megabytes', async t => {
    const { url } = await standIn(t, () => xml(rss([{ ...editing, abstract: 'x'.repeat(2_200_000) }])))
    t.match((await runSearch(journalFeed, sourceContext(journalFeed, url), { query: url })).error, {
      fault: 'wrong_answer',
      message: /sent more than 2 MiB/
    })
  })
  t.test('are named by their address', async t => {
    t.match(journalFeed.checkQuery('nature'), /address/)
    t.match(journalFeed.checkQuery('file:///etc/passwd'), /address/)
    t.equal(journalFeed.checkQuery('https://journal.example.org/rss'), null)
  })
})
