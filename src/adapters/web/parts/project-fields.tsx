import type { ComponentChildren } from 'preact'
import { asksKeywords, type ProjectValues, questionsField, questionsOf } from '../project-values.js'
import { Field, Tick } from './form.js'

/** A source as people choose it. */
export interface KnownSource { name: string, title: string, covers: string, query_help: string }

export const InterestField = ({ values, autofocus = false }: { values: ProjectValues, autofocus?: boolean }) => (
  <Field
    name='interest_description' label='What do you want to follow?' type='lines' rows={5} value={values.interest_description} maxlength={10_000} autofocus={autofocus}
    hint='Say it as you would to a colleague. Papers are scored by the words they share with it, until your votes teach more.'
    placeholder='Base editing as a therapy of inherited retinal disease, above all its delivery to photoreceptors.'
  />
)

/** Keywords and excluded keywords, side by side where there is room. @param children what stands below the keywords */
export const KeywordFields = ({ values, children }: { values: ProjectValues, children?: ComponentChildren }) => (
  <div class='beside'>
    <div class='stack-small' id='keywords'>
      <Field name='positive_keywords' label='Keywords' type='lines' rows={6} value={values.positive_keywords.join('\n')} hint='One word or phrase a line. Sources are asked for them, and they raise a score.' />
      {children}
    </div>
    <Field name='negative_keywords' label='Excluded keywords' type='lines' rows={6} value={values.negative_keywords.join('\n')} hint='One a line. A fetched paper that has one never enters the feed.' />
  </div>
)

export const ThresholdFields = ({ values }: { values: ProjectValues }) => (
  <div class='beside level'>
    <Field name='feed_threshold' label='Into the feed from' type='number' min={0} max={1} step={0.01} value={values.feed_threshold} hint='Scores go from 0 to 1. A lower number brings more papers, a higher one fewer. Papers that you import always enter.' />
    <Field name='must_read_threshold' label='Must read from' type='number' min={0} max={1} step={0.01} value={values.must_read_threshold} hint='From this score on, a paper is marked as one to read.' />
  </div>
)

/** Every source with what it has, a box for the keywords, and room for questions of one's own. */
export const SourceFields = ({ values, sources }: { values: ProjectValues, sources: readonly KnownSource[] }) => (
  <ul class='source-choice'>
    {sources.map(({ name, title, covers, query_help }) => {
      const questions = questionsOf(values.sources, name)
      return (
        <li key={name}>
          {name === 'feed'
            ? <Field name={questionsField(name)} label='Journals’ own feeds' type='lines' rows={2} value={questions} hint='Addresses of RSS or Atom feeds, one a line: a journal, a group, a blog.' />
            : (
              <>
                <Tick name='keywords_for' value={name} label={title} hint={covers} ticked={asksKeywords(values.sources, name)} />
                <details class='fold' open={questions !== ''}>
                  <summary>Own questions<span class='unseen'> for {title}</span></summary>
                  <Field name={questionsField(name)} label={`Questions for ${title}`} type='lines' rows={2} value={questions} hint={<>One a line, besides the keywords where the box is ticked. {query_help}</>} />
                </details>
              </>
              )}
        </li>
      )
    })}
  </ul>
)
