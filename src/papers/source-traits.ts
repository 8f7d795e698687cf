import type { NoticeKind } from '../../schemas/notice.js'

/*
 * Properties of sources that decide how papers and their notices merge. Merging is below sources and cannot import them, so src/service.ts
 * registers them here. Unregistered names, such as those of file formats, have the traits of files.
 */

/** A name under which a source states notices. */
export interface NoticeOrigin {
  readonly name: string
  /** Name for people. */
  readonly title: string
  /** If several origins state a notice, the one with the highest precedence describes it. */
  readonly precedence: number
  /** Kinds that it states without naming a notice: they count as confirmed once another origin states them. */
  readonly unconfirmedKinds?: readonly NoticeKind[]
}

/** How merging treats the records of a source, and its notices. */
export interface SourceTraits {
  /** Name in projects and in papers' records. */
  readonly name: string
  /** Name for people. */
  readonly title: string
  /** Weight of its description of a paper in a merge, from 0 for a journal feed to 4 for an index with curated records. Files weigh 1. */
  readonly precedence: number
  /** Set for journal feeds: a person chose the address, so the records may state anything about any work. */
  readonly isJournalFeed?: true
  /** Set if all its records are preprints. Other sources state it in a record's metadata. */
  readonly hasOnlyPreprints?: true
  /** The names under which it states notices. */
  readonly notices?: { readonly statedAs: readonly NoticeOrigin[] }
}

/** Precedence of records from files, which a person may have edited. */
export const filePrecedence = 1

const traits = new Map<string, SourceTraits>()
const noticeOrigins = new Map<string, NoticeOrigin>()

/** Registers sources, before anything merges. */
export function registerSources (sources: readonly SourceTraits[]): void {
  for (const source of sources) {
    traits.set(source.name, source)
    for (const origin of source.notices?.statedAs ?? []) noticeOrigins.set(origin.name, origin)
  }
}

/** How much a record's description of a paper weighs in a merge, by the name of its source or file format. */
export const precedenceOf = (name: string): number => traits.get(name)?.precedence ?? filePrecedence

/** Whether the records of a source come from journal feeds. */
export const isJournalFeed = (name: string): boolean => traits.get(name)?.isJournalFeed === true

/** Whether all records of a source are preprints. */
export const hasOnlyPreprints = (name: string): boolean => traits.get(name)?.hasOnlyPreprints === true

/** Servers that are not sources, by the names that reference managers give them. */
const otherPreprintServers = new RegExp(
  '^(?:\\w*rxiv|ssrn|research square|res sq|preprints$|preprints\\.org|osf preprints|authorea|ess open archive|corr$|' +
  '(?:iacr )?cryptology eprint archive|nber working papers?|peerj preprints|jmir preprints|nature precedings|qeios)\\b',
  'i'
)

/** Whether a venue is a preprint server, as in "arXiv preprint arXiv:2401.01234". */
export function isPreprintServer (venue: string): boolean {
  const lowerCased = venue.toLowerCase()
  const isNamed = (title: string) => lowerCased.startsWith(title.toLowerCase()) && !/^\w/.test(venue.slice(title.length))
  return otherPreprintServers.test(venue) || [...traits.values()].some(source => source.hasOnlyPreprints === true && isNamed(source.title))
}

/** The title of an origin of notices, for people. */
export const noticeOriginTitle = (name: string): string => noticeOrigins.get(name)?.title ?? name

/** Weight of an origin's description of a notice. */
export const noticePrecedenceOf = (name: string): number => noticeOrigins.get(name)?.precedence ?? 0

/** Whether an origin's statement confirms a notice of a kind. */
export const confirmsNotice = (name: string, kind: NoticeKind): boolean =>
  noticeOrigins.get(name)?.unconfirmedKinds?.includes(kind) !== true
