import { type Static, type TSchema, Type } from 'typebox'
import { FoundExamples } from './examples.js'
import { count, time } from './fields.js'
import { ProjectReference, Uuid } from './ids.js'
import { Nullable, Words } from './nullable.js'
import { Notice } from './notice.js'
import { maxLimit, paging } from './paging.js'
import { LearningResult } from './learning.js'
import { Author } from './paper.js'
import { RecallSummary } from './recall.js'

const Keyword = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' })
const Keywords = (description: string) => Type.Array(Keyword, { maxItems: 100, description })

const described = {
  name: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', description: 'Name of the project.' }),
  interest_description: Type.String({ maxLength: 10_000, description: 'Research interest in plain words.' }),
  positive_keywords: Keywords('Words that raise a paper\'s score.'),
  negative_keywords: Keywords('Words that exclude a paper.')
}

/** Days of papers that a change of settings lets into a feed and out of it. */
export const rescoringDays = 30

/** A paper as a person pastes it. */
export const ListedPaper = Type.String({ minLength: 1, maxLength: 600, pattern: '\\S' })

/** Sources that a project may have. */
export const maxSources = 50

/** The thresholds of a project that sets none. */
export const defaultThresholds = { must_read_threshold: 0.6, feed_threshold: 0.1, weekly_limit: 0 } as const

const settings = {
  matching_state: Words(['active', 'paused'], { description: 'Whether new papers are fetched.' }),
  must_read_threshold: Type.Number({
    minimum: 0,
    maximum: 1,
    description: `Minimum relevance_score of a must_read item. Default ${defaultThresholds.must_read_threshold}.`
  }),
  feed_threshold: Type.Number({
    minimum: 0,
    maximum: 1,
    description: `Minimum relevance_score for adding a fetched paper to the feed. Default ${defaultThresholds.feed_threshold}. ` +
      'Imported papers are always added.'
  })
}

/** The weekly limit that limits nothing. */
export const noWeeklyLimit = 0

/** A project without a limit does not have it in its record. */
export const WeeklyLimit = Type.Integer({
  minimum: noWeeklyLimit,
  maximum: 1000,
  description: 'Only the best fetched papers of a week (from Monday, UTC) are added, at most this many. Default 0: no limit.'
})

const SourceState = Type.Object({
  name: Type.String({ description: 'Name of the source.' }),
  query: Type.String({ description: 'The project\'s query for it.' }),
  last_fetched_at: Nullable(time(), 'When the last successful fetch ended.'),
  last_error: Nullable(Type.String(), 'Why the last fetch failed, or what the source withheld; null otherwise.'),
  failures: Type.Integer({ description: 'Consecutive failed fetches.' }),
  papers_found: Type.Integer({ description: 'Papers that the last fetch found.' }),
  papers_entered: Type.Integer({ description: 'Papers of the last fetch that were new in the feed.' }),
  next_fetch_at: time('When the next fetch is due.')
}, { description: 'State of one source of the project.' })

/** Projects on a page if the caller sends no limit. */
export const defaultProjectLimit = 50
/** A page of the caller's projects. */
export const ProjectsListInput = Type.Object(
  {
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: maxLimit,
        default: defaultProjectLimit,
        description: 'Page size.'
      })
    ),
    offset: paging.offset
  },
  { additionalProperties: false }
)
/** Names a project of the caller. */
export const ProjectInput = Type.Object({ project_id: ProjectReference }, { additionalProperties: false })

const previewed = {
  interest_description: Type.Optional(described.interest_description),
  positive_keywords: Type.Optional(described.positive_keywords),
  negative_keywords: Type.Optional(described.negative_keywords),
  must_read_threshold: Type.Optional(settings.must_read_threshold),
  feed_threshold: Type.Optional(settings.feed_threshold),
  weekly_limit: Type.Optional(WeeklyLimit)
}

/** Changed settings of a project, to be tried without saving. */
export const ProjectPreviewInput = Type.Object({
  ...ProjectInput.properties,
  ...previewed
}, { additionalProperties: false })

const PreviewedPaper = Type.Object({
  paper_id: Type.String({ format: 'uuid', description: 'Id for paper_get, also of a paper that is not in the feed.' }),
  title: Type.String({ description: 'Title.' }),
  relevance_score: Type.Number({ description: 'After the change.' }),
  now: Nullable(Type.Number(), 'Present score; null if the paper is not in the feed.')
})

