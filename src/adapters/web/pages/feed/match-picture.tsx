/** What src/relevance writes into `matching_details`; older items have less of it, or nothing. */
interface Reasons {
  terms: Array<{ term: string, weight: number, from?: string }>
  positive_keywords: string[]
  negative_keywords: string[]
  liked_paper: { paper_id: string, title: string, starred: boolean } | null
}

function reasonsOf (details: Readonly<Record<string, unknown>>): Reasons {
  const list = (name: string) => (Array.isArray(details[name]) ? details[name] as unknown[] : [])
  const words = (name: string) => list(name).filter(each => typeof each === 'string')
  const liked = details.liked_paper as Reasons['liked_paper'] | undefined
  return {
    terms: (list('terms') as Reasons['terms']).filter(each => typeof each?.term === 'string' && Number.isFinite(each.weight)),
    positive_keywords: words('positive_keywords'),
    negative_keywords: words('negative_keywords'),
    liked_paper: typeof liked?.title === 'string' ? liked : null
  }
}

const signed = (digits: number) => new Intl.NumberFormat('en', { minimumFractionDigits: digits, maximumFractionDigits: digits, signDisplay: 'exceptZero' })
const [coarse, fine] = [signed(2), signed(3)]

/**
 * Why an item matched: its terms with what each adds to the score or takes from it, as bars. The words and figures beside the bars say the
 * same to whoever does not see them.
 */
export function MatchPicture ({ details, paperAddress }: { details: Readonly<Record<string, unknown>>, paperAddress: (id: string) => string }) {
  const { terms, positive_keywords, negative_keywords, liked_paper } = reasonsOf(details)
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

function Bars ({ terms }: Pick<Reasons, 'terms'>) {
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
