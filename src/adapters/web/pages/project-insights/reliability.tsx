import { minReliabilityVotes } from '../../../../relevance/reliability.js'
import { score } from '../../../../../schemas/points.js'
import { percent } from '../../../../../schemas/percent.js'
import type { ProjectStatistics } from '../../../../../schemas/statistics.js'

const size = 100

/** A reliability diagram: the share of upvotes by score. Points on the diagonal have the score that they should have. */
export function Reliability ({ reliability, feedback }: Pick<ProjectStatistics, 'reliability' | 'feedback'>) {
  if (reliability === null) {
    const { upvotes, stars, downvotes } = feedback
    return (
      <section aria-labelledby='reliability'>
        <h2 id='reliability'>Can you trust the scores?</h2>
        <p class='section-text'>
          {upvotes + stars >= minReliabilityVotes && downvotes === 0
            ? 'You have only upvoted. Upvotes alone do not show which papers you passed over, so they cannot show how well scores ' +
              'predict your votes. Downvote papers that do not matter.'
            : `Rate ${minReliabilityVotes} papers of the feed to see how well scores predict your votes.`}
        </p>
      </section>
    )
  }
  const { sentence, bins } = reliability
  const points = bins.map(({ predicted, observed }) => ({ x: size * predicted, y: size * (1 - observed) }))
  return (
    <section aria-labelledby='reliability'>
      <h2 id='reliability'>Can you trust the scores?</h2>
      <p class='section-text'>{sentence}</p>
      <figure class='reliability'>
        <svg viewBox={`-4 -4 ${size + 8} ${size + 8}`} aria-hidden='true'>
          <rect class='chart-ground' width={size} height={size} />
          <line class='chart-grid' x1='0' y1={size} x2={size} y2='0' />
          <polyline class='reliability-line' points={points.map(({ x, y }) => `${x},${y}`).join(' ')} />
          {bins.map(({ votes, predicted, observed }, at) => (
            <circle key={predicted} class='reliability-point' cx={points[at]!.x} cy={points[at]!.y} r='2.5'>
              <title>{`Score ${score(predicted)}: ${percent(observed)} upvoted, ${votes} votes`}</title>
            </circle>
          ))}
        </svg>
        <figcaption class='quiet-text'>
          Horizontal: score, 0 to 100. Vertical: share of papers that you upvoted. Well-calibrated scores lie on the diagonal.
        </figcaption>
        <details class='fold'>
          <summary>Show as table</summary>
          <table class='plain-table'>
            <thead>
              <tr>
                <th scope='col'>Score</th>
                <th scope='col' class='number'>Upvoted</th>
                <th scope='col' class='number'>Votes</th>
              </tr>
            </thead>
            <tbody>
              {bins.map(({ votes, predicted, observed }) => (
                <tr key={predicted}>
                  <th scope='row'>{score(predicted)}</th>
                  <td class='number'>{percent(observed)}</td>
                  <td class='number'>{votes}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      </figure>
    </section>
  )
}
