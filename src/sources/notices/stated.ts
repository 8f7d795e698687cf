import type { CheckedPaper, StatedNotice, WatchedPaper } from '../../../db/queries/notices.js'
import type { NoticeKind } from '../../../schemas/notice.js'

/** Notices that are kept of what one source states about one paper. */
const maxNotices = 50

/** A notice with its identifiers; without any, the source states the kind alone. */
export function statedNotice (
  source: string,
  kind: NoticeKind,
  { date = null, doi = null, pmid = null }: Partial<Pick<StatedNotice, 'date' | 'doi' | 'pmid'>> = {}
): StatedNotice {
  return {
    source,
    kind,
    reference: doi !== null ? `doi:${doi}` : pmid !== null ? `pmid:${pmid}` : date ?? '',
    date,
    doi,
    pmid,
    url: doi !== null ? `https://doi.org/${encodeURI(doi)}` : pmid !== null ? `https://pubmed.ncbi.nlm.nih.gov/${pmid}/` : null
  }
}

/** Collects what a source states about the papers that it knows. */
export function noticeCollection (papers: readonly WatchedPaper[]) {
  const byIdentifier = new Map<string, WatchedPaper[]>()
  const name = (kind: string, value: string) => `${kind} ${value.toLowerCase()}`
  for (const paper of papers) {
    for (const kind of ['doi', 'pmid', 'openalex'] as const) {
      const value = paper[kind]
      if (value !== null) byIdentifier.set(name(kind, value), [...byIdentifier.get(name(kind, value)) ?? [], paper])
    }
  }
  const known = new Map<string, Map<string, StatedNotice>>()
  return {
    /** Adds notices to the papers with an identifier. A source may answer with papers that were not asked for: they are ignored. */
    add (kind: 'doi' | 'pmid' | 'openalex', value: string, notices: readonly StatedNotice[]): void {
      for (const { id } of byIdentifier.get(name(kind, value)) ?? []) {
        const stated = known.get(id) ?? new Map<string, StatedNotice>()
        known.set(id, stated)
        for (const notice of notices) {
          const key = `${notice.source} ${notice.kind} ${notice.reference}`
          if (stated.size < maxNotices || stated.has(key)) stated.set(key, notice)
        }
      }
    },
    /** Whether the source knows a paper with the identifier. */
    has: (kind: 'doi' | 'pmid' | 'openalex', value: string) => (byIdentifier.get(name(kind, value)) ?? []).some(({ id }) => known.has(id)),
    checked: (): CheckedPaper[] => [...known].map(([id, notices]) => ({ id, notices: [...notices.values()] }))
  }
}
