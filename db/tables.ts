import type { ColumnType, Generated, JSONColumnType, Selectable } from 'kysely'
import type { Alert } from '../schemas/alert.js'
import type { FeedItem } from '../schemas/feed.js'
import type { Feedback } from '../schemas/feedback.js'
import type { Author } from '../schemas/paper.js'
import type { Job } from '../schemas/job.js'
import type { Project, ProjectSource } from '../schemas/project.js'

/** timestamptz(3): read as Date, written as Date; the database's clock where it is left out. */
type Time = ColumnType<Date, Date | undefined, Date>
type OptionalTime = ColumnType<Date | null, Date | null | undefined, Date | null>
/** A column that the database computes. */
type Computed<T> = ColumnType<T, never, never>

export interface AccountTable {
  id: Generated<string>
  /** Lower case. */
  email: string
  /** argon2id, encoded form. */
  password_hash: string
  /** Counts the rotations of the feed token, which is derived and never stored. */
  feed_token_version: Generated<number>
  /** Sees all accounts, jobs and the service itself. There is always one. */
  administrator: Generated<boolean>
  /** Since when the account is switched off: no login, no key, no Atom feed, no background work; null while it is not. */
  disabled_at: OptionalTime
  created_at: Time
}

/** A login. The row goes when the person logs out, or a used refresh token comes again. */
export interface SessionTable {
  id: Generated<string>
  account_id: string
  /** SHA-256 of the newest refresh token, or of the cookie's secret. */
  refresh_token_hash: Buffer
  /** token: a program's, whose refresh token rotates; browser: a cookie's, whose secret stays. */
  kind: Generated<'token' | 'browser'>
  /** What logged in, in a few words that a person knows it by. */
  user_agent: string | null
  /** To the minute, a browser's to the hour. */
  last_used_at: OptionalTime
  created_at: Time
  expires_at: Date
}

export interface McpKeyTable {
  account_id: string
  prefix: string
  /** argon2id of the secret, encoded form. */
  secret_hash: string
  /** Four bytes of the secret's SHA-256: tells a wrong secret without an argon2 run, and far too short to find the secret by. */
  secret_check: Buffer
  created_at: Time
  last_used_at: OptionalTime
}

export interface ProjectTable {
  id: Generated<string>
  account_id: string
  name: string
  interest_description: Generated<string>
  positive_keywords: ColumnType<string[], string[] | undefined, string[]>
  negative_keywords: ColumnType<string[], string[] | undefined, string[]>
  sources: JSONColumnType<ProjectSource[], string | undefined, string>
  mode: Generated<Project['mode']>
  visibility: Generated<Project['visibility']>
  matching_state: Generated<Project['matching_state']>
  created_at: Time
  updated_at: Time
  last_fetched_at: OptionalTime
  /** Score from which an item is must_read. */
  must_read_threshold: Generated<number>
  /** Score from which a fetched paper enters the feed. */
  feed_threshold: Generated<number>
  /** When the feed is to be scored anew; null: it is scored as its settings and votes have it. */
  scoring_due_at: OptionalTime
  scored_at: OptionalTime
  /** When a setting that scores are made of changed last. */
  settings_changed_at: OptionalTime
}

/** Where one source of one project stands. */
export interface SourceStateTable {
  project_id: string
  name: string
  query: string
  next_fetch_at: Time
  /** Last day that has been looked at, YYYY-MM-DD. */
  fetched_through: string | null
  /** The walk that is under way, or was when it failed: its window, and where to go on. */
  window_from: string | null
  window_to: string | null
  cursor: string | null
  last_attempt_at: OptionalTime
  /** When it could last be looked at. */
  last_fetched_at: OptionalTime
  /** Why it could not be, the last time; null when it could. */
  last_error: string | null
  /** Failures in a row. */
  failures: Generated<number>
  /** Of the last walk: records seen, and papers that were new in the feed. */
  papers_found: Generated<number>
  papers_entered: Generated<number>
}

/** Whose turn it is at an outside service, over all processes. */
export interface SourceTurnTable {
  name: string
  next_at: Date
  holder: string | null
}

/** A fetched paper that the project's feed does not show. */
export interface CandidateTable {
  project_id: string
  paper_id: string
  relevance_score: number
  found_at: Time
}

/** What feedback has taught, as src/relevance reads it. */
export interface RelevanceModelTable {
  project_id: string
  model: JSONColumnType<object, string, string>
  trained_at: Time
}

export interface PaperTable {
  id: Generated<string>
  short_id: Computed<string>
  /** Who alone sees this record: its importer. Null: it came from a source and is shared. */
  account_id: string | null
  slug: string
  title: string
  abstract: string | null
  authors: JSONColumnType<Author[], string, string>
  /** YYYY-MM-DD */
  published_date: string | null
  url: string | null
  pdf_url: string | null
  doi: string | null
  venue_name: string | null
  reference_label: string | null
  source_name: string
  source_paper_id: string | null
  arxiv_id: string | null
  pmid: string | null
  pmcid: string | null
  openalex_id: string | null
  index_url: string | null
  metadata: JSONColumnType<Record<string, unknown>, string, string>
  /** Hash of the normalised title, first author and year: tells the same work where no identifier does. */
  title_key: string
  created_at: Time
  updated_at: Time
}

