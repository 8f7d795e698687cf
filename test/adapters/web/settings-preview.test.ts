import t from 'tap'
import { h } from 'preact'
import { render } from 'preact-render-to-string'
import type { View } from '../../../src/adapters/web/page.js'
import { type Preview, SettingsPreview } from '../../../src/adapters/web/pages/project-settings/preview.js'
import { ViewContext } from '../../../src/adapters/web/view.js'

const papers = (count: number, now: number | null) =>
  Array.from({ length: count }, (_, at) => ({ paper_id: `id-${at}`, title: `Paper ${at}`, relevance_score: 0.8, now }))
/** The text of a preview, which changes these fields of one that changes nothing. */
function textOf (change: Partial<Preview>): string {
  const preview = {
    since: '2026-11-01T00:00:00Z',
    compared: 1200,
    not_compared: 300,
    complete: true,
    counts: { added: 0, dropped: 0, must_read: 5, must_read_now: 5 },
    added: [],
    dropped: [],
    ...change
  } as unknown as Preview
  const view = { to: (path: string) => path } as unknown as View
  return render(h(ViewContext.Provider, { value: view }, h(SettingsPreview, { preview }))).replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')
}
const counts = (part: object) => ({ added: 0, dropped: 0, must_read: 5, must_read_now: 5, ...part }) as unknown as Preview['counts']

t.test('a settings preview shows the pending changes', async t => {
  t.match(textOf({ compared: 0 }), /No paper would be added or removed\. The feed keeps 300 papers that were imported, rated/)
  t.match(textOf({}), /Of the 1,200 papers .* the same as now.* The feed would not change\./)
  t.match(textOf({ complete: false, counts: counts({ must_read: 7 }) }), /Of the newest 1,200 papers .* 2 more than now/)
  t.match(
    textOf({ counts: counts({ must_read: 2, dropped: 1 }), dropped: papers(1, 0.4) as never }),
    /3 fewer than now.*Added 0 None\. Removed 1 .*Paper 0.*40 → 80/
  )
  t.match(textOf({ counts: counts({ added: 20 }), added: papers(10, null) as never }), /Added 20 .*Paper 7 .*2 more of 12 .*Paper 9/)
})
