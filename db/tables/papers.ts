import type { Generated, JSONColumnType } from 'kysely'
import type { PaperMetadata } from '../../schemas/metadata.js'
import type { Author } from '../../schemas/paper.js'
import type { Computed, Time } from './columns.js'

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
  metadata: JSONColumnType<PaperMetadata, string, string>
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

/** A paper or feed item that became part of another paper. */
export interface PaperAliasTable {
  id: string
  short_id: Generated<string>
  paper_id: string
}

/** A preprint and its published form. */
export interface PaperRelationTable {
  preprint_id: string
  published_id: string
}