export interface MarkdownTable {
  paper_id: string
  /** Whose upload it was made of, and who alone reads it; null: made from a source, and everybody's. */
  account_id: string | null
  markdown: string
  /** What it was made from: "jats", "arxiv-html", "pdf", "upload". */
  origin: Generated<string>
  /** What made it, with its version. */
  converter: Generated<string>
  warnings: JSONColumnType<string[], string | undefined, string>
  created_at: Time
}

/** A PDF that waits for its conversion. */
export interface PdfUploadTable {
  account_id: string
  paper_id: string
  bytes: Buffer
  created_at: Time
}

/** A preprint and its published form. */
/** A paper or feed item that became part of another paper. */
export interface PaperAliasTable {
  id: string
  short_id: Generated<string>
  paper_id: string
}

export interface PaperRelationTable {
  preprint_id: string
  published_id: string
}

export interface ProjectPaperTable {
  id: Generated<string>
  short_id: Computed<string>
  project_id: string
  paper_id: string
  summary: string | null
  summary_origin: Generated<'abstract' | 'model'>
  relevance_score: number
  relevance_class: FeedItem['relevance_class']
  /** How it came in; what a person imported stays, whatever its score. */
  origin: Generated<'import' | 'fetch'>
  matching_details: JSONColumnType<Record<string, unknown>, string | undefined, string>
  personalized_note: string | null
  ready_at: Time
  vote: Feedback['vote'] | null
  downvote_reason: Feedback['downvote_reason']
  voted_at: OptionalTime
}

/** A change of how many items of a feed have a value. Triggers write it; what they come to is db/queries/tally.ts's. */
export interface FeedTallyTable {
  project_id: string
  /** week: the Monday of the week in which it came in, UTC; score: a twentieth of the scale, 0 to 19; class; vote: "none", or the vote and its reason. */
  measure: 'week' | 'score' | 'class' | 'vote'
  value: string
  change: number
}

/** What finds some documents of a project; it never changes once it is live. db/search/segment.ts says what its blocks hold. */
export interface SearchSegmentTable {
  id: Generated<string>
  project_id: string
  /** False while it is being written. */
  live: boolean
  /** The least of its documents' numbers: segments follow each other by it. */
  first_number: number
  documents: number
  /** Of all its documents. */
  words: number
  created_at: Time
}

export interface SearchBlockTable {
  segment_id: string
  /** 0 and up: postings, in the order of their entries; below 0: what db/queries/search-blocks.ts says. */
  part: number
  bytes: Buffer
}

/** The number that an item goes by in the search, as it was last taken in. */
export interface SearchDocumentTable {
  project_id: string
  item_id: string
  number: number
}

/** A number that means nothing any more, though a segment has it. */
export interface SearchGoneTable {
  project_id: string
  number: number
}

/** An item that came, changed or went, and that the search has yet to take in. Triggers write it. */
export interface SearchPendingTable {
  id: Computed<number>
  project_id: string
  item_id: string
}

export interface JobTable {
  id: Generated<string>
  task: Job['task']
  state: Generated<Job['state']>
  account_id: string | null
  paper_id: string | null
  project_id: string | null
  alert_id: string | null
  /** One job of a task with this key waits or runs at a time. */
  once_key: string
  /** How often it was begun. */
  attempts: Generated<number>
  /** When the process that runs it last said so. */
  alive_at: OptionalTime
  error: string | null
  result: JSONColumnType<Record<string, unknown>, string | null | undefined, string> | null
  created_at: Time
  updated_at: Time
}

/** Somebody who is told what came in: an address of mail, or a program. */
export interface AlertTable {
  id: Generated<string>
  project_id: string
  kind: Alert['kind']
  target: string
  frequency: Alert['frequency']
  must_read: Generated<boolean>
  created_at: Time
  next_send_at: Time
  last_sent_at: OptionalTime
  last_error: string | null
}

/** What was sent, so that nothing is sent twice. */
export interface AlertItemTable {
  alert_id: string
  paper_id: string
  /** Items that go out together, and are sent again together where it is not known whether they went. */
  batch: string
  sent_at: OptionalTime
}

export interface Database {
  account: AccountTable
  session: SessionTable
  mcp_key: McpKeyTable
  project: ProjectTable
  paper: PaperTable
  markdown: MarkdownTable
  pdf_upload: PdfUploadTable
  paper_relation: PaperRelationTable
  paper_alias: PaperAliasTable
  project_paper: ProjectPaperTable
  feed_tally: FeedTallyTable
  candidate: CandidateTable
  source_state: SourceStateTable
  source_turn: SourceTurnTable
  relevance_model: RelevanceModelTable
  job: JobTable
  search_segment: SearchSegmentTable
  search_block: SearchBlockTable
  search_document: SearchDocumentTable
  search_gone: SearchGoneTable
  search_pending: SearchPendingTable
  alert: AlertTable
  alert_item: AlertItemTable
}

export type AccountRow = Selectable<AccountTable>
export type McpKeyRow = Selectable<McpKeyTable>
export type PaperRow = Selectable<PaperTable>
export type JobRow = Selectable<JobTable>
