import type { PaperValues } from '../../db/queries/import.js'
import type { StoredPaper } from '../../db/queries/stored-papers.js'
import type { PaperRecord } from '../../schemas/paper.js'
import { indexUrlOf, referenceLabelOf, slugOf, titleKeyOf } from './identity.js'

/** A stored paper as a record. */
export function recordOf (row: StoredPaper): PaperRecord {
  return {
    title: row.title,
    abstract: row.abstract,
    authors: row.authors,
    published_date: row.published_date,
    url: row.url,
    pdf_url: row.pdf_url,
    doi: row.doi,
    venue_name: row.venue_name,
    external_ids: { arxiv: row.arxiv_id, pmid: row.pmid, pmcid: row.pmcid, openalex: row.openalex_id },
    source: { name: row.source_name },
    source_paper_id: row.source_paper_id,
    ...(row.reference_label === null ? {} : { reference_label: row.reference_label }),
    ...(row.index_url === null ? {} : { index_url: row.index_url }),
    metadata: row.metadata
  }
}

/** The columns of a paper that describe it, without those that its title, authors and date determine. */
export function describedBy (record: PaperRecord) {
  const {
    title,
    abstract,
    authors,
    published_date,
    url,
    pdf_url,
    doi,
    venue_name,
    external_ids: { arxiv, pmid, pmcid, openalex },
    source,
    source_paper_id,
    metadata
  } = record
  return {
    title,
    abstract,
    authors,
    published_date,
    url,
    pdf_url,
    doi,
    venue_name,
    source_name: source.name,
    source_paper_id,
    metadata,
    reference_label: referenceLabelOf(record),
    index_url: indexUrlOf(record),
    arxiv_id: arxiv ?? null,
    pmid: pmid ?? null,
    pmcid: pmcid ?? null,
    openalex_id: openalex ?? null
  }
}

/** A paper's row, with the bytes of its texts. @param accountId the owner of a paper that is not shared */
export function rowOf ({ id, record, shared }: { id: string, record: PaperRecord, shared: boolean }, accountId: string): PaperValues {
  const { authors, metadata, ...columns } = describedBy(record)
  const texts = { ...columns, slug: slugOf(record.title), authors: JSON.stringify(authors), metadata: JSON.stringify(metadata) }
  return {
    id,
    account_id: shared ? null : accountId,
    ...texts,
    title_key: titleKeyOf(record),
    bytes: Object.values(texts).reduce((sum, text) => sum + (text === null ? 0 : Buffer.byteLength(text)), 0)
  }
}
