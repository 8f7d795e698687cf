import type { ColumnType, Generated, JSONColumnType, Selectable } from 'kysely'
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
  created_at: Time
}

/** A login. Its refresh token rotates; the row goes when the person logs out or a used token comes again. */
export interface SessionTable {
  id: Generated<string>
  account_id: string
  /** SHA-256 of the newest refresh token. */
  refresh_token_hash: Buffer
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
  markdown: string
  created_at: Time
}

export interface ProjectPaperTable {
  id: Generated<string>
  short_id: Computed<string>
  project_id: string
  paper_id: string
  summary: string | null
  relevance_score: number
  relevance_class: FeedItem['relevance_class']
  matching_details: JSONColumnType<Record<string, unknown>, string | undefined, string>
  personalized_note: string | null
  ready_at: Time
  vote: Feedback['vote'] | null
  downvote_reason: Feedback['downvote_reason']
  voted_at: OptionalTime
  /** tsvector over title (A), authors (B), summary (C), abstract and identifiers (D); made by db/search/vector.ts. */
  search_vector: ColumnType<never, string, string>
}

export interface JobTable {
  id: Generated<string>
  task: Job['task']
  state: Generated<Job['state']>
  account_id: string | null
  paper_id: string | null
  error: string | null
  created_at: Time
  updated_at: Time
}

export interface Database {
  account: AccountTable
  session: SessionTable
  mcp_key: McpKeyTable
  project: ProjectTable
  paper: PaperTable
  markdown: MarkdownTable
  project_paper: ProjectPaperTable
  job: JobTable
}

export type AccountRow = Selectable<AccountTable>
export type McpKeyRow = Selectable<McpKeyTable>
export type PaperRow = Selectable<PaperTable>
export type JobRow = Selectable<JobTable>
