import type { ComponentChildren } from 'preact'
import {
  usesKeywords, type ProjectValues, customQueriesField, customQueriesOf, everyPaperIsMustRead, mustReadProblem, proposedLimit,
  thresholdInPoints
} from '../project-values.js'
import { noWeeklyLimit } from '../../../../schemas/project.js'
import { projectUpdate } from '../../../operations/projects/project-update.js'
import { isJournalFeed } from '../../../papers/source-traits.js'
import { disabledMessage } from '../../../sources/projects/disabled.js'
import { boundsOf } from '../fields.js'
import { useView } from '../view.js'
import { Field, Checkbox } from './form.js'

const settings = projectUpdate.input.properties

/** A source that a project can use. */
export interface SourceChoice { name: string, title: string, covers: string, query_help: string, disabled: boolean }

/** The field for the research interest. */
export const InterestField = ({ values, autofocus = false }: { values: ProjectValues, autofocus?: boolean }) => (
  <Field
    name='interest_description'
    label='Research interest'
    type='lines'
    rows={5}
    value={values.interest_description}
    {...boundsOf(settings.interest_description)}
    autofocus={autofocus}
    hint={
      'Describe it as you would to a colleague, or write inclusion criteria as sentences, one per line. ' +
      'Papers are scored by shared words until you vote.'
    }
    placeholder='Base editing as a therapy for inherited retinal disease, especially delivery to photoreceptors.'
  />
)

/** Keywords and excluded keywords, side by side on wide screens. @param children shown below the keywords */
export const KeywordFields = ({ values, children }: { values: ProjectValues, children?: ComponentChildren }) => (
  <div class='beside'>
    <div class='stack-small' id='keywords'>
      <Field
        name='positive_keywords'
        label='Keywords'
        type='lines'
        rows={6}
        value={values.positive_keywords.join('\n')}
        hint='One word or phrase per line; neuro* matches any ending. Used to search sources and to raise scores.'
      />
      {children}
    </div>
    <Field
      name='negative_keywords'
      label='Excluded keywords'
      type='lines'
      rows={6}
      value={values.negative_keywords.join('\n')}
      hint='One per line. Fetched papers that contain one are never added.'
    />
  </div>
)

/** Bounds of a field or a slider for a score. */
export const scoreBounds = { min: 0, max: 100, step: 1 } as const

/** The minimum score, the must-read score, and whether every paper enters that reaches the former or only the best of each week. */
export function ThresholdFields ({ values }: { values: ProjectValues }) {
  const { entered } = useView()
  const scoreOf = (name: 'must_read_threshold' | 'feed_threshold') => String(entered[name] ?? '') || thresholdInPoints(values[name])
  const problem = mustReadProblem({ must_read_threshold: scoreOf('must_read_threshold'), feed_threshold: scoreOf('feed_threshold') })
  const isLimited = (entered.limit_by ?? (Number(values.weekly_limit) === 0 ? 'score' : 'week')) === 'week'
  return (
    <>
      <div class='beside level'>
        <Field
          name='feed_threshold'
          label='Minimum score'
          type='number'
          {...scoreBounds}
          value={thresholdInPoints(values.feed_threshold)}
          hint={`From ${scoreBounds.min} to ${scoreBounds.max}. Lower adds more papers, higher fewer. Imported papers are always added.`}
        />
        <Field
          name='must_read_threshold'
          label='Must-read score'
          type='number'
          {...scoreBounds}
          value={thresholdInPoints(values.must_read_threshold)}
          hint={
            <>
              Papers with at least this score are marked must-read.
              <span role='status'><strong id='must-read-problem' hidden={problem === undefined}> {everyPaperIsMustRead}</strong></span>
            </>
          }
        />
      </div>
      <fieldset class='limit-choice'>
        <legend>New papers in the feed</legend>
        <p class='tick'>
          <input type='radio' id='limit-score' name='limit_by' value='score' checked={!isLimited} />
          <label for='limit-score'>All above the minimum score</label>
        </p>
        <p class='tick'>
          <input type='radio' id='limit-week' name='limit_by' value='week' checked={isLimited} />
          <label for='limit-week'>Best of each week</label>
        </p>
        <Field
          name='weekly_limit'
          label='Papers per week'
          type='number'
          {...boundsOf(settings.weekly_limit)}
          min={noWeeklyLimit + 1}
          step={1}
          value={isLimited ? values.weekly_limit : values.entered_limit ?? proposedLimit}
          hint='Maximum per week. Weeks begin on Monday.'
        />
      </fieldset>
    </>
  )
}

/** Every source with its coverage, a checkbox for the keywords and a field for custom queries. */
export const SourceFields = ({ values, sources }: { values: ProjectValues, sources: readonly SourceChoice[] }) => (
  <ul class='source-choice'>
    {sources.map(source => (
      <li key={source.name}>
        {isJournalFeed(source.name)
          ? (
            <Field
              name={customQueriesField(source.name)}
              label='Journal feeds'
              type='lines'
              rows={2}
              value={customQueriesOf(values.sources, source.name)}
              hint='RSS or Atom addresses, one per line: a journal, a lab, a blog.'
            />
            )
          : (
            <SearchedSource values={values} source={source} />
            )}
      </li>
    ))}
  </ul>
)

/** A source that is searched. Its custom queries are folded away while there are none. */
function SearchedSource ({ values, source }: { values: ProjectValues, source: SourceChoice }) {
  const { entered } = useView()
  const { name, title, covers, query_help, disabled } = source
  const field = customQueriesField(name)
  const customQueries = customQueriesOf(values.sources, name)
  // Those of a form that was refused, too: one of them may be the reason.
  const isOpen = String(entered[field] ?? customQueries).trim() !== ''
  return (
    <>
      <Checkbox
        name='keyword_sources'
        value={name}
        label={title}
        hint={disabled ? `${covers} ${disabledMessage}` : covers}
        checked={usesKeywords(values.sources, name)}
      />
      <details class='fold' open={isOpen}>
        <summary>
          Custom query<span class='unseen'> for {title}</span>
        </summary>
        <Field
          name={field}
          label={`Custom queries for ${title}`}
          type='lines'
          rows={2}
          value={customQueries}
          hint={<>One per line, in addition to your keywords if selected. {query_help}</>}
        />
      </details>
    </>
  )
}
