import type { Migration } from 'kysely'
import * as first from './2026-11-20-first.js'
import * as sources from './2026-11-21-sources.js'
import * as search from './2026-11-22-search.js'
import * as administration from './2026-11-23-administration.js'
import * as feedFilters from './2026-11-24-feed-filters.js'
import * as tally from './2026-11-24-tally.js'
import * as feedPapers from './2026-11-25-feed-papers.js'
import * as queue from './2026-11-26-queue.js'
import * as papers from './2026-11-27-papers.js'

/** Every migration, oldest first. Released migrations never change; a new one is a file, and a row at the end. */
export const migrations: Readonly<Record<string, Migration>> = {
  '2026-11-20-first': first,
  '2026-11-21-sources': sources,
  '2026-11-22-search': search,
  '2026-11-23-administration': administration,
  '2026-11-24-feed-filters': feedFilters,
  '2026-11-24-tally': tally,
  '2026-11-25-feed-papers': feedPapers,
  '2026-11-26-queue': queue,
  '2026-11-27-papers': papers
}
