import type { Generated } from 'kysely'
import type { NoticeKind } from '../../schemas/notice.js'
import type { OptionalTime, Time } from './columns.js'

/** A report of one source about a paper: a retraction, a correction and others. */
export interface PaperNoticeTable {
  id: Generated<string>
  paper_id: string
  source: string
  kind: NoticeKind
  /** Tells notices of a kind apart: an identifier or the address of the notice; empty if the source names none. */
  reference: string
  /** YYYY-MM-DD, or YYYY-MM or YYYY if the source states no more. */
  date: string | null
  doi: string | null
  pmid: string | null
  url: string | null
  first_seen_at: Time
  /** When the source stopped reporting it; null: it reports it. */
  withdrawn_at: OptionalTime
}

/** When a source was asked about a paper. */
export interface PaperCheckTable {
  paper_id: string
  source: string
  /** The last answer; null before. */
  checked_at: OptionalTime
  next_check_at: Time
  /** Failures since the last answer. */
  failures: Generated<number>
  /** The version of the paper at the first answer, where its record states one. */
  version: Generated<number | null>
}

/** The notices of which an account was notified: those on papers that it chose. */
export interface AccountNoticeTable {
  account_id: string
  notice_id: string
  found_at: Time
  /** Whether the notice is a warning. */
  is_warning: Generated<boolean>
}

/** Notices that an alert has sent or is sending. */
export interface AlertNoticeTable {
  alert_id: string
  notice_id: string
  batch: string
  sent_at: OptionalTime
  /** Whether it says that the notice was withdrawn. */
  withdrawn: Generated<boolean>
}
