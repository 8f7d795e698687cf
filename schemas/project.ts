import { type Static, Type } from 'typebox'
import { ProjectId, Uuid } from './ids.js'
import { Nullable, Words } from './nullable.js'
import { Author } from './paper.js'

const Keyword = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', description: 'A word or phrase.' })
const Keywords = (description: string) => Type.Array(Keyword, { maxItems: 100, description })

const described = {
  name: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', description: 'Name of the project.' }),
  interest_description: Type.String({ maxLength: 10_000, description: 'What the project is about, in plain words.' }),
  positive_keywords: Keywords('Words that speak for a paper.'),
  negative_keywords: Keywords('Words that exclude a paper.')
}

/** The thresholds of a project that sets none. */
export const defaultThresholds = { must_read_threshold: 0.6, feed_threshold: 0.1 } as const

const settings = {
  matching_state: Words(['active', 'paused'], { description: 'Whether new papers are looked for.' }),
  must_read_threshold: Type.Number({ minimum: 0, maximum: 1, description: `relevance_score from which an item is classed must_read; ${defaultThresholds.must_read_threshold} where it is not set.` }),
  feed_threshold: Type.Number({ minimum: 0, maximum: 1, description: `relevance_score from which a fetched paper enters the feed; ${defaultThresholds.feed_threshold} where it is not set. What you import enters always.` })
}

const SourceState = Type.Object({
  name: Type.String({ description: 'Name of the source.' }),
  query: Type.String({ description: 'The project\'s query for it.' }),
  last_fetched_at: Nullable(Type.String({ format: 'date-time' }), 'When it was last looked at with success.'),
  last_error: Nullable(Type.String(), 'Why it could not be looked at the last time, or what it has and did not give; null when neither.'),
  failures: Type.Integer({ description: 'How often in a row it could not be looked at.' }),
  papers_found: Type.Integer({ description: 'Papers that the last look found.' }),
  papers_entered: Type.Integer({ description: 'Those of them that were new in the feed.' }),
  next_fetch_at: Type.String({ format: 'date-time', description: 'When it is looked at next.' })
}, { description: 'Where one source of the project stands.' })

/** For operations without arguments. */
export const NoInput = Type.Object({}, { additionalProperties: false })
/** Names a project of the caller. */
export const ProjectInput = Type.Object({ project_id: ProjectId }, { additionalProperties: false })

const previewed = {
  interest_description: Type.Optional(described.interest_description),
  positive_keywords: Type.Optional(described.positive_keywords),
  negative_keywords: Type.Optional(described.negative_keywords),
  must_read_threshold: Type.Optional(settings.must_read_threshold),
  feed_threshold: Type.Optional(settings.feed_threshold)
}

/** Changed settings of a project, to be tried without saving. */
export const ProjectPreviewInput = Type.Object({
  ...ProjectInput.properties,
  ...previewed
}, { additionalProperties: false })

const PreviewedPaper = Type.Object({
  paper_id: Uuid,
  title: Type.String(),
  relevance_score: Type.Number({ description: 'As it would be.' }),
  now: Nullable(Type.Number(), 'As it is; null for a paper that is not in the feed.')
})

/** Papers that changed settings would add and remove. */
export const ProjectPreviewResult = Type.Object({
  since: Type.String({ format: 'date-time', description: 'Papers that were found since then are compared.' }),
  compared: Type.Integer({ description: 'How many papers were compared.' }),
  complete: Type.Boolean({ description: 'False where there were too many to compare all; the newest were taken.' }),
  counts: Type.Object({
    added: Type.Integer({ description: 'Papers that would enter the feed.' }),
    dropped: Type.Integer({ description: 'Unrated papers that would leave it.' }),
    must_read: Type.Integer({ description: 'Papers that would be must_read.' }),
    must_read_now: Type.Integer({ description: 'Papers that are.' })
  }),
  added: Type.Array(PreviewedPaper, { description: 'The best of those that would enter, 50 at most.' }),
  dropped: Type.Array(PreviewedPaper, { description: 'The best of those that would leave, 50 at most.' })
}, { description: 'What a change would do to the last 30 days. Nothing is saved.' })

/** Papers that a new project would get from its sources. */
export const NewProjectPreviewResult = Type.Object({
  sources: Type.Array(Type.Object({
    name: Type.String({ description: 'Name of the source.' }),
    query: Type.String({ description: 'What it was asked.' }),
    since: Nullable(Type.String({ format: 'date' }), 'Papers from this day on were looked for; null where it could not be asked.'),
    found: Type.Integer({ description: 'Papers that it gave in the time there was.' }),
    entering: Type.Integer({ description: 'Those of them that would enter the feed.' }),
    error: Nullable(Type.String(), 'Why it could not be asked, or not to the end; null when it could.')
  }), { description: 'How each source fared.' }),
  counts: Type.Object({
    found: Type.Integer({ description: 'Papers, each counted once however many sources gave it.' }),
    entering: Type.Integer({ description: 'Those that would enter the feed.' }),
    must_read: Type.Integer({ description: 'Those of them that would be must_read.' })
  }),
  papers: Type.Array(Type.Object({
    title: Type.String(),
    authors: Type.Array(Author),
    venue_name: Nullable(Type.String(), 'Journal, conference or server.'),
    published_date: Nullable(Type.String({ format: 'date' }), 'YYYY-MM-DD.'),
    url: Nullable(Type.String(), 'Where a person reads about the paper.'),
    sources: Type.Array(Type.String(), { description: 'Which sources gave it.' }),
    relevance_score: Type.Number({ description: 'As it would be.' }),
    relevance_class: Words(['must_read', 'related'], { description: 'As it would be.' }),
    personalized_note: Type.String({ description: 'Why, in a sentence.' })
  }), { description: 'The best of those that would enter, 20 at most.' })
}, { description: 'What a new project would bring. Nothing is saved.' })
export type NewProjectPreviewResult = Static<typeof NewProjectPreviewResult>

