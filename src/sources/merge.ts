import type { ExternalIds, PaperRecord } from '../../schemas/paper.js'
import { indexUrlOf, referenceLabelOf } from './identity.js'

/** Indexes whose own records describe a paper better than a reference manager's copy does. */
const indexes = new Set(['pubmed', 'arxiv'])

/** What tells that two records are of one work, or of two. */
export type Identified = Pick<PaperRecord, 'doi'> & { external_ids: Partial<Omit<ExternalIds, 'doi'>> }

/** Whether two records state different identifiers of one kind, and so are of two works whatever their titles say. */
export function contradicts (one: Identified, other: Identified): boolean {
  const differ = (a: string | null | undefined, b: string | null | undefined) => a != null && b != null && a !== b
  return differ(one.doi, other.doi) || (['arxiv', 'pmid', 'pmcid'] as const).some(kind => differ(one.external_ids[kind], other.external_ids[kind]))
}

/** What two records of one work say together: what the newer states stands, and what it leaves out stays as it was. */
export function merge (older: PaperRecord, newer: PaperRecord): PaperRecord {
  const better = indexes.has(newer.source.name) || !indexes.has(older.source.name) ? newer : older
  const other = better === newer ? older : newer
  const merged: PaperRecord = {
    title: better.title,
    abstract: better.abstract ?? other.abstract,
    authors: better.authors.length > 0 ? better.authors : other.authors,
    published_date: moreExact(better.published_date, other.published_date),
    url: better.url ?? other.url,
    pdf_url: better.pdf_url ?? other.pdf_url,
    doi: better.doi ?? other.doi,
    venue_name: better.venue_name ?? other.venue_name,
    external_ids: { ...stated(other.external_ids), ...stated(better.external_ids) },
    source: better.source,
    source_paper_id: better.source_paper_id ?? (better.source.name === other.source.name ? other.source_paper_id : null),
    metadata: { ...other.metadata, ...better.metadata }
  }
  const reference_label = newer.reference_label ?? referenceLabelOf(merged)
  const index_url = newer.index_url ?? indexUrlOf(merged)
  return { ...merged, ...(reference_label === null ? {} : { reference_label }), ...(index_url === null ? {} : { index_url }) }
}

/** A date that a source gave only to the year or month, and that reads as its first day, gives way to a full one within it. */
function moreExact (date: string | null, other: string | null): string | null {
  if (date === null || other === null) return date ?? other
  const coarse = date.endsWith('-01-01') ? date.slice(0, 4) : date.endsWith('-01') ? date.slice(0, 7) : date
  return other.startsWith(coarse) ? other : date
}

const stated = (ids: PaperRecord['external_ids']) => Object.fromEntries(Object.entries(ids).filter(([, id]) => id !== null && id !== undefined))