/** Papers that changed settings would add and remove. */
export const ProjectPreviewResult = Type.Object({
  since: time('Papers found since then are compared.'),
  compared: Type.Integer({
    description: 'Papers compared: candidates, and fetched items without vote or mark.'
  }),
  not_compared: Type.Integer({ description: 'Other papers of the feed, which stay: imported, rated, marked or older ones.' }),
  complete: Type.Boolean({ description: 'False if there were too many papers; only the newest are compared then.' }),
  counts: Type.Object({
    added: Type.Integer({ description: 'Papers that would be added.' }),
    dropped: Type.Integer({ description: 'Unrated papers that would leave it.' }),
    must_read: Type.Integer({ description: 'Compared papers that would be must_read.' }),
    must_read_now: Type.Integer({ description: 'Compared papers that are must_read now.' })
  }, { description: 'Numbers of papers.' }),
  added: Type.Array(PreviewedPaper, { description: 'The best papers that would be added, at most 50.' }),
  dropped: Type.Array(PreviewedPaper, { description: 'The best papers that would leave, at most 50.' })
}, { description: `The effect of a change on the papers of the last ${rescoringDays} days. Nothing is saved.` })

/** Example papers that a project is created with, at most. */
export const maxExamples = 100

/** Example papers that one call to suggest keywords or to preview a project looks up, at most: a person waits. */
export const maxPreviewedExamples = 10

const PreviewedExamples = Type.Optional(Type.Array(ListedPaper, {
  maxItems: maxExamples,
  description: 'Papers like those that are wanted: DOIs, PMIDs, PMCIDs, arXiv ids or titles. ' +
    `The first ${maxPreviewedExamples} are looked up.`
}))

/** Papers that a new project would get from its sources. */
export const NewProjectPreviewResult = Type.Object({
  sources: Type.Array(Type.Object({
    name: Type.String({ description: 'Name of the source.' }),
    query: Type.String({ description: 'The query that was sent.' }),
    since: Nullable(Type.String({ format: 'date' }), 'First day of the search; null if the source could not be searched.'),
    found: Type.Integer({ description: 'Papers that the source returned within the time limit.' }),
    entering: Type.Integer({ description: 'Papers of this source that would be added.' }),
    error: Nullable(Type.String(), 'Why the search failed or stopped early; null if it did not.')
  }), { description: 'Outcome for each source.' }),
  counts: Type.Object({
    found: Type.Integer({ description: 'Distinct papers found.' }),
    entering: Type.Integer({ description: 'Papers that would be added.' }),
    must_read: Type.Integer({ description: 'Papers that would be must_read.' })
  }),
  papers: Type.Array(Type.Object({
    title: Type.String(),
    authors: Type.Array(Author),
    venue_name: Nullable(Type.String(), 'Journal, conference or server.'),
    published_date: Nullable(Type.String({ format: 'date' }), 'YYYY-MM-DD.'),
    published: Nullable(Type.String(), 'The same as written, which shows whether the source stated a day.'),
    url: Nullable(Type.String(), 'Web page about the paper.'),
    sources: Type.Array(Type.String(), { description: 'Sources that returned it.' }),
    relevance_score: Type.Number({ description: 'Score in the new project.' }),
    relevance_class: Words(['must_read', 'related'], { description: 'Class in the new project.' }),
    personalized_note: Type.String({ description: 'The reason for the score, in a sentence.' }),
    changes: Type.Array(Type.Pick(Notice, ['kind', 'label']), { description: 'Retraction that its record states.' })
  }), { description: 'The best papers that would be added, at most 20.' }),
  examples: FoundExamples
}, { description: 'The papers that a new project would get. Nothing is saved.' })
export type NewProjectPreviewResult = Static<typeof NewProjectPreviewResult>

/** The interest and the example papers to suggest keywords from. */
export const KeywordsSuggestInput = Type.Object({
  interest_description: Type.Optional(described.interest_description),
  examples: PreviewedExamples
}, { additionalProperties: false })

/** Suggested keywords. */
export const KeywordsSuggestResult = Type.Object({
  keywords: Type.Array(Type.String(), { description: 'Phrases of the description, in its order, 12 at most.' }),
  terms: Type.Array(Type.Object({
    term: Type.String({ description: 'Word or phrase of the examples.' }),
    papers: Type.Integer({ description: 'Number of examples that have it.' }),
    titles: Type.Integer({ description: 'Number of their titles that have it.' })
  }), { description: 'Keywords from the examples, best first, 20 at most.' }),
  examples: FoundExamples
})

