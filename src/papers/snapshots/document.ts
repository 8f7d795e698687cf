import type { PaperMetadata } from '../../../schemas/metadata.js'
import type { Notice } from '../../../schemas/notice.js'
import type { Paper } from '../../../schemas/paper.js'
import type { PrismaFlow, SnapshotModel, SnapshotSource } from '../../../schemas/snapshot.js'
import { canonicalJson } from './canonical-json.js'

/*
 * The document of a snapshot: one canonical JSON object with the members about, records and results, in this order. Its parts are texts
 * that follow each other: the first ends with the beginning of the records, the last begins with their end, and every part between them
 * has whole records.
 */

/** The decision on a record. Documents of version 1 have no `included_unscreened`: they count such records as included. */
export const decisions = ['included', 'included_unscreened', 'excluded', 'not_screened', 'excluded_automatically'] as const
export type Decision = typeof decisions[number]

/** Versions of the format, the present one last. Before version 3, periods have their end, and no record has `found_earlier`. */
export const formatVersions = [1, 2, 3] as const

/** Papers that were excluded automatically and are not listed any more, by the sources that found them. */
export interface UnlistedRecords { sources: string[], records: number }

/** The head of a document, before its records. */
export interface SnapshotAbout {
  format: 'litfeed-snapshot'
  version: typeof formatVersions[number]
  /** The version of Litfeed that wrote it. */
  program: string
  project: {
    id: string
    name: string
    interest_description: string
    positive_keywords: readonly string[]
    negative_keywords: readonly string[]
    must_read_threshold: number
    feed_threshold: number
    weekly_limit: number
  }
  snapshot: { id: string, url: string, frozen_at: string, since: string | null, until: string }
  sources: readonly SnapshotSource[]
  model: SnapshotModel
  unlisted: readonly UnlistedRecords[]
}

/** A paper with the decision on it. */
export interface SnapshotRecord {
  id: string
  decision: Decision
  vote: 'star' | 'upvote' | 'downvote' | null
  reason: 'not_relevant' | 'low_quality' | null
  voted_at: string | null
  score: number
  entered_at: string
  /** How it entered; null for a paper that did not enter the feed. */
  origin: 'import' | 'fetch' | null
  /** The sources that found it; null if they were not recorded. */
  found_by: string[] | null
  /** It was found before the period, which it entered later: it counts as identified in the period in which it was found. */
  found_earlier?: true
  /** The source whose record describes it. */
  source: string
  title: string
  authors: string[]
  published_date: string | null
  venue: string | null
  url: string | null
  doi: string | null
  arxiv: string | null
  pmid: string | null
  pmcid: string | null
  openalex: string | null
  metadata: PaperMetadata
  notices: Notice[]
}

/** A whole document. */
export interface SnapshotDocument { about: SnapshotAbout, records: SnapshotRecord[], results: PrismaFlow }

/** Metadata that references need. Other metadata, such as keywords and keys of an imported file, can be its owner's own. */
export const publishedMetadata = [
  'type', 'publication_types', 'published', 'volume', 'issue', 'pages', 'issn', 'isbn', 'issn_or_isbn', 'publisher', 'language', 'preprint',
  'primary_category', 'retracted', 'version'
] as const

/** The text before the records. */
export const firstPart = (about: SnapshotAbout): string => `{"about":${canonicalJson(about)},"records":[`

/** The text after them. */
export const lastPart = (results: PrismaFlow): string => `],"results":${canonicalJson(results)}}`

/** The records of a part between the first and the last. */
export const recordsIn = (part: string): SnapshotRecord[] => JSON.parse(`[${part.replace(/^,/, '')}]`) as SnapshotRecord[]

/** A record as the published paper that references are made of. */
export const paperOfRecord = (record: SnapshotRecord): Paper => ({
  id: record.id,
  short_id: record.id.slice(0, 8),
  slug: '',
  title: record.title,
  abstract: null,
  authors: record.authors.map(name => ({ name })),
  published_date: record.published_date,
  url: record.url,
  pdf_url: null,
  doi: record.doi,
  venue_name: record.venue,
  reference_label: null,
  source: { name: record.source },
  source_paper_id: null,
  external_ids: { doi: record.doi, arxiv: record.arxiv, pmid: record.pmid, pmcid: record.pmcid, openalex: record.openalex },
  index_url: null,
  metadata: { ...record.metadata, ...(record.notices.length === 0 ? {} : { notices: record.notices }) } as PaperMetadata,
  markdown_ready: false
})
