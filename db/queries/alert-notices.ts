import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../connection.js'
import { type NoticeKind, noticeKinds, warningKinds } from '../../schemas/notice.js'
import { anyText } from './any-of.js'
import { findUnsentBatch, maySendAlert } from './alert-batches.js'
import type { AlertDetails } from './alerts.js'
import { isWatched, noticesFor } from './notices.js'
import { isOwnAlert } from './ownership.js'

/**
 * Collects notices on papers that the account watches in the alert's project, or that follow a warning which the alert sent, that the
 * account was told since the alert was created and that were not sent to it, and warnings that were sent and withdrawn since, unless one as
 * serious stands, as one batch. A batch whose delivery is uncertain comes first, under its own id.
 * @returns the papers, each with all notices that the account was told, when the last of them that was sent was found, and the kinds of
 * warnings that were withdrawn; undefined if there is nothing to send, or the alert is another account's
 */
export const claimNoticeBatch = (
  db: Db,
  accountId: string,
  { id, project_id, created_at }: Pick<AlertDetails, 'id' | 'project_id' | 'created_at'>,
  limit: number
) =>
  db.transaction().execute(async transaction => {
    if (!await maySendAlert(transaction, accountId, { id, project_id })) return undefined
    const unsent = await findUnsentBatch(transaction, 'alert_notice', id)
    const batch = unsent ?? randomUUID()
    const kinds = sql`${[...noticeKinds]}::text[]`
    if (unsent === undefined) {
      await sql`
        insert into alert_notice (alert_id, notice_id, batch)
        select ${id}::uuid, account_notice.notice_id, ${batch}::uuid from account_notice
        join paper_notice on paper_notice.id = account_notice.notice_id and paper_notice.withdrawn_at is null
        join project_paper on project_paper.paper_id = paper_notice.paper_id and project_paper.project_id = ${project_id}
          and (${isWatched('project_paper')} or exists (
            select from alert_notice sent join paper_notice warning on warning.id = sent.notice_id
            where sent.alert_id = ${id} and sent.sent_at is not null and warning.paper_id = paper_notice.paper_id
              and warning.kind = ${anyText(warningKinds)}
              and (warning.withdrawn_at is null or warning.withdrawn_at >= paper_notice.first_seen_at)))
        where account_notice.account_id = ${accountId} and account_notice.found_at >= ${created_at}
          and not exists (select from alert_notice sent where sent.alert_id = ${id} and sent.notice_id = account_notice.notice_id)
        order by account_notice.found_at, account_notice.notice_id limit ${limit}`.execute(transaction)
      await sql`
        insert into alert_notice (alert_id, notice_id, batch, withdrawn)
        select ${id}::uuid, paper_notice.id, ${batch}::uuid, true from alert_notice sent
        join paper_notice on paper_notice.id = sent.notice_id and paper_notice.withdrawn_at is not null
          and paper_notice.kind = ${anyText(warningKinds)}
        where sent.alert_id = ${id} and sent.sent_at is not null and not sent.withdrawn
          and not exists (
            select from alert_notice told where told.alert_id = ${id} and told.notice_id = sent.notice_id and told.withdrawn)
          and not exists (
            select from paper_notice other
            where other.paper_id = paper_notice.paper_id and other.withdrawn_at is null
              and array_position(${kinds}, other.kind) <= array_position(${kinds}, paper_notice.kind))
        order by paper_notice.withdrawn_at, paper_notice.id limit ${limit}`.execute(transaction)
    }
    const papers = await transaction.selectFrom('paper')
      .select(['paper.id', 'paper.title', 'paper.url', 'paper.doi', 'paper.reference_label'])
      .select(noticesFor(accountId).as('notices'))
      .select(sql<Date | null>`(
        select max(account_notice.found_at) from alert_notice
        join paper_notice on paper_notice.id = alert_notice.notice_id and paper_notice.paper_id = paper.id
        join account_notice on account_notice.notice_id = paper_notice.id and account_notice.account_id = ${accountId}
        where alert_notice.alert_id = ${id} and alert_notice.sent_at is not null)`.as('sent_through'))
      .select(sql<NoticeKind[]>`array(
        select paper_notice.kind from alert_notice
        join paper_notice on paper_notice.id = alert_notice.notice_id and paper_notice.paper_id = paper.id
        where alert_notice.alert_id = ${id} and alert_notice.batch = ${batch} and alert_notice.withdrawn)`.as('withdrawn_kinds'))
      .where('paper.id', 'in', ({ selectFrom }) =>
        selectFrom('alert_notice').innerJoin('paper_notice', 'paper_notice.id', 'alert_notice.notice_id').select('paper_notice.paper_id')
          .where('alert_notice.alert_id', '=', id).where('alert_notice.batch', '=', batch))
      .orderBy('paper.title').orderBy('paper.id').execute()
    return papers.length === 0 ? undefined : { batch, papers }
  })

/** Records that the target of the account's alert accepted a batch of notices. */
export const markNoticesSent = (db: Db, accountId: string, id: string, batch: string, now: Date) =>
  db.updateTable('alert_notice').set({ sent_at: now }).where('batch', '=', batch)
    .where('alert_id', 'in', ({ selectFrom }) =>
      selectFrom('alert').select('alert.id').where('alert.id', '=', id).where(isOwnAlert(accountId)))
    .execute()
