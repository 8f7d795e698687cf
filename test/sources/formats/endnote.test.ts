import t from 'tap'
import { recordFormatOf } from '../../../src/sources/formats/index.js'
import { takesLess } from '../../support/event-loop.js'
import { readAll, readRecords } from '../../support/readings.js'

const style = (text: string) => `<style face="normal" font="default" size="100%">${text}</style>`

const record = `<record><database name="Sleep.enl" path="/home/me/Sleep.enl">Sleep.enl</database><source-app name="EndNote" version="21">EndNote</source-app>
  <rec-number>1</rec-number><foreign-keys><key app="EN" db-id="x" timestamp="0">1</key></foreign-keys><ref-type name="Journal Article">17</ref-type>
  <contributors><authors><author>${style('Böhm, A. B.')}</author><author>${style('García Luján, José')}</author>
  <author>${style('Sleep Owls,')}</author></authors><secondary-authors><author>${style('Editor, E.')}</author></secondary-authors></contributors>
  <titles><title>${style('Sleep, ')}${style('memory')}${style(' &amp; replay')}</title><secondary-title>${style('J Test')}</secondary-title></titles>
  <periodical><full-title>${style('Journal of Tests')}</full-title><abbr-1>${style('J Test')}</abbr-1></periodical>
  <pages>${style('34-56')}</pages><volume>${style('12')}</volume><number>${style('3')}</number>
  <keywords><keyword>${style('sleep')}</keyword><keyword>${style('memory')}</keyword></keywords>
  <dates><year>${style('2026')}</year><pub-dates><date>${style('Mar 5')}</date></pub-dates></dates><isbn>${style('1525-1234')}</isbn>
  <accession-num>${style('990000008')}</accession-num><abstract>${style('One.&#xD;Two.')}</abstract>
  <urls><related-urls><url>${style('https://example.org/a')}</url></related-urls><pdf-urls><url>internal-pdf://0001/a.pdf</url></pdf-urls></urls>
  <custom2>${style('PMC990008')}</custom2><electronic-resource-num>${style('https://doi.org/10.5555/EN.1')}</electronic-resource-num>
  <remote-database-name>${style('Medline')}</remote-database-name><language>${style('eng')}</language></record>`
const file = (...records: string[]) => `<?xml version="1.0" encoding="UTF-8" ?><xml><records>${records.join('')}</records></xml>`

t.test('EndNote XML: each element fills its field', async t => {
  t.equal(recordFormatOf(file(record))?.name, 'endnote-xml')
  const untitled = record.replace(/<titles>.*<\/titles>/, '')
  const book = '<record><ref-type name="Book">6</ref-type><titles><title>A book</title></titles><publisher>Sons</publisher></record>'
  const [first, second, third, ...others] = await readAll('endnote-xml', file(record, untitled, book), 7)
  t.strictSame(others, [])
  t.match(first, {
    record: {
      title: 'Sleep, memory & replay',
      abstract: 'One. Two.',
      authors: [{ name: 'A. B. Böhm' }, { name: 'José García Luján' }, { name: 'Sleep Owls', group: true }],
      published_date: '2026-03-05',
      url: 'https://example.org/a',
      pdf_url: null,
      doi: '10.5555/en.1',
      venue_name: 'Journal of Tests',
      external_ids: { pmid: '990000008', pmcid: 'PMC990008' },
      source: { name: 'endnote-xml' },
      metadata: { type: 'JOUR', volume: '12', issue: '3', pages: '34-56', issn: '1525-1234', keywords: ['sleep', 'memory'] }
    }
  })
  t.match(second, { place: 2, reason: 'title is missing' })
  t.match(third, { record: { title: 'A book', venue_name: 'Sons', metadata: { type: 'BOOK' } } })
})

t.test('EndNote XML: other documents, broken and long records are refused', async t => {
  t.match(await readAll('endnote-xml', '<html><p>x</p></html>'), [{ reason: 'the file contains <html> instead of references' }])
  t.strictSame(await readAll('endnote-xml', file()), [])
  t.match(await readAll('endnote-xml', file(record, '<record><titles>')), [{ record: {} }, { reason: /XML is broken/, ended: true }])
  const long = `<record><notes>${'x '.repeat(4.5 * 1024 * 1024)}</notes></record>`
  t.match(await readAll('endnote-xml', file(long, record)), [{ reason: /longer than 8 MB/ }, { record: {} }])
  await takesLess(t, 5000, async () => { await readAll('endnote-xml', file(record.repeat(2000))) })
})

t.test('Cochrane Library: each field is read, and the next record begins with its number', async t => {
  const one = `ID: CN-00000001
AU: Böhm AB
AU: García Luján J
TI: Sleep, memory
and replay
SO: Journal of tests
YR: 2026
VL: 12
NO: 3
PG: 34-56
PM: PUBMED 990000009
XR: EMBASE 990000010
PT: Journal article; Clinical trial
KY: Adult; *Memory [physiology]; Sleep
DOI: 10.5555/COCHRANE.1
AB: AIM: to test.
RESULTS: as hoped.
US: https://www.example.org/central/doi/10.5555/central/CN-00000001/full
`
  const text = `\uFEFFRecord #1 of 3\n${one}\n\nRecord #2 of 3\nID: CN-00000002\nAU: Doe K\nYR: 2025\n\n\nRecord #3 of 3\nID: CD000003\nTI: A review\n`
  t.equal(recordFormatOf(text.slice(1))?.name, 'cochrane')
  for (const content of [text, text.replaceAll('\n', '\r\n')]) {
    const [first, second, third, ...others] = await readAll('cochrane', content)
    t.strictSame(others, [])
    t.match(first, {
      record: {
        title: 'Sleep, memory and replay',
        abstract: 'AIM: to test. RESULTS: as hoped.',
        authors: [{ name: 'AB Böhm' }, { name: 'J García Luján' }],
        published_date: '2026-01-01',
        doi: '10.5555/cochrane.1',
        venue_name: 'Journal of tests',
        external_ids: { pmid: '990000009' },
        source_paper_id: 'CN-00000001',
        metadata: {
          publication_types: ['Journal article', 'Clinical trial'],
          volume: '12',
          issue: '3',
          pages: '34-56',
          keywords: ['Adult', 'Memory [physiology]', 'Sleep']
        }
      }
    })
    t.match(second, { place: 2, reason: 'title is missing' })
    t.match(third, { record: { title: 'A review', authors: [] } })
  }
  t.match(await readRecords('cochrane', 'ID: CN-1\nTI: One\nID: CN-2\nTI: Two\n'), [{ title: 'One' }, { title: 'Two' }])
})
