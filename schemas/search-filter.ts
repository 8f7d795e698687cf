import type { FeedbackFilter } from './feedback.js'
import type { LinkFilter } from './relevance.js'

/** A project's feed and the account that must own it. */
export interface FeedScope { accountId: string, projectId: string }

/** Filters feed items by fields of their papers, and by score. */
export interface PaperFilter {
  yearFrom?: number | undefined
  yearTo?: number | undefined
  /** Part of the venue's name. */
  venue?: string | undefined
  /** Part of the name of an author. */
  author?: string | undefined
  /** ISSN of the journal. */
  issn?: string | undefined
  /** ORCID iD or OpenAlex id of an author. */
  authorId?: { orcid: string } | { openalex: string } | undefined
  /** Whether a full text that the owner of the feed may read is stored. */
  hasFullText?: boolean | undefined
  minScore?: number | undefined
  /** Exclusive, except that 1 includes 1. */
  maxScore?: number | undefined
}

/**
 * A group of feed items that a filter keeps or drops; `rated` is the complement of `unrated`, `tagged` and `linked` are the items with one
 * tag or link.
 */
export type ItemGroup = 'must_read' | 'rated' | 'seen' | 'saved' | 'tagged' | 'linked' | Exclude<FeedbackFilter, 'all' | 'unrated'>

/**
 * Details of a group: `asOf` ignores later votes (`rated`) or what was seen later (`seen`), `tagKey` is the tag of `tagged`, `link` that of
 * `linked`.
 */
export interface GroupOptions {
  asOf?: Date | undefined
  tagKey?: string | undefined
  link?: LinkFilter | undefined
}

/** Keeps the items of a group, or drops them. */
export interface GroupFilter extends GroupOptions { group: ItemGroup, keep: boolean }

/** Filters on properties that the search index lacks: groups, bounds of `ready_at`, the upper one exclusive, and the records of papers. */
export interface ItemFilter {
  groups?: readonly GroupFilter[] | undefined
  since?: Date | undefined
  until?: Date | undefined
  papers?: PaperFilter | undefined
}
