import { Type } from 'typebox'
import type { Project } from '../../../schemas/project.js'
import { sourceNames } from '../../sources/index.js'
import type { Fields } from './fields.js'

/** What a project's form is about: its settings, or what a person is about to make of them; thresholds may be as typed. */
export type ProjectValues = Pick<Project, 'name' | 'interest_description' | 'positive_keywords' | 'negative_keywords' | 'sources'> &
  Record<'must_read_threshold' | 'feed_threshold', number | string>

export const questionsField = (source: string): string => `questions_${source}`

const Text = Type.Optional(Type.String())

/** The fields of a project's form: a list has a line for each entry; every source has a checkbox for the keywords and lines for custom queries. */
export const ProjectFields = Type.Object({
  name: Text,
  interest_description: Text,
  positive_keywords: Text,
  negative_keywords: Text,
  must_read_threshold: Text,
  feed_threshold: Text,
  keywords_for: Type.Array(Type.String()),
  ...Object.fromEntries(sourceNames.map(name => [questionsField(name), Text]))
})

/** Reads what was entered; an empty threshold is as `otherwise` has it. */
export function valuesOf (fields: Fields<typeof ProjectFields>, otherwise: Pick<ProjectValues, 'must_read_threshold' | 'feed_threshold'>): ProjectValues {
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

/** Each line once, without empty ones. */
function linesOf (text: unknown): string[] {
  return typeof text === 'string' ? [...new Set(text.split('\n').map(line => line.trim()).filter(line => line !== ''))] : []
}

/** The custom queries of a project for a source, a line each. */
export const questionsOf = (sources: ProjectValues['sources'], name: string): string =>
  sources.filter(source => source.name === name && source.query.trim() !== '').map(({ query }) => query.replace(/\s*\n\s*/g, ' ')).join('\n')

export const asksKeywords = (sources: ProjectValues['sources'], name: string): boolean => sources.some(source => source.name === name && source.query.trim() === '')
