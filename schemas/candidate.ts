import { type Static, Type } from 'typebox'
import { count, time } from './fields.js'
import { ProjectReference, Uuid } from './ids.js'
import { Notice } from './notice.js'
import { Nullable } from './nullable.js'
import { page, paging } from './paging.js'
import { WeeklyLimit } from './project.js'

/** Days that candidates are kept. */
export const candidateRetentionDays = 90
/** Candidates of a project that are kept: its newest. Pages and statistics read them all. */
export const maxCandidates = 50_000

/** Papers that fetches of a project found, and that are neither in the feed nor candidates, with a row each; others are only counted. */
export const maxUnlistedPapers = 200_000

/** Filters candidates: papers outside the feed. */
export const CandidatesListInput = Type.Object({ project_id: ProjectReference, ...paging }, { additionalProperties: false })

/** A fetched paper that a feed does not include. */
export const Candidate = Type.Object({
  candidate_id: Uuid,
  title: Type.String({ description: 'Title.' }),
  authors: Type.Array(Type.String(), { description: 'Names of the first three authors.' }),
  author_count: Type.Integer({ description: 'Number of all authors.' }),
  venue_name: Nullable(Type.String(), 'Journal, conference or server.'),
  published_date: Nullable(Type.String(), 'YYYY-MM-DD.'),
  published: Nullable(Type.String(), 'The same as written, which shows whether the source stated a day.'),
  url: Nullable(Type.String(), 'Web page about the paper.'),
  relevance_score: Type.Number({ minimum: 0, maximum: 1, description: 'Score when it was last compared with the feed.' }),
  found_at: time('When a source found it.'),
  changes: Type.Array(Type.Pick(Notice, ['kind', 'label']), { description: 'What became of it, most serious first.' })
}, { description: 'A fetched paper that is not in the feed.' })
export type Candidate = Static<typeof Candidate>

/** A page of the papers that a feed does not include. */
export const CandidatesListResult = Type.Object({
  items: Type.Array(Candidate, { description: 'Last week first, best first within a week (from Monday, UTC).' }),
  weekly_limit: WeeklyLimit,
  total: count('Papers on all pages, at most 10,000.'),
  ...page
})

/** A paper to add from those that a feed does not include. */
export const CandidateAddInput = Type.Object({
  project_id: ProjectReference,
  candidate_id: Type.String({ format: 'uuid', description: 'From the list of candidates.' })
}, { additionalProperties: false })
