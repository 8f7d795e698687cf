import { Type } from 'typebox'
import { toPoints } from '../../../schemas/points.js'
import type { Project } from '../../../schemas/project.js'
import type { ArgumentProblem } from '../../errors/argument-problem.js'
import { sourceNames } from '../../sources/index.js'
import type { Fields } from './fields.js'

/** Values of a project form: stored settings, or unvalidated input, in which thresholds that are no numbers are text. */
export type ProjectValues = Pick<Project, 'name' | 'interest_description' | 'positive_keywords' | 'negative_keywords' | 'sources'> &
  Record<'must_read_threshold' | 'feed_threshold' | 'weekly_limit', number | string> & {
    /** Papers per week that were entered, also while they limit nothing. */
    entered_limit?: string | undefined
  }

/** Name of the field for a source's custom queries. */
export const customQueriesField = (source: string): string => `custom_queries_${source}`

const Text = Type.Optional(Type.String())

/**
 * Fields of a project form. Lists have one entry per line; each source has a checkbox for the keywords and a text area for custom queries.
 */
export const ProjectFields = Type.Object({
  name: Text,
  interest_description: Text,
  positive_keywords: Text,
  negative_keywords: Text,
  must_read_threshold: Text,
  feed_threshold: Text,
  limit_by: Text,
  weekly_limit: Text,
  keyword_sources: Type.Array(Type.String()),
  ...Object.fromEntries(sourceNames.map(name => [customQueriesField(name), Text]))
})

/** Papers per week that a form proposes. */
export const proposedLimit = 10

/** Reads the fields of a project form. @param defaults thresholds for empty fields */
export function valuesOf (
  fields: Fields<typeof ProjectFields>,
  defaults: Pick<ProjectValues, 'must_read_threshold' | 'feed_threshold'>
): ProjectValues {
  return {
    name: fields.name?.trim() ?? '',
    interest_description: fields.interest_description?.trim() ?? '',
    positive_keywords: linesOf(fields.positive_keywords),
    negative_keywords: linesOf(fields.negative_keywords),
    sources: sourcesOf(fields),
    must_read_threshold: fromPoints(fields.must_read_threshold) ?? defaults.must_read_threshold,
    feed_threshold: fromPoints(fields.feed_threshold) ?? defaults.feed_threshold,
    weekly_limit: fields.limit_by === 'score' ? 0 : fields.weekly_limit ?? (fields.limit_by === 'week' ? proposedLimit : 0)
  }
}

/** What a must-read score means that every fetched paper of the feed reaches. */
export const everyPaperIsMustRead =
  'Every fetched paper in the feed reaches the must-read score. To mark only the best, set it above the minimum score.'

/** The same, for scores of which it is true; undefined for others. public/scripts/project/must-read-score.js decides likewise. */
export const mustReadProblem = ({ must_read_threshold, feed_threshold }: Pick<ProjectValues, 'must_read_threshold' | 'feed_threshold'>) =>
  Number(must_read_threshold) <= Number(feed_threshold)
    ? everyPaperIsMustRead
    : undefined

/** A score that was entered from 0 to 100, from 0 to 1. The operation rejects what is not a number. */
function fromPoints (entered: string | undefined): number | string | undefined {
  const points = Number(entered)
  return Number.isFinite(points) ? Number((points / 100).toPrecision(12)) : entered
}

/** A threshold as its field shows it. */
export const thresholdInPoints = (value: number | string): number | string => typeof value === 'number' ? toPoints(value) : value

/** Fields of the form of a new project. */
export const NewProjectFields = Type.Object({
  ...ProjectFields.properties,
  examples: Text,
  include: Type.Array(Type.String()),
  exclude: Type.Array(Type.String())
})

/** Reads the fields of the form of a new project: chosen suggestions are keywords. */
export function newValuesOf (
  { examples, include, exclude, ...fields }: Fields<typeof NewProjectFields>,
  defaults: Parameters<typeof valuesOf>[1]
): ProjectValues & { examples: string[] } {
  const values = valuesOf(fields as Fields<typeof ProjectFields>, defaults)
  const included = include.filter(term => !exclude.includes(term))
  return {
    ...values,
    positive_keywords: [...new Set([...values.positive_keywords, ...included])],
    negative_keywords: [...new Set([...values.negative_keywords, ...exclude])],
    examples: linesOf(examples)
  }
}

function sourcesOf (fields: Fields<typeof ProjectFields>): ProjectValues['sources'] {
  const queries = fields as Readonly<Record<string, unknown>>
  return sourceNames.flatMap(name => [
    ...(fields.keyword_sources.includes(name) ? [''] : []),
    ...linesOf(queries[customQueriesField(name)])
  ].map(query => ({ name, query })))
}

/** The problem of an argument in the field that it was read from: bounds of scores in points. */
export const inProjectField = ({ path, problem }: ArgumentProblem, fields: Fields<typeof ProjectFields>): ArgumentProblem => ({
  path: projectFieldOf(path, fields),
  problem: /_threshold$/.test(path)
    ? problem.replace(/(?<=must be at (?:least|most) )\d+/, bound => String(toPoints(Number(bound))))
    : problem
})

/** The path of the field that an argument was read from: the fields of a source hold its entries of `sources`. */
function projectFieldOf (argument: string, fields: Fields<typeof ProjectFields>): string {
  const index = /^sources\.(\d+)\b/.exec(argument)?.[1]
  if (index === undefined) return argument
  const sources = sourcesOf(fields)
  const source = sources[Number(index)]
  if (source === undefined) return argument
  const entry = sources.slice(0, Number(index)).filter(({ name, query }) => name === source.name && query !== '').length
  return `${customQueriesField(source.name)}.${entry}`
}

/** Splits text into unique non-empty lines. */
function linesOf (text: unknown): string[] {
  return typeof text === 'string' ? [...new Set(text.split('\n').map(line => line.trim()).filter(line => line !== ''))] : []
}

/** A project's custom queries for a source, one per line. */
export const customQueriesOf = (sources: ProjectValues['sources'], name: string): string =>
  sources
    .filter(source => source.name === name && source.query.trim() !== '')
    .map(({ query }) => query.replace(/(?<!\s)\s*\n\s*/g, ' '))
    .join('\n')

/** Whether a project searches a source for its keywords. */
export const usesKeywords = (sources: ProjectValues['sources'], name: string): boolean =>
  sources.some(source => source.name === name && source.query.trim() === '')