/** Creates the schemas that list the names of sources. src/sources/projects/project-schemas.ts calls it with the table of sources. */
export function projectSchemas ({ names, defaults }: { names: readonly string[], defaults: readonly string[] }) {
  const ProjectSource = Type.Object(
    {
      name: Type.String({ minLength: 1, maxLength: 64, description: `Name of the source: ${listed(names, 'or')}.` }),
      query: Type.String({
        maxLength: 2000,
        description: "Query in the source's own language; empty: the project's keywords. For feed, the address of an RSS or Atom feed."
      })
    },
    { additionalProperties: false, description: 'Where papers are fetched from.' }
  )

  const { name: sourceName, query } = ProjectSource.properties
  /** A source as callers write it. Without a query, it is searched for the project's keywords. */
  const WrittenSource = Type.Object({ name: sourceName, query: Type.Optional(query) }, {
    additionalProperties: false,
    description: 'A source.'
  })

  const sourcesOf = <S extends TSchema>(source: S) => Type.Array(source, {
    maxItems: maxSources,
    description: `Sources that fill the feed. Default for a new project: ${listed(defaults, 'and')}, searched for its keywords. ` +
      'An empty list: no sources.'
  })
  const editable = { ...described, sources: sourcesOf(WrittenSource), ...settings }

  const Project = Type.Object({
    id: Uuid,
    ...editable,
    sources: sourcesOf(ProjectSource),
    weekly_limit: Type.Optional(WeeklyLimit),
    mode: Words(['auto'], { description: 'Feed mode.' }),
    visibility: Words(['private'], { description: 'Project visibility.' }),
    created_at: time('When the project was created.'),
    updated_at: time('When its settings last changed.'),
    last_fetched_at: Nullable(time(), 'When papers were last fetched.'),
    source_states: Type.Array(SourceState, { description: 'State of each source.' }),
    counts: Type.Object({
      papers: Type.Integer({ description: 'Items in the feed.' }),
      must_read: Type.Integer({ description: 'Items classed must_read.' }),
      unrated: Type.Integer({ description: 'Items without feedback.' })
    }, { description: 'Size of the feed.' })
  }, { description: 'A standing research interest with its feed.' })

  const ProjectResult = Type.Object(
    { ...Project.properties, learning: LearningResult, recall: RecallSummary },
    { description: 'A project, and what it learned.' }
  )

  const ProjectsListResult = Type.Object({
    items: Type.Array(Project, { description: 'Newest first.' }),
    total: count('Number of your projects, on all pages.')
  })

  const { name, ...others } = editable

  const ProjectCreateInput = Type.Object(
    {
      name,
      ...Type.Partial(Type.Object({ ...others, weekly_limit: WeeklyLimit })).properties,
      examples: Type.Optional(Type.Array(ListedPaper, {
        maxItems: maxExamples,
        description: 'Papers to learn from: DOIs, PMIDs, arXiv ids or titles.'
      }))
    },
    { additionalProperties: false }
  )

  const NewProjectPreviewInput = Type.Object(
    {
      ...previewed,
      sources: Type.Optional(
        Type.Array(WrittenSource, {
          minItems: 1,
          maxItems: 10,
          description: `Sources to search. Default: ${listed(defaults, 'and')}, searched for the keywords.`
        })
      ),
      examples: PreviewedExamples
    },
    { additionalProperties: false }
  )

  const ProjectUpdateInput = Type.Object({
    ...ProjectInput.properties,
    ...Type.Partial(Type.Object({ ...editable, weekly_limit: WeeklyLimit })).properties
  }, { additionalProperties: false })

  return {
    Project, ProjectResult, ProjectSource, WrittenSource, ProjectsListResult, ProjectCreateInput, ProjectUpdateInput, NewProjectPreviewInput
  }
}

type ProjectSchemas = ReturnType<typeof projectSchemas>
/** A standing research interest of one account. */
export type Project = Static<ProjectSchemas['Project']>
/** A source of a project, with the query that replaces its keywords. */
export type ProjectSource = Static<ProjectSchemas['ProjectSource']>
/** A source as callers write it. */
export type WrittenSource = Static<ProjectSchemas['WrittenSource']>

/** "a, b and c" */
const listed = (names: readonly string[], conjunction: string) =>
  [names.slice(0, -1).join(', '), ...names.slice(-1)].filter(part => part !== '').join(` ${conjunction} `)
