import t from 'tap'
import { recordFormatOf } from '../../../src/sources/formats/index.js'
import { readAll, readRecords } from '../../support/readings.js'

const file = `\uFEFFFN Clarivate Analytics Web of Science
VR 1.0
PT J
AU Böhm, AB
   García Luján, J
AF Böhm, Ana B.
   García Luján, José
CA Sleep Owls
TI Sleep, memory
   and replay
SO JOURNAL OF TESTS
LA English
DT Article
DE sleep; memory;
   hippocampus
AB An abstract that
   is wrapped.
SN 1525-1234
EI 0028-0836
J9 J TEST
JI J. Test
PD MAR
PY 2026
VL 12
IS 3
BP 34
EP 56
DI 10.5555/WOS.1
UT WOS:000000000000001
PM 990000007
ER

PT S
AU Doe, K
TI A talk
SO PROCEEDINGS OF TESTS
DT Proceedings Paper; Retracted Publication
PY 2025
AR 101
ER

PT J
AU Roe, R
PY 2024
ER

EF
`

t.test('Web of Science: each tag fills its field, and lines of names are names', async t => {
  for (const head of [file, file.slice(file.indexOf('PT J'))]) t.equal(recordFormatOf(head.replace('\uFEFF', ''))?.name, 'web-of-science')
  for (const [at, content] of [file, file + file, file.replaceAll('\n', '\r\n')].entries()) {
    const [first, second, third, ...others] = await readAll('web-of-science', content, 7)
    t.equal(others.length, at === 1 ? 3 : 0)
    t.match(first, {
      record: {
        title: 'Sleep, memory and replay',
        abstract: 'An abstract that is wrapped.',
        authors: [{ name: 'Ana B. Böhm' }, { name: 'José García Luján' }, { name: 'Sleep Owls', group: true }],
        published_date: '2026-03-01',
        doi: '10.5555/wos.1',
        venue_name: 'JOURNAL OF TESTS',
        external_ids: { pmid: '990000007' },
        source: { name: 'web-of-science' },
        metadata: {
          type: 'Article',
          published: '2026 MAR',
          journal_abbreviation: 'J. Test',
          volume: '12',
          issue: '3',
          pages: '34-56',
          issn: '1525-1234',
          issns: ['1525-1234', '0028-0836'],
          language: 'English',
          keywords: ['sleep', 'memory', 'hippocampus']
        }
      }
    })
    t.match(second, { record: { title: 'A talk', published_date: '2025-01-01', metadata: { pages: '101', retracted: true } } })
    t.match(third, { place: 3, reason: 'title is missing' })
  }
})

t.test('Web of Science: a record without an end ends where the next begins', async t => {
  t.match(await readRecords('web-of-science', 'FN Clarivate\nPT J\nTI One\nPT J\nTI Two\nER\n'), [{ title: 'One' }, { title: 'Two' }])
  t.match(await readAll('web-of-science', `PT J\nTI Long\n${'AU \n'.repeat(200_000)}ER\nPT J\nTI Short\nER\n`), [
    { reason: /longer than 8 MB/ },
    { record: { title: 'Short' } }
  ])
})
