/** What a project looks for, and from which score on a paper is one to read. */
export interface Interest {
  interest_description: string
  positive_keywords: readonly string[]
  negative_keywords: readonly string[]
  must_read_threshold: number
}

/** What of a paper is scored. */
export interface ScoredText {
  title: string
  abstract: string | null
}

/** The threshold of a project that sets none. */
export const defaultThreshold = 0.6

/** The score from which a fetched paper enters the feed of a project that sets none. */
export const defaultFeedThreshold = 0.1
