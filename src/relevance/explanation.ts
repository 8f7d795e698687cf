import type { MatchingDetails } from '../../schemas/relevance.js'

const maxTitleLength = 80
const maxQuoted = 3
/** Contribution of votes to a score from which on downvotes alone are the reason. */
const minNearDownvoted = -0.05

/**
 * Explains a score in one sentence for the reader: keywords, the most similar liked paper, words that votes taught, words of the interest.
 */
export function explain (
  { terms, contributions, positive_keywords, negative_keywords, liked_paper, learned_from, excluded }: MatchingDetails
): string {
  if (excluded) return `Scored 0 because of the excluded ${plural('keyword', negative_keywords)} ${quoted(negative_keywords)}.`
  const shared = terms.filter(({ from, weight }) => from === 'interest' && weight > 0).map(({ term }) => term)
  const learned = terms
    .filter(({ from, weight }) => from === 'feedback' && Math.sign(weight) === Math.sign(contributions.votes))
    .map(({ term }) => term)
  const isRaised = contributions.votes > 0
  const reasons: string[] = []
  // Without upvotes, only papers nearly like a downvoted one fall, whatever words they share.
  if (learned_from.liked === 0 && contributions.votes < minNearDownvoted) return 'Is similar to a paper that you downvoted.'
  if (positive_keywords.length > 0) reasons.push(`has your ${plural('keyword', positive_keywords)} ${quoted(positive_keywords)}`)
  if (liked_paper !== null && isRaised) {
    reasons.push(`is similar to “${shortened(liked_paper.title)}”, which you ${liked_paper.starred ? 'starred' : 'upvoted'}`)
  } else if (learned.length > 0 && isRaised) reasons.push(`mentions ${quoted(learned)}, like papers you upvoted`)
  if (reasons.length < 2 && positive_keywords.length === 0 && shared.length > 0) reasons.push(`shares ${quoted(shared)} with your interest`)
  if (reasons.length === 0 && learned.length > 0) reasons.push(`mentions ${quoted(learned)}, like papers you downvoted`)
  return reasons.length === 0
    ? 'No words in common with your interest.'
    : sentence(reasons.join(liked_paper === null && learned.length === 0 ? ' and ' : ', and '))
}

const sentence = (text: string) => `${text[0]!.toUpperCase()}${text.slice(1)}.`
const quoted = (words: string[]) => [...new Set(words)].slice(0, maxQuoted).map(word => `“${word}”`).join(', ')
const plural = (word: string, all: unknown[]) => all.length === 1 ? word : `${word}s`
const shortened = (title: string) => title.length <= maxTitleLength ? title : `${title.slice(0, maxTitleLength).replace(/\s+\S*$/, '')} …`
