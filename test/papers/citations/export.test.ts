import t from 'tap'
import type { FeedItem } from '../../../schemas/feed.js'
import { feedExport } from '../../../src/operations/feed/feed-export.js'
import { feedGet } from '../../../src/operations/feed/feed-get.js'
import { feedbackSet } from '../../../src/operations/feed/feedback-set.js'
import { itemUpdate } from '../../../src/operations/feed/item-update.js'
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
