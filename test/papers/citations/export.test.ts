import { join } from 'node:path'
import t from 'tap'
import type { FeedItem } from '../../../schemas/feed.js'
import { linkBits } from '../../../schemas/relevance.js'
import { feedExport } from '../../../src/operations/feed/feed-export.js'
import { feedGet } from '../../../src/operations/feed/feed-get.js'
import { feedPage } from '../../../src/operations/feed/feed-page.js'
import { feedbackSet } from '../../../src/operations/feed/feedback-set.js'
import { papersImport } from '../../../src/operations/papers/papers-import.js'
import { itemUpdate } from '../../../src/operations/feed/item-update.js'
import { readRecords } from '../../support/readings.js'
import { projectWith, testService } from '../../support/service.js'

const formulas = ['=HYPERLINK("https://evil.example")', '+1+1', '-2+3', '@SUM(A1)', ' =1', '\t=1', '＝1+1', 'a\n=cmd', 'b;@x']

t.test('an export', async t => {
  const { user } = await testService(t)
  const { context } = await user()
  const project_id = await projectWith({ context } as never, formulas.map((title, at) => ({
    title: `${title} number ${at}`,
    doi: `10.5555/export.${at}`,
    authors: [{ name: '=Bobby "Tables", Jr.' }],
    metadata: { keywords: ['Sleep'] }
  })))
  const { items } = await feedGet.run(context, { project_id, limit: 50 })
  const [first] = items as [FeedItem]
  await itemUpdate.run(context, { ref: first.id, saved: true, tags: ['SLEEP', 'to cite', '=x'], note: '=2+2\nsecond line' })
  await feedbackSet.run(context, { paper_id: first.id, vote: 'downvote', downvote_reason: 'low_quality' })
  const exported = async (input: object) => {
    let text = ''
    for await (const part of (await feedExport.run(context, { project_id, ...input })).parts) text += part
    return text
  }

  await t.test('as CSV has votes, tags and notes, without spreadsheet formulas', async t => {
    const [head, ...rows] = cellsOf((await exported({ format: 'csv' })).slice(1))
    t.equal(rows.length, formulas.length)
    const cell = (row: string[], name: string) => row[head!.indexOf(name)]
    const row = rows.find(each => cell(each, 'id') === first.id)!
    t.strictSame(['vote', 'downvote_reason', 'saved', 'tags', 'note'].map(name => cell(row, name)),
      ['downvote', 'low_quality', 'true', 'SLEEP; to cite; =x', "'=2+2\nsecond line"])
    for (const cells of rows) for (const text of cells) t.notMatch(text, /^\s*[=+\-@＝]|[;\n\r\t][=+\-@＝]/u, JSON.stringify(text))
    t.ok((await exported({ format: 'csv' })).startsWith('\ufefftitle,'), 'with a byte order mark')
  })

  await t.test('as CSV can be imported again', async t => {
    const records = await readRecords('csv', await exported({ format: 'csv' }))
    const papers = items.map(({ paper }) => paper)
    t.equal(records.length, papers.length)
    for (const paper of papers) {
      const record = records.find(({ doi }) => doi === paper.doi)!
      // An import reads titles as one line. The space keeps spreadsheets from running what follows.
      t.equal(record.title, paper.title.replace(/\s+/g, ' ').trim().replace(';@', '; @'))
      t.strictSame(record.authors, paper.authors)
      t.strictSame(record.metadata, {})
    }
    const whole = {
      title: 'Sleep, "replay" & memory',
      abstract: '-5 °C; so.\n\nAn end.',
      authors: ['Jan van der Berg', 'Research, Development and Sons', 'Ana B', 'EEG Consortium UK'].map(name => ({ name })),
      published_date: '2021-04-05',
      url: 'https://example.org/a?b=1;c=2',
      pdf_url: 'https://arxiv.org/pdf/2401.01234',
      doi: '10.5555/export.whole',
      venue_name: 'Journal of A & B',
      external_ids: { pmid: '990000123', pmcid: 'PMC990009', arxiv: '2401.01234', openalex: 'W12' }
    }
    const other = await projectWith({ context } as never, [whole])
    const file = await exported({ project_id: other, format: 'csv' })
    t.match(await readRecords('csv', file), [whole])
    const path = join(t.testdir({ 'feed.csv': file }), 'feed.csv')
    const stranger = await user()
    const again = await projectWith(stranger, [])
    t.match(await papersImport.run(stranger.context, { project_id: again, files: [path] }), { created: 1, rejected: { length: 0 } })
    t.match((await feedGet.run(stranger.context, { project_id: again })).items, [{ paper: whole }])
  })

  await t.test('has tags as keywords and the note if the format supports it', async t => {
    const items = first.id
    t.match(await exported({ format: 'ris', items }), /^KW {2}- Sleep\nKW {2}- to cite\nKW {2}- =x$[\s\S]*^N1 {2}- =2\+2 second line$/m)
    t.match(await exported({ format: 'bibtex', items }), /keywords = \{Sleep, to cite, =x\}[\s\S]*annote = \{=2\+2\nsecond line\}/)
    t.match(JSON.parse(await exported({ format: 'csl', items })), [{ keyword: 'Sleep, to cite, =x', note: '=2+2\nsecond line' }])
  })

  await t.test('contains only selected, tagged or saved items', async t => {
    const ids = items.slice(0, 3).map(({ id }) => id)
    const count = async (input: object) => (await exported({ format: 'ris', ...input })).match(/^ER/gm)?.length ?? 0
    t.equal(await count({ items: ids.join(',') }), 3)
    t.equal(await count({ items: ids.join(','), saved: true }), 1)
    t.equal(await count({ tag: 'TO CITE' }), 1)
    t.equal(await count({ saved: false }), formulas.length - 1)
    t.equal(await count({ q: 'number', tag: 'to cite' }), 1)
    for (const wrong of ['', 'x', `${first.id},x`, Array.from({ length: 201 }, () => first.id).join(',')]) {
      await t.rejects(exported({ items: wrong }), { code: 'invalid_arguments' }, wrong.slice(0, 50))
    }
    const stranger = (await user()).context
    const theirs = await projectWith({ context: stranger } as never, [])
    let text = ''
    for await (const part of (await feedExport.run(stranger, { project_id: theirs, format: 'ris', items: first.id })).parts) text += part
    t.equal(text, '', 'nothing of another account')
  })

  await t.test('refuses a period or a range of scores that ends before it begins', async t => {
    for (const inverted of [{ since: '2026-12-01', until: '2026-11-01' }, { min_score: 0.9, max_score: 0.1 }]) {
      await t.rejects(exported(inverted), { code: 'invalid_arguments', userMessage: /Swap its ends/ })
    }
  })

  await t.test('contains exactly the items that a page lists under the same filters', async t => {
    const project_id = await projectWith({ context } as never, Array.from({ length: 12 }, (_, at) => ({ title: `Filtered ${at}` })))
    for (const [at, { id }] of (await feedGet.run(context, { project_id, limit: 12 })).items.entries()) {
      await context.db.updateTable('project_paper').where('id', '=', id).set({
        relevance_score: at / 11,
        ready_at: new Date(Date.UTC(2026, 1, 1 + at % 4, 23, 59)),
        links: at % 3 === 0 ? linkBits.followed : 0
      }).execute()
    }
    const filters = [
      { min_score: 0.5 },
      { max_score: 0.5 },
      { min_score: 0.2, max_score: 1 },
      { since: '2026-02-03' },
      { until: '2026-02-03' },
      { since: '2026-02-02', until: '2026-02-04' },
      { link: 'followed' },
      { link: 'followed', min_score: 0.2, since: '2026-02-02', saved: false }
    ]
    for (const filter of filters) {
      for (const q of [undefined, 'filtered']) {
        const name = JSON.stringify({ ...filter, q })
        const listed = (await feedPage.run(context, { project_id, limit: 100, q, ...filter })).items.map(({ id }) => id)
        t.ok(listed.length > 1 && listed.length < 12, name)
        const [head, ...rows] = cellsOf((await exported({ project_id, format: 'csv', q, ...filter })).slice(1))
        t.strictSame(rows.map(row => row[head!.indexOf('id')]).sort(), listed.sort(), name)
        t.equal((await exported({ project_id, format: 'ris', ...filter, items: listed[0] })).match(/^ER/gm)?.length, 1)
      }
    }
    await t.rejects(exported({ min_score: 2 }), { code: 'invalid_arguments' })
    await t.rejects(exported({ since: 'yesterday' }), { code: 'invalid_arguments' })
  })
})

/** Reads CSV as RFC 4180 has it. */
function cellsOf (text: string): string[][] {
  const rows: string[][] = [[]]
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    rows.at(-1)!.push(quoted?.replaceAll('""', '"') ?? plain!)
    if (end !== ',') rows.push([])
  }
  return rows.slice(0, -1)
}
