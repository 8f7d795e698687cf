import type { Generated, JSONColumnType } from 'kysely'
import type { TextSection } from '../../schemas/markdown.js'
import type { PaperMetadata } from '../../schemas/metadata.js'
import type { Author } from '../../schemas/paper.js'
import type { Computed, Time } from './columns.js'

/** Papers: the canonical record of one publication. */
export interface PaperTable {
  id: Generated<string>
  short_id: Computed<string>
  /** The owner of a private paper, from an import or a journal feed; null: shared. */
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
  /** Hash of the normalized title, first author and year, which matches records without a common identifier. */
  title_key: string
  /** About the size of the record and its references, of which the papers of an account may have a limited sum. */
  bytes: Generated<number>
  created_at: Time
  updated_at: Time
}

/** Full texts of papers, in parts. */
export interface MarkdownTable {
  paper_id: string
  /** The only account that can read it: its own upload was converted, or it owns the paper; null: from a full-text origin, and shared. */
  account_id: string | null
  /** Where this part begins in the text, in UTF-16 code units. */
  start: Generated<number>
  /** The part; the whole text if `characters` is null. */
  markdown: string
  /** In the first part: the length of the text in UTF-16 code units; null if the text is not divided yet. */
  characters: number | null
  /** In the first part: the sections of the text; null if it is not divided yet. */
  sections: JSONColumnType<TextSection[], string | null | undefined, string | null> | null
  /** Its origin: "jats", "arxiv-html", "pdf", "upload". */
  origin: Generated<string>
  /** The converter, with its version. */
  converter: Generated<string>
  warnings: JSONColumnType<string[], string | undefined, string>
  created_at: Time
  /** When it was last read, accurate to a day. */
  read_at: Time
}

/** Uploaded PDFs that are not converted yet. */
export interface PdfUploadTable {
  id: Generated<string>
  account_id: string
  paper_id: string
  size_bytes: number
  /** Whether all parts are stored. An account has one complete upload of a paper. */
  complete: Generated<boolean>
  /** When it was complete; until then, when it began. */
  created_at: Time
}

/** The content of uploaded PDFs, in parts: no statement holds a whole file. */
export interface PdfPartTable {
  upload_id: string
  /** From 0. */
  ordinal: number
  bytes: Buffer
}

/** Former ids of merged papers and feed items, which still resolve. */
export interface PaperAliasTable {
  id: string
  short_id: Generated<string>
  paper_id: string
}

/** References of papers, and how often papers are cited, as sources state it. */
export interface PaperCitationTable {
  paper_id: string
  /** Cited works, by DOI, PMID or OpenAlex work id. */
  cited: string[]
  /** Number of works that cite it; null: unknown. */
  cited_by: number | null
}

/** Pairs of a preprint and its published form. */
export interface PaperRelationTable {
  preprint_id: string
  published_id: string
}
