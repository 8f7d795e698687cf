import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { sql } from 'kysely'
import type { Db } from '../../db/connection.js'
import { claimNoticeBatch, markNoticesSent } from '../../db/queries/alert-notices.js'
import { deleteAlert } from '../../db/queries/alerts.js'
import type { NoticeKind } from '../../schemas/notice.js'
import { numberedPapers } from '../support/numbered-papers.js'
import { explainInserts, explainSelects, explainUpdates } from '../support/plans.js'
import { projectWith, testService } from '../support/service.js'

const paperCount = 2400
const limit = 900
/** Rows that a step of a plan may pass on: a slice of both ranges. */
const maxRows = 1000
const day = (number: number) => new Date(Date.UTC(2026, 0, number))
/** When the alert was created: the account was told of some notices before. */
const created_at = day(10)

interface Notice { id: string, paper_id: string, kind: NoticeKind, found_at: Date, withdrawn_at: Date | null, is_watched: boolean | null }
interface Sent { notice_id: string, withdrawn: boolean }

/** A database that counts the transactions that begin, and does something else before one of them. */
function hookedDb (db: Db, { at, run }: { at?: number, run?: () => Promise<unknown> } = {}): { hooked: Db, begun: () => number } {
  let begun = 0
  const hooked = new Proxy(db, {
    get (target, name) {
      const value = Reflect.get(target, name) as unknown
      if (name !== 'transaction') return typeof value === 'function' ? value.bind(target) : value
      const execute = async (work: (transaction: Db) => Promise<unknown>) => {
        if (++begun === at) await run!()
        return await target.transaction().execute(work)
      }
      return () => ({ execute })
    }
  })
  return { hooked, begun: () => begun }
}