/** The interest to suggest keywords from. */
export const KeywordsSuggestInput = Type.Object({ interest_description: described.interest_description }, { additionalProperties: false })

/** Suggested keywords. */
export const KeywordsSuggestResult = Type.Object({ keywords: Type.Array(Type.String(), { description: 'Phrases of the description, in its order, 12 at most.' }) })

/** What one source brought in a fetch. */
export const SourceResult = Type.Object({
  name: Type.String({ description: 'Name of the source.' }),
  query: Type.String({ description: 'What it was asked.' }),
  found: Type.Integer({ description: 'Records that it gave.' }),
  entered: Type.Integer({ description: 'Papers that are new in the feed.' }),
  rejected: Type.Integer({ description: 'Records that could not be used.' }),
  rejections: Type.Array(Type.String(), { description: 'Why, for the first of them; before them, what the source has and did not give.' }),
  error: Nullable(Type.String(), 'Why it could not be looked at; null when it could.')
})
export type SourceResult = Static<typeof SourceResult>

/** What all sources of a project brought in a fetch. */
export const FetchResult = Type.Object({
  project_id: Uuid,
  sources: Type.Array(SourceResult, { description: 'What each source gave.' })
}, { description: 'What came in.' })
export type FetchResult = Static<typeof FetchResult>

/** The job that does the work, and whether this call queued it. */
export const JobQueued = Type.Object({
  job_id: Uuid,
  created: Type.Boolean({ description: 'False when it waited or ran already.' })
}, { description: 'A job that was queued: GET /api/jobs/{job_id} tells where it stands.' })

/** The shapes that name sources, for the sources of an installation; src/operations/projects/schemas.ts makes them from the table of sources. */
export function projectSchemas ({ names, defaults }: { names: readonly string[], defaults: readonly string[] }) {
  const ProjectSource = Type.Object({
    name: Type.String({ minLength: 1, maxLength: 64, description: `Name of the source: ${listed(names, 'or')}.` }),
    query: Type.String({ maxLength: 2000, description: 'What is asked of the source, in its own query language; empty: the project\'s keywords. For feed, the address of an RSS or Atom feed.' })
  }, { additionalProperties: false, description: 'Where papers are fetched from.' })

  const editable = {
    ...described,
    sources: Type.Array(ProjectSource, { maxItems: 50, description: `Sources that fill the feed. Left out of a new project: ${listed(defaults, 'and')}, asked for its keywords; an empty list: none.` }),
    ...settings
  }

  const Project = Type.Object({
    id: Uuid,
    ...editable,
    mode: Words(['auto'], { description: 'How the feed is filled.' }),
    visibility: Words(['private'], { description: 'Who can see the project.' }),
    created_at: Type.String({ format: 'date-time', description: 'When the project was made.' }),
    updated_at: Type.String({ format: 'date-time', description: 'When its settings last changed.' }),
    last_fetched_at: Nullable(Type.String({ format: 'date-time' }), 'When papers were last fetched.'),
    source_states: Type.Array(SourceState, { description: 'How each source fares.' }),
    counts: Type.Object({
      papers: Type.Integer({ description: 'Items in the feed.' }),
      must_read: Type.Integer({ description: 'Items classed must_read.' }),
      unrated: Type.Integer({ description: 'Items without feedback.' })
    }, { description: 'Size of the feed.' })
  }, { description: 'A standing research interest with its feed.' })

  const ProjectsListResult = Type.Object({
    items: Type.Array(Project, { description: 'Newest first.' }),
    total: Type.Integer({ minimum: 0, description: 'How many projects you have.' })
  })

  const { name, ...others } = editable

  const ProjectCreateInput = Type.Object({ name, ...Type.Partial(Type.Object(others)).properties }, { additionalProperties: false })

  const NewProjectPreviewInput = Type.Object({
    ...previewed,
    sources: Type.Optional(Type.Array(ProjectSource, { minItems: 1, maxItems: 10, description: `Sources that are asked. Left out: ${listed(defaults, 'and')}, asked for the keywords.` }))
  }, { additionalProperties: false })

  const ProjectUpdateInput = Type.Object({
    ...ProjectInput.properties,
    ...Type.Partial(Type.Object(editable)).properties
  }, { additionalProperties: false })

  return { Project, ProjectSource, ProjectsListResult, ProjectCreateInput, ProjectUpdateInput, NewProjectPreviewInput }
}

type ProjectSchemas = ReturnType<typeof projectSchemas>
/** A standing research interest of one account. */
export type Project = Static<ProjectSchemas['Project']>
/** A source of a project, with the query that replaces its keywords. */
export type ProjectSource = Static<ProjectSchemas['ProjectSource']>
/** Input of `project_create`. */
export type ProjectCreateInput = Static<ProjectSchemas['ProjectCreateInput']>
/** Settings of a project to change; the others stay. */
export type ProjectUpdateInput = Static<ProjectSchemas['ProjectUpdateInput']>

/** "a, b and c" */
const listed = (names: readonly string[], conjunction: string) => [names.slice(0, -1).join(', '), ...names.slice(-1)].filter(part => part !== '').join(` ${conjunction} `)
