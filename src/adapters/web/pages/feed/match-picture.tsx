import type { CitationReasons, Contributions, PublishedDetails, Reason } from '../../../../../schemas/relevance.js'
import { RichText } from '../../components/rich-text.js'

const signed = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1, signDisplay: 'exceptZero' })

interface MatchPictureProps {
  details: PublishedDetails
  paperAddress: (id: string) => string
}

/** Explains a score: its parts, then each term with its weight, as bars, and the same as text for screen readers. */
export function MatchPicture ({
  details: {
    terms, contributions, positive_keywords, negative_keywords, liked_paper, excluded, excluded_phrases = [], citations, follows = []
  },
  paperAddress
}: MatchPictureProps) {
  // An excluded keyword decides alone, whatever else the paper has.
  const shownTerms = excluded ? [] : terms
  const hasFeedback = shownTerms.some(({ from }) => from === 'feedback')
  const reasons = terms.length + positive_keywords.length + negative_keywords.length + follows.length + excluded_phrases.length
  if (reasons === 0 && liked_paper === null && citations === undefined) return null
  return (
    <section class='match' aria-labelledby='match-title'>
      <h3 id='match-title'>{excluded ? 'Why it scored 0' : 'Why it matched'}</h3>
      {contributions !== null && !excluded && <Parts contributions={contributions} />}
      {shownTerms.length > 0 && <Bars terms={shownTerms} />}
      {hasFeedback && <p class='match-key'><Swatch kind='interest' /> from your interest <Swatch kind='feedback' /> from your votes</p>}
      <dl class='match-facts'>
        {positive_keywords.length > 0 && !excluded && (
          <div>
            <dt>Keywords found</dt>
            <dd>{positive_keywords.join(', ')}</dd>
          </div>
        )}
        {negative_keywords.length > 0 && (
          <div>
            <dt>Excluded keywords found</dt>
            <dd>{negative_keywords.join(', ')}</dd>
          </div>
        )}
        {excluded_phrases.length > 0 && (
          <div>
            <dt>Excluded by your interest</dt>
            <dd>{excluded_phrases.join(', ')}</dd>
          </div>
        )}
        {follows.length > 0 && (
          <div>
            <dt>Followed</dt>
            <dd>{follows.map(({ name, by }) => by === 'id' ? name : `${name} (by name)`).join(', ')}</dd>
          </div>
        )}
        {citations !== undefined && <Citations citations={citations} paperAddress={paperAddress} />}
        {liked_paper !== null && (
          <div>
            <dt>Similar to a paper you {liked_paper.starred ? 'starred' : 'upvoted'}</dt>
            <dd>
              <a href={paperAddress(liked_paper.paper_id)}>
                <RichText as='span' text={liked_paper.title} />
              </a>
            </dd>
          </div>
        )}
      </dl>
    </section>
  )
}

/** Liked papers that citations link the paper to. */
function Citations ({ citations: { cites, cited_by, shares }, paperAddress }: CitationsProps) {
  const facts = [['Cites', cites], ['Cited by', cited_by]] as const
  return (
    <>
      {facts.filter(([, { papers }]) => papers.length > 0).map(([name, { starred, upvoted, papers }]) => (
        <div key={name}>
          <dt>{name} {starred + upvoted} {starred + upvoted === 1 ? 'paper' : 'papers'} you {verbOf(starred, upvoted)}</dt>
          {papers.map(({ paper_id, title }) => (
            <dd key={paper_id}>
              <a href={paperAddress(paper_id)}>
                <RichText as='span' text={title} />
              </a>
            </dd>
          ))}
        </div>
      ))}
      {shares !== null && (
        <div>
          <dt>Shares {shares.references} references with a paper you {shares.starred ? 'starred' : 'upvoted'}</dt>
          <dd><a href={paperAddress(shares.paper_id)}><RichText as='span' text={shares.title} /></a></dd>
        </div>
      )}
    </>
  )
}

const verbOf = (starred: number, upvoted: number) => starred === 0 ? 'upvoted' : upvoted === 0 ? 'starred' : 'liked'

interface CitationsProps { citations: CitationReasons, paperAddress: (id: string) => string }

/** Size of a bar in SVG units, at most. */
const [width, height] = [200, 10]

const tenths = new Intl.NumberFormat('en', { maximumFractionDigits: 1, signDisplay: 'negative' })
const signedTenths = new Intl.NumberFormat('en', { maximumFractionDigits: 1, signDisplay: 'exceptZero' })

interface PartsProps { contributions: Contributions }

/** The sum behind the score. */
function Parts ({ contributions: { base, keywords, interest, votes, citations = 0, follows = 0, exclusions = 0 } }: PartsProps) {
  const parts = [
    ['average paper', base],
    ['keywords', keywords],
    ['interest', interest],
    ['votes', votes],
    ['citations', citations],
    ['follows', follows],
    ['exclusions', exclusions]
  ] as const
  const shown = parts.filter(([name, value]) => value !== 0 || name === 'average paper')
  const sum = base + keywords + interest + votes + citations + follows + exclusions
  return (
    <p class='match-sum'>
      {shown
        .map(([name, value]) => name === 'average paper'
          ? `${name} ${tenths.format(100 * value)}`
          : `${name} ${signedTenths.format(100 * value).replace('-', '−')}`)
        .join(', ')}{' '}
      = {tenths.format(100 * sum)}
    </p>
  )
}

/** Bars of votes are thin, so that color alone does not tell them apart. */
const barPlace = (kind: string) => kind === 'feedback' ? { y: height / 4, height: height / 2 } : { y: 0, height }

const Swatch = ({ kind }: { kind: string }) => (
  <svg class='swatch' width='10' height='10' aria-hidden='true'>
    <rect class={`bar ${kind}`} width='10' {...barPlace(kind)} />
  </svg>
)

function Bars ({ terms }: { terms: Reason[] }) {
  const hasBoth = new Set(terms.map(({ from }) => from)).size > 1
  const maxWeight = Math.max(...terms.map(({ weight }) => weight), 0)
  const minWeight = Math.min(...terms.map(({ weight }) => weight), 0)
  const scale = width / (maxWeight - minWeight || 1)
  const zero = -minWeight * scale
  return (
    <ul class='bars'>
      {terms.map(({ term, weight, from }) => {
        const length = Math.max(Math.abs(weight) * scale, 1)
        const kind = weight < 0 ? 'against' : from === 'feedback' ? 'feedback' : 'interest'
        return (
          <li key={`${term} ${from}`}>
            <span class='bar-term'>
              {term}
              {hasBoth && from === 'feedback' && <span class='unseen'> (from your votes)</span>}
            </span>
            <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio='none' height={height} aria-hidden='true'>
              <rect
                class={`bar ${kind}`}
                x={(weight < 0 ? zero - length : zero).toFixed(1)}
                width={length.toFixed(1)}
                {...barPlace(kind)}
              />
              {minWeight < 0 && <rect class='bar-zero' x={(zero - 0.5).toFixed(1)} width='1' height={height} />}
            </svg>
            <span class='bar-weight'>{signed.format(100 * weight).replace('-', '−')}</span>
          </li>
        )
      })}
    </ul>
  )
}
