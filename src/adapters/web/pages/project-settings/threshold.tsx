import { formatPapers } from '../../components/figures.js'
import { scoreBounds } from '../../components/project-fields.js'
import { toPoints } from '../../../../../schemas/points.js'

/** `papers[70]` counts those found in the last `weeks` with a score from 0.70 to 0.71: the slider needs no request for each step. */
export interface FoundScores { weeks: number, weekly_limit: number, papers: readonly number[] }

const barCount = 50
const height = 48

/** Describes how many papers a threshold adds in a week. public/scripts/project/threshold.js says the same. */
export function perWeek ({ weeks, weekly_limit, papers }: FoundScores, threshold: number): string {
  const count = papers.slice(Math.min(Math.round(threshold * 100), papers.length)).reduce((sum, each) => sum + each, 0) / weeks
  const rounded = count === 0 || count >= 10 ? String(Math.round(count)) : count.toFixed(1).replace(/\.0$/, '')
  const limited = weekly_limit > 0 && count > weekly_limit
    ? `; at most ${weekly_limit} added`
    : ''
  return `About ${rounded} ${rounded === '1' ? 'paper' : 'papers'} a week${limited}`
}

/**
 * The scores of the papers that the sources found lately, and a slider for the minimum score on them. The slider needs scripts and follows
 * the field of the form.
 */
export function Threshold ({ found, threshold }: { found: FoundScores, threshold: number }) {
  const { papers, weeks } = found
  const total = papers.reduce((sum, each) => sum + each, 0)
  if (total === 0) return null
  const width = papers.length / barCount
  const bars = Array.from({ length: barCount }, (_, at) => papers.slice(at * width, (at + 1) * width).reduce((sum, each) => sum + each, 0))
  const peak = Math.max(...bars)
  return (
    <div class='threshold' data-threshold={papers.join(' ')} data-weeks={weeks}>
      <p>
        <output id='threshold-result' for='threshold-slider feed_threshold'>{perWeek(found, threshold)}</output>{' '}
        <span class='quiet-text'>
          at this score, based on the last {Math.round(7 * weeks)} days ({formatPapers(total)}).
        </span>
      </p>
      <svg viewBox={`0 0 ${barCount} ${height}`} width='100%' height={height} preserveAspectRatio='none' aria-hidden='true'>
        {bars.map((count, at) => {
          const barHeight = count === 0 ? 0 : Math.max(height * Math.sqrt(count / peak), 1.5)
          const name = (at + 1) * width > Math.round(threshold * 100) ? 'column strong' : 'column'
          return (
            <rect key={at} class={name} x={at + 0.1} y={height - barHeight} width={0.8} height={barHeight} />
          )
        })}
      </svg>
      <label class='unseen' for='threshold-slider'>Minimum score, by papers per week</label>
      <input
        id='threshold-slider'
        type='range'
        {...scoreBounds}
        value={toPoints(threshold)}
        aria-describedby='threshold-result'
        hidden
      />
    </div>
  )
}
