import t from 'tap'
import { searchStorage } from '../../db/queries/search-storage.js'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { readFilters } from '../../src/search/filters.js'
import type { GroupOptions, SearchStorage } from '../../src/search/storage.js'
import { projectWith, testService } from '../support/service.js'

const feed = { accountId: 'account', projectId: 'project' }
/** A feed in which this many items are in every group. */
const storageOf = (count: number) => ({
  listNumbers: async (_feed: unknown, _group: string, { limit = Infinity }: GroupOptions) =>
    Array.from({ length: Math.min(count, limit) }, (_each, at) => at)
}) as unknown as SearchStorage

t.test('lists a small group, and filters results by a large one', async t => {
  const asOf = new Date()
  for (const seen of [true, false]) {
    const { filters, unlisted } = await readFilters(storageOf(2000), feed, { seen, must_read: true, asOf })
    t.match(filters, [{ keep: seen }, { keep: true }])
    t.strictSame(unlisted, {})
    const large = await readFilters(storageOf(100_000), feed, { seen, must_read: true, asOf })
    t.strictSame(large, { filters: [], unlisted: { seen, seenBy: seen ? undefined : asOf, mustRead: true } })
  }
})

t.test('results are filtered by whether they were seen, also by an earlier time', async t => {
  const { context: { db }, user } = await testService(t)
  const owner = await user()
  const projectId = await projectWith(owner, ['Early', 'Late', 'Never'].map(title => ({ title })))
  const { items } = await feedGet.run(owner.context, { project_id: projectId })
  const idOf = (title: string) => items.find(({ paper_title }) => paper_title === title)!.id
  for (const [title, seen_at] of [['Early', new Date('2026-11-01')], ['Late', new Date('2026-11-03')]] as const) {
    await db.updateTable('project_paper').set({ seen_at }).where('id', '=', idOf(title)).execute()
  }
  const passing = async (filter: object) => {
    const ids = await searchStorage(db).filterItems({ accountId: owner.context.account.id, projectId }, items.map(({ id }) => id), filter)
    return items.filter(({ id }) => ids.includes(id)).map(({ paper_title }) => paper_title).sort()
  }
  t.strictSame(await passing({ seen: true }), ['Early', 'Late'])
  t.strictSame(await passing({ seen: false }), ['Never'])
  t.strictSame(await passing({ seen: false, seenBy: new Date('2026-11-02') }), ['Late', 'Never'])
})