t.test('the notices of an alert among thousands', { timeout: 240_000 }, async t => {
  const { user: newUser, context: { db } } = await testService(t)
  const user = await newUser()
  const { id: accountId } = user.context.account
  const project_id = await projectWith(user, [])
  const other = await projectWith(user, [])
  const addAlert = async () => {
    const settings = { kind: 'email', target: `${randomUUID()}@example.org`, frequency: 'daily', must_read: false } as const
    const { id } = await db.insertInto('alert').values({ project_id, ...settings, next_send_at: day(11), created_at }).returning('id')
      .executeTakeFirstOrThrow()
    return { id, project_id, created_at }
  }
  const alert = await addAlert()
  // One check finds half of them at once. One in three is not watched, and one in seven is in another feed.
  await sql`
    with papers as (${numberedPapers(accountId, paperCount)}), items as (
      insert into project_paper (project_id, paper_id, relevance_score, relevance_class, ready_at, vote)
      select case when n % 7 = 0 then ${other}::uuid else ${project_id}::uuid end, id, 0, 'related', ${day(1)},
        case when n % 3 > 0 then 'upvote' end
      from papers
    ), stated as (
      insert into paper_notice (paper_id, source, kind, reference, first_seen_at, withdrawn_at)
      select id, 'crossref', kind, '', ${day(1)}, case when n % 50 = 3 then ${day(20)}::timestamptz end
      from papers cross join (values ('correction'), ('expression_of_concern')) as kinds (kind) where kind = 'correction' or n % 4 = 0
      returning id, paper_id, kind
    )
    insert into account_notice (account_id, notice_id, found_at, is_warning)
    select ${accountId}, stated.id, case when n between 600 and 1799 and kind = 'correction' then ${day(40)}::timestamptz
        else ${day(1)}::timestamptz + n * 7919 % 1009 * interval '2 hours' end, kind <> 'correction'
    from stated join papers on papers.id = stated.paper_id`.execute(db)

  const listNotices = async () => (await sql<Notice>`
    select paper_notice.id, paper_notice.paper_id, kind, found_at, withdrawn_at, vote is not null as is_watched
    from account_notice join paper_notice on paper_notice.id = notice_id
    left join project_paper on project_paper.paper_id = paper_notice.paper_id and project_id = ${project_id}
    where project_paper.id is not null order by found_at, paper_notice.id desc`.execute(db)).rows
  const listSent = async (batch?: string, alertId = alert.id) => await db.selectFrom('alert_notice').select(['notice_id', 'withdrawn'])
    .where('alert_id', '=', alertId).$if(batch !== undefined, query => query.where('batch', '=', batch!)).execute()
  const keyOf = ({ notice_id, withdrawn }: Sent) => `${notice_id} ${withdrawn}`
  /** The notices of the next batch. */
  const expected = async (): Promise<string[]> => {
    const [notices, sent] = [await listNotices(), new Set((await listSent()).map(keyOf))]
    const isSent = (id: string) => sent.has(`${id} false`)
    const warned = new Set(notices.filter(({ kind, id }) => kind !== 'correction' && isSent(id)).map(({ paper_id }) => paper_id))
    const due = notices.filter(({ id, paper_id, found_at, withdrawn_at, is_watched }) =>
      found_at >= created_at && withdrawn_at === null && !isSent(id) && (is_watched === true || warned.has(paper_id)))
    const withdrawn = notices.filter(({ id, kind, withdrawn_at }) =>
      withdrawn_at !== null && kind !== 'correction' && isSent(id) && !sent.has(`${id} true`))
    return [...due.slice(0, limit).map(({ id }) => `${id} false`), ...withdrawn.map(({ id }) => `${id} true`)].sort()
  }
  /** Claims and sends batches until none is left. @returns their sizes */
  const sendAll = async (t: Test): Promise<number[]> => {
    const sizes: number[] = []
    for (;;) {
      const next = await expected()
      const claimed = await claimNoticeBatch(db, accountId, alert, limit)
      const members = claimed === undefined ? [] : await listSent(claimed.batch)
      t.equal(members.map(keyOf).sort().join(), next.join(), `${next.length} notices`)
      if (claimed === undefined) return sizes
      const papersOf = new Map((await listNotices()).map(({ id, paper_id }) => [id, paper_id]))
      t.strictSame(
        claimed.papers.map(({ id }) => id).sort(),
        [...new Set(members.map(({ notice_id }) => papersOf.get(notice_id)!))].sort()
      )
      t.match(await claimNoticeBatch(db, accountId, alert, limit), { batch: claimed.batch }, 'until its delivery is certain')
      await markNoticesSent(db, accountId, alert.id, claimed.batch, day(50))
      sizes.push(members.length)
    }
  }
  const readSlices = async (t: Test) => {
    for (const explain of [explainSelects, explainInserts, explainUpdates]) {
      const statements = await explain(db, async recorded => {
        const claimed = await claimNoticeBatch(recorded, accountId, alert, 100)
        await markNoticesSent(recorded, accountId, alert.id, claimed!.batch, day(50))
      })
      const rows = statements.map(statement => statement.rows)
      t.ok(rows.length > 0 && Math.max(...rows) <= maxRows, `${rows.join(', ')} rows`)
    }
  }

  await t.test('are read in slices before the database has statistics', readSlices)
  await t.test('are sent once each, in the order in which they were found', async t => {
    const sizes = await sendAll(t)
    t.ok(sizes.length > 1 && sizes[0] === limit, sizes.join(', '))
  })
  await t.test('are sent later where their paper is starred, or a warning on it was sent', async t => {
    const unsent = (await listNotices()).filter(({ found_at, withdrawn_at, is_watched }) =>
      found_at >= created_at && withdrawn_at === null && is_watched === false)
    const starred = unsent.find(({ kind }) => kind === 'correction')!
    await db.updateTable('project_paper').set({ vote: 'star' }).where('paper_id', '=', starred.paper_id).execute()
    const warned = unsent.find(({ kind, paper_id }) => kind !== 'correction' && paper_id !== starred.paper_id)!
    await db.updateTable('project_paper').set({ vote: 'star' }).where('paper_id', '=', warned.paper_id).execute()
    t.equal((await sendAll(t)).length, 1)
    await db.updateTable('project_paper').set({ vote: null }).where('paper_id', '=', warned.paper_id).execute()
    const worse = await db.insertInto('paper_notice')
      .values({ paper_id: warned.paper_id, source: 'crossref', kind: 'retraction', reference: '', first_seen_at: day(60) }).returning('id')
      .executeTakeFirstOrThrow()
    await db.insertInto('account_notice').values({ account_id: accountId, notice_id: worse.id, found_at: day(60), is_warning: true })
      .execute()
    t.strictSame(await sendAll(t), [1])
  })
  await t.test('are sent where they were withdrawn since, once', async t => {
    await sql`update paper_notice set withdrawn_at = ${day(61)} where kind = 'expression_of_concern' and withdrawn_at is null
      and not exists (select from paper_notice other where other.paper_id = paper_notice.paper_id and other.kind = 'retraction')`.execute(db)
    const [size, ...others] = await sendAll(t)
    t.ok(size! > 100 && others.length === 0, `${size} withdrawals`)
  })
  await t.test('are read in slices among thousands that were sent', async t => {
    await sql`update project_paper set vote = 'star' where vote is null`.execute(db)
    await sql`vacuum analyze`.execute(db)
    await readSlices(t)
  })
  /** Claims notices while something else happens once they were found. */
  const claimMeanwhile = async (claimed: typeof alert, run: () => Promise<unknown>) => {
    const { hooked, begun } = hookedDb(db)
    // The last transaction claims the notices of an alert that is like this one.
    await claimNoticeBatch(hooked, accountId, await addAlert(), 30)
    return await claimNoticeBatch(hookedDb(db, { at: begun(), run }).hooked, accountId, claimed, 30)
  }
  await t.test('are sent once each by two runs at the same time', async t => {
    const shared = await addAlert()
    const late = await claimMeanwhile(shared, async () => {
      const claimed = await claimNoticeBatch(db, accountId, shared, 20)
      await markNoticesSent(db, accountId, shared.id, claimed!.batch, day(50))
    })
    const rows = await db.selectFrom('alert_notice').select(['batch', 'notice_id', 'sent_at']).where('alert_id', '=', shared.id).execute()
    const sizes = [rows.filter(({ sent_at }) => sent_at !== null), rows.filter(({ batch }) => batch === late?.batch), rows]
    t.strictSame(sizes.map(({ length }) => length), [20, 10, 30])
    t.equal(new Set(rows.map(({ notice_id }) => notice_id)).size, 30)
    const claimed = await Promise.all([1, 2, 3].map(() => claimNoticeBatch(db, accountId, shared, 20)))
    t.strictSame(claimed.map(each => each?.batch), [late!.batch, late!.batch, late!.batch])
    const fresh = await addAlert()
    const batches = (await Promise.all([1, 2, 3].map(() => claimNoticeBatch(db, accountId, fresh, 20)))).flatMap(each => each?.batch ?? [])
    t.equal(new Set(batches).size, 1)
    t.equal((await listSent(batches[0], fresh.id)).length, 20)
  })
  await t.test('are claimed without those that were withdrawn or deleted meanwhile', async t => {
    const first = (await listNotices()).filter(({ found_at, withdrawn_at }) => found_at >= created_at && withdrawn_at === null).slice(0, 2)
    const changed = await addAlert()
    const claimed = await claimMeanwhile(changed, async () => {
      await db.updateTable('paper_notice').set({ withdrawn_at: day(62) }).where('id', '=', first[0]!.id).execute()
      await db.deleteFrom('paper_notice').where('id', '=', first[1]!.id).execute()
    })
    t.equal((await listSent(claimed!.batch, changed.id)).length, 28)
  })
  await t.test('are not claimed when the alert was deleted meanwhile', async t => {
    const gone = await addAlert()
    t.equal(await claimMeanwhile(gone, async () => await deleteAlert(db, accountId, gone.id)), undefined)
    t.strictSame(await db.selectFrom('alert_notice').select('notice_id').where('alert_id', '=', gone.id).execute(), [])
  })
})
