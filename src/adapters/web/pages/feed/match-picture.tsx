import type { MatchingDetails, Reason } from '../../../../../schemas/relevance.js'

const signed = (digits: number) => new Intl.NumberFormat('en', { minimumFractionDigits: digits, maximumFractionDigits: digits, signDisplay: 'exceptZero' })
const [coarse, fine] = [signed(2), signed(3)]

/**
 * Why an item matched: its terms with what each adds to the score or takes from it, as bars. The words and figures beside the bars say the
 * same to whoever does not see them.
 */
export function MatchPicture ({ details: { terms, positive_keywords, negative_keywords, liked_paper }, paperAddress }: { details: MatchingDetails, paperAddress: (id: string) => string }) {
  const isLearned = terms.some(({ from }) => from === 'feedback')
  if (terms.length + positive_keywords.length + negative_keywords.length === 0 && liked_paper === null) return null
  return (
    <section class='match' aria-labelledby='match-title'>
      <h3 id='match-title'>Why it matched</h3>
      {terms.length > 0 && <Bars terms={terms} />}
      {isLearned && <p class='match-key'><Swatch kind='interest' /> from your interest <Swatch kind='feedback' /> from your votes</p>}
      <dl class='match-facts'>
        {positive_keywords.length > 0 && <div><dt>Keywords found</dt><dd>{positive_keywords.join(', ')}</dd></div>}
        {negative_keywords.length > 0 && <div><dt>Excluded keywords found</dt><dd>{negative_keywords.join(', ')}</dd></div>}
        {liked_paper !== null && <div><dt>Similar to a paper you {liked_paper.starred ? 'starred' : 'upvoted'}</dt><dd><a href={paperAddress(liked_paper.paper_id)}>{liked_paper.title}</a></dd></div>}
      </dl>
    </section>
  )
}

const Swatch = ({ kind }: { kind: string }) => <svg class='swatch' width='10' height='10' aria-hidden='true'><rect class={`bar ${kind}`} width='10' height='10' /></svg>

/** Width of the picture in its own units. */
const width = 200
const height = 10

function Bars ({ terms }: { terms: Reason[] }) {
  const most = Math.max(...terms.map(({ weight }) => weight), 0)
  const least = Math.min(...terms.map(({ weight }) => weight), 0)
  const scale = width / (most - least || 1)
  const zero = -least * scale
  const figures = most - least < 0.1 ? fine : coarse
  return (
    <ul class='bars'>
      {terms.map(({ term, weight, from }) => {
        const length = Math.max(Math.abs(weight) * scale, 1)
        return (
          <li key={`${term} ${from}`}>
            <span class='bar-term'>{term}</span>
            <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio='none' height={height} aria-hidden='true'>
              <rect class={`bar ${weight < 0 ? 'against' : from === 'feedback' ? 'feedback' : 'interest'}`} x={(weight < 0 ? zero - length : zero).toFixed(1)} width={length.toFixed(1)} height={height} />
              {least < 0 && <rect class='bar-zero' x={(zero - 0.5).toFixed(1)} width='1' height={height} />}
            </svg>
            <span class='bar-weight'>{figures.format(weight).replace('-', '−')}</span>
          </li>
        )
      })}
    </ul>
  )
}
