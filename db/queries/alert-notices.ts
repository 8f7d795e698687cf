import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../connection.js'
import { type NoticeKind, noticeKinds } from '../../schemas/notice.js'
import { findUnsentBatch, maySendAlert } from './alert-batches.js'
import type { AlertDetails } from './alerts.js'
import { anyUuid } from './any-of.js'
import { readInIndexOrder, walkInIndexOrder } from './index-order.js'
import { isWatched, noticeOrder, noticesFor } from './notices.js'
import { isOwnAlert } from './ownership.js'
import { retryConflicts } from './retry.js'
import { rangesAfter, rangesBefore } from './sort-keys.js'

/** Notices that one statement reads, so that others run in between. */
const rowsPerStatement = 500

type ClaimedAlert = Pick<AlertDetails, 'id' | 'project_id' | 'created_at'>

/** A notice to send, or a warning whose withdrawal is to be sent. */
interface DueNotice { notice_id: string, withdrawn: boolean }

/**
 * Collects one batch: notices of which the account was notified since the alert was created, on papers that it watches in the alert's
 * project or whose warning the alert sent, and that were not sent yet; and warnings that were sent and withdrawn since, unless one as
 * serious stands. A batch whose delivery is uncertain comes first, under its own id. Statements outside the transaction find the notices,
 * since there may be many.
 * @param limit maximum notices, and maximum withdrawals
 * @returns the papers, each with all notices of which the account was notified, when the last of them that was sent was found, and the
 * kinds of warnings that were withdrawn; undefined if there is nothing to send, or the alert is another account's
 */
export async function claimNoticeBatch (db: Db, accountId: string, alert: ClaimedAlert, limit: number) {
  const isUncertain = await findUnsentBatch(db, 'alert_notice', alert.id) !== undefined
  const due = isUncertain ? [] : await listDueNotices(db, accountId, alert, limit)
  if (!isUncertain && due.length === 0) return undefined
  return await retryConflicts(() => readInIndexOrder(db, transaction => claim(transaction, accountId, alert, due)))
}

/** The notices found first, and the warnings withdrawn first. Any notice can become due later: when its paper is starred. */
async function listDueNotices (db: Db, accountId: string, alert: ClaimedAlert, limit: number): Promise<DueNotice[]> {
  const withdrawals: Array<{ notice_id: string, time: number }> = []
  /** Until when each paper had a warning that the alert sent. */
  const warnedUntil = new Map<string, number>()
  for await (const warnings of walkWarnings(db, accountId, alert)) {
    for (const { notice_id, sent } of warnings) {
      if (sent === null) continue
      const until = sent.withdrawn_at === null ? Infinity : new Date(sent.withdrawn_at).getTime()
      if (sent.is_due) withdrawals.push({ notice_id, time: until })
      warnedUntil.set(sent.paper_id, Math.max(until, warnedUntil.get(sent.paper_id) ?? -Infinity))
    }
  }
  const due: DueNotice[] = []
  for await (const notices of walkNotices(db, accountId, alert)) {
    for (const { notice_id, unsent } of notices) {
      if (unsent === null || due.length === limit) continue
      const follows = (warnedUntil.get(unsent.paper_id) ?? -Infinity) >= new Date(unsent.first_seen_at).getTime()
      if (unsent.is_watched || follows) due.push({ notice_id, withdrawn: false })
    }
    if (due.length === limit) break
  }
  withdrawals.sort((a, b) => a.time - b.time || (a.notice_id < b.notice_id ? -1 : 1))
  return [...due, ...withdrawals.slice(0, limit).map(({ notice_id }) => ({ notice_id, withdrawn: true }))]
}

/** A notice of which the account was notified. */
interface AccountNotice { found_at: Date, notice_id: string }

/** A warning that the alert sent. Times are as JSON has them. */
interface SentWarning {
  paper_id: string
  withdrawn_at: string | null
  /** Whether the alert is to report that it was withdrawn. */
  is_due: boolean
}

/** The warnings of which the account was notified. Each offset makes lookups row by row. @returns `sent`: null unless the alert sent it */
const walkWarnings = (db: Db, accountId: string, { id }: ClaimedAlert) =>
  walkInIndexOrder(db, async (transaction, last: AccountNotice | undefined) => {
    const ranges = rangesAfter(noticeOrder, last && { keys: [last.found_at], id: last.notice_id }).map(range => sql`(
      select found_at, notice_id from account_notice where account_id = ${accountId} and is_warning and ${range}
      order by found_at desc, notice_id limit ${sql.lit(rowsPerStatement)})`)
    const kinds = sql`${[...noticeKinds]}::text[]`
    const { rows } = await sql<AccountNotice & { sent: SentWarning | null }>`
      select notified.found_at, notified.notice_id, (
        select jsonb_build_object('paper_id', stated.paper_id, 'withdrawn_at', stated.withdrawn_at, 'is_due',
          stated.withdrawn_at is not null
          and not exists (
            select from alert_notice where alert_id = ${id} and alert_notice.notice_id = notified.notice_id and withdrawn offset 0)
          and not exists (
            select from paper_notice other where other.paper_id = stated.paper_id and other.withdrawn_at is null
              and array_position(${kinds}, other.kind) <= array_position(${kinds}, stated.kind) offset 0))
        from paper_notice stated where stated.id = notified.notice_id and exists (
          select from alert_notice
          where alert_id = ${id} and alert_notice.notice_id = notified.notice_id and not withdrawn and sent_at is not null offset 0)
      ) as sent
      from (
        select * from (${sql.join(ranges, sql` union all `)}) ranges
        order by found_at desc, notice_id limit ${sql.lit(rowsPerStatement)}
      ) notified
      order by notified.found_at desc, notified.notice_id`.execute(transaction)
    return rows
  })

