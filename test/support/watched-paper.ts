import type { WatchedPaper } from '../../db/queries/notice-checks.js'

/** A paper that sources are asked about, of which nothing else is known. */
export const watchedPaper = (known: Partial<WatchedPaper> = {}): WatchedPaper => ({
  id: 'paper',
  doi: null,
  pmid: null,
  pmcid: null,
  arxiv: null,
  openalex: null,
  version: null,
  updated: null,
  journal_ref: null,
  created_at: new Date(),
  stated: [],
  ...known
})
