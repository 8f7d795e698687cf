import { type Static, Type } from 'typebox'
import type { Project } from '../../../schemas/project.js'
import { sourceNames } from '../../sources/index.js'

/** What a project's form is about: its settings as they are, or as somebody is about to have them. */
export type ProjectValues = Pick<Project, 'name' | 'interest_description' | 'positive_keywords' | 'negative_keywords' | 'sources' | 'must_read_threshold' | 'feed_threshold'>

export const questionsField = (source: string): string => `questions_${source}`

const Lines = Type.Optional(Type.String())

/** The fields of a project's form: lists are a line each; every source has a box for the keywords and lines of questions of its own. */
export const ProjectFields = Type.Object({
  name: Type.Optional(Type.String()),
  interest_description: Type.Optional(Type.String()),
  positive_keywords: Lines,
  negative_keywords: Lines,
  must_read_threshold: Type.Optional(Type.Number()),
  feed_threshold: Type.Optional(Type.Number()),
  keywords_for: Type.Array(Type.String()),
  ...Object.fromEntries(sourceNames.map(name => [questionsField(name), Lines]))
})

/** Reads what was entered; a threshold that was left empty is as `otherwise` has it. */
export function valuesOf (fields: Static<typeof ProjectFields>, otherwise: Pick<ProjectValues, 'must_read_threshold' | 'feed_threshold'>): ProjectValues {
  const questions = fields as Readonly<Record<string, unknown>>
  return {
    name: fields.name?.trim() ?? '',
    interest_description: fields.interest_description?.trim() ?? '',
    positive_keywords: linesOf(fields.positive_keywords),
    negative_keywords: linesOf(fields.negative_keywords),
    sources: sourceNames.flatMap(name => [
      ...(fields.keywords_for.includes(name) ? [''] : []),
      ...linesOf(questions[questionsField(name)])
    ].map(query => ({ name, query }))),
    must_read_threshold: fields.must_read_threshold ?? otherwise.must_read_threshold,
    feed_threshold: fields.feed_threshold ?? otherwise.feed_threshold
  }
}

/** Each line once, without those that are empty. */
function linesOf (text: unknown): string[] {
  return typeof text === 'string' ? [...new Set(text.split('\n').map(line => line.trim()).filter(line => line !== ''))] : []
}

/** The questions of its own that a project has for a source, a line each. */
export const questionsOf = (sources: ProjectValues['sources'], name: string): string =>
  sources.filter(source => source.name === name && source.query.trim() !== '').map(({ query }) => query.replace(/\s*\n\s*/g, ' ')).join('\n')

export const asksKeywords = (sources: ProjectValues['sources'], name: string): boolean => sources.some(source => source.name === name && source.query.trim() === '')