/** A notice on a paper in the feed that the alert did not send. Times are as JSON has them. */
interface UnsentNotice { paper_id: string, first_seen_at: string, is_watched: boolean }

/** The notices of which the account was notified since the alert was created, first found first. @returns `unsent`: null for others */
const walkNotices = (db: Db, accountId: string, { id, project_id, created_at }: ClaimedAlert) =>
  walkInIndexOrder(db, async (transaction, last: AccountNotice | undefined) => {
    const ranges = rangesBefore(noticeOrder, last && { keys: [last.found_at], id: last.notice_id }).map(range => sql`(
      select found_at, notice_id from account_notice where account_id = ${accountId} and found_at >= ${created_at} and ${range}
      order by found_at, notice_id desc limit ${sql.lit(rowsPerStatement)})`)
    const { rows } = await sql<AccountNotice & { unsent: UnsentNotice | null }>`
      select notified.found_at, notified.notice_id, case when not exists (
        select from alert_notice where alert_id = ${id} and alert_notice.notice_id = notified.notice_id offset 0
      ) then (
        select jsonb_build_object('paper_id', stated.paper_id, 'first_seen_at', stated.first_seen_at, 'is_watched', item.is_watched)
        from (select * from paper_notice where id = notified.notice_id and withdrawn_at is null offset 0) stated
        cross join lateral (
          select ${isWatched('project_paper')} as is_watched from project_paper
          where project_id = ${project_id} and paper_id = stated.paper_id offset 0
        ) item
      ) end as unsent
      from (
        select * from (${sql.join(ranges, sql` union all `)}) ranges
        order by found_at, notice_id desc limit ${sql.lit(rowsPerStatement)}
      ) notified
      order by notified.found_at, notified.notice_id desc`.execute(transaction)
    return rows
  })

/** Claims these notices unless a batch is uncertain: those that no other batch has, and that were not withdrawn or deleted meanwhile. */
async function claim (transaction: Db, accountId: string, { id, project_id }: ClaimedAlert, due: readonly DueNotice[]) {
  if (!await maySendAlert(transaction, accountId, { id, project_id })) return undefined
  const unsent = await findUnsentBatch(transaction, 'alert_notice', id)
  const batch = unsent ?? randomUUID()
  if (unsent === undefined) {
    await sql`
      insert into alert_notice (alert_id, notice_id, batch, withdrawn)
      select ${id}::uuid, due.notice_id, ${batch}::uuid, due.withdrawn
      from jsonb_to_recordset(${JSON.stringify(due)}::jsonb) as due (notice_id uuid, withdrawn boolean)
      cross join lateral (
        select from paper_notice where id = due.notice_id and (withdrawn_at is not null) = due.withdrawn offset 0
      ) stated
      on conflict do nothing`.execute(transaction)
  }
  const { rows: claimed } = await sql<{ paper_id: string, kind: NoticeKind, withdrawn: boolean }>`
    select stated.paper_id, stated.kind, alert_notice.withdrawn from alert_notice cross join lateral (
      select paper_id, kind from paper_notice where paper_notice.id = alert_notice.notice_id offset 0
    ) stated
    where alert_id = ${id} and batch = ${batch} and sent_at is null`.execute(transaction)
  if (claimed.length === 0) return undefined
  const papers = await transaction.selectFrom('paper')
    .select(['paper.id', 'paper.title', 'paper.url', 'paper.doi', 'paper.reference_label'])
    .select(noticesFor(accountId).as('notices'))
    .select(sql<Date | null>`(
      select max(notified.found_at) from (select id from paper_notice where paper_id = paper.id offset 0) stated
      cross join lateral (
        select from alert_notice where alert_id = ${id} and notice_id = stated.id and sent_at is not null offset 0
      ) sent
      cross join lateral (select found_at from account_notice where account_id = ${accountId} and notice_id = stated.id offset 0) notified
      )`.as('sent_through'))
    .where('paper.id', '=', anyUuid(new Set(claimed.map(({ paper_id }) => paper_id))))
    .orderBy('paper.title').orderBy('paper.id').execute()
  const withdrawnKinds = (paperId: string) =>
    claimed.filter(({ paper_id, withdrawn }) => withdrawn && paper_id === paperId).map(({ kind }) => kind)
  return { batch, papers: papers.map(paper => ({ ...paper, withdrawn_kinds: withdrawnKinds(paper.id) })) }
}

/** Records that the target of the account's alert accepted a batch of notices. */
export const markNoticesSent = (db: Db, accountId: string, id: string, batch: string, now: Date) =>
  db.updateTable('alert_notice').set({ sent_at: now }).where('batch', '=', batch).where('sent_at', 'is', null)
    .where('alert_id', 'in', ({ selectFrom }) =>
      selectFrom('alert').select('alert.id').where('alert.id', '=', id).where(isOwnAlert(accountId)))
    .execute()
