import type { CheckedPaper, StatedNotice, WatchedIdentifier, WatchedPaper } from '../../../db/queries/notice-checks.js'
import { type NoticeKind, noticeKinds, warningKinds } from '../../../schemas/notice.js'
import { firstDayOf } from '../../../schemas/partial-date.js'
import { arxivAddress, doiAddress, pubmedAddress } from '../../papers/paper-address.js'

/** Notices that are kept of what one source states about one paper. A warning takes the place of a less serious one. */
const maxNotices = 50

/**
 * A notice with its identifiers; without any, the source states the kind alone.
 * @param arxiv the id of a preprint with its version, where that is the notice
 */
export function statedNotice (
  source: string,
  kind: NoticeKind,
  { date = null, doi = null, pmid = null, arxiv = null }: { [Field in 'date' | 'doi' | 'pmid' | 'arxiv']?: string | null } = {}
): StatedNotice {
  const [reference, url] = [
    doi !== null && [`doi:${doi}`, doiAddress(doi)] as const,
    pmid !== null && [`pmid:${pmid}`, pubmedAddress(pmid)] as const,
    arxiv !== null && [`arxiv:${arxiv}`, arxivAddress(arxiv)] as const
  ].find(each => each !== false) ?? [date === null ? '' : firstDayOf(date), null] as const
  return { source, kind, reference, date, doi, pmid, url }
}

type Stated = readonly StatedNotice[]
type Links = Pick<CheckedPaper, 'openalex' | 'citations' | 'openCopy'>

/** Collects what a source states about the papers that it knows. */
export function noticeCollection (papers: readonly WatchedPaper[]) {
  const byIdentifier = new Map<string, WatchedPaper[]>()
  const name = (kind: WatchedIdentifier, value: string) => `${kind} ${plainForm(kind, value)}`
  for (const paper of papers) {
    for (const kind of ['doi', 'pmid', 'pmcid', 'arxiv', 'openalex'] as const) {
      const value = paper[kind]
      if (value !== null) byIdentifier.set(name(kind, value), [...byIdentifier.get(name(kind, value)) ?? [], paper])
    }
  }
  const known = new Map<string, { stated: Map<string, StatedNotice>, links: Links }>()
  return {
    /**
     * Adds notices to the papers with an identifier. A source may answer with papers that were not asked for: they are ignored.
     * @param notices a function where they depend on what is stored of the paper; undefined if the identifier names another work
     * @param links what the source states of the papers besides notices
     */
    add (
      kind: WatchedIdentifier,
      value: string,
      notices: Stated | ((paper: WatchedPaper) => Stated | undefined),
      links: (paper: WatchedPaper) => Links = () => ({})
    ): void {
      for (const paper of byIdentifier.get(name(kind, value)) ?? []) {
        const ofPaper = typeof notices === 'function' ? notices(paper) : notices
        if (ofPaper === undefined) continue
        const { stated } = known.get(paper.id) ?? { stated: new Map<string, StatedNotice>() }
        known.set(paper.id, { stated, links: links(paper) })
        for (const notice of ofPaper) {
          const key = `${notice.source} ${notice.kind} ${notice.reference}`
          if (stated.size >= maxNotices && !stated.has(key)) {
            const lessSerious = warningKinds.has(notice.kind) ? leastSerious(stated, notice.kind) : undefined
            if (lessSerious === undefined) continue
            stated.delete(lessSerious)
          }
          stated.set(key, notice)
        }
      }
    },
    /** Whether the source knows a paper with the identifier. */
    has: (kind: WatchedIdentifier, value: string) => (byIdentifier.get(name(kind, value)) ?? []).some(({ id }) => known.has(id)),
    /** Whether the source knows a paper by any identifier. */
    knows: (paperId: string) => known.has(paperId),
    checked: (): CheckedPaper[] => [...known].map(([id, { stated, links }]) => ({ id, notices: [...stated.values()], ...links }))
  }
}

/** The key of the last of the least serious notices; undefined if none is less serious than a kind. */
function leastSerious (stated: ReadonlyMap<string, StatedNotice>, than: NoticeKind): string | undefined {
  const rank = (kind: NoticeKind) => noticeKinds.indexOf(kind)
  const less = [...stated].filter(([, { kind }]) => rank(kind) > rank(than))
  return less.reverse().sort(([, a], [, b]) => rank(b.kind) - rank(a.kind))[0]?.[0]
}

/** Lower case, and ids of arXiv without the subject class that old ones may have: math.GT/0309136 is math/0309136. */
const plainForm = (kind: WatchedIdentifier, value: string) => {
  const plain = value.toLowerCase()
  return kind === 'arxiv' ? plain.replace(/^([a-z-]+)\.[a-z]{2}\//, '$1/') : plain
}

/** Whether a DOI is the one that arXiv derives from an id. */
export const isArxivDoi = (doi: string): boolean => doi.startsWith('10.48550/arxiv.')

/** The arXiv id of a preprint of which no other DOI is known. */
export const arxivOnly = ({ doi, arxiv }: Pick<WatchedPaper, 'doi' | 'arxiv'>): string | null =>
  doi === null || isArxivDoi(doi) ? arxiv : null
