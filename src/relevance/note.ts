import type { MatchingDetails } from '../../schemas/relevance.js'

const longestTitle = 80
const mostQuoted = 3

/** Why a paper is in a feed, in a sentence, said from the reasons of its score. */
export function note ({ terms, positive_keywords, negative_keywords, liked_paper, excluded }: Omit<MatchingDetails, 'learned_from'>): string {
  if (excluded) return `Scored 0, because it has the excluded ${plural('keyword', negative_keywords)} ${quoted(negative_keywords)}.`
  const shared = terms.filter(({ from, weight }) => from === 'interest' && weight > 0).map(({ term }) => term)
  const learned = terms.filter(({ from, weight }) => from === 'feedback' && weight > 0).map(({ term }) => term)
  const reasons: string[] = []
  if (positive_keywords.length > 0) reasons.push(`has your ${plural('keyword', positive_keywords)} ${quoted(positive_keywords)}`)
  if (liked_paper !== null) reasons.push(`is like “${shortened(liked_paper.title)}”, which you ${liked_paper.starred ? 'starred' : 'liked'}`)
  else if (learned.length > 0) reasons.push(`speaks of ${quoted(learned)}, as papers do that you liked`)
  if (reasons.length < 2 && positive_keywords.length === 0 && shared.length > 0) reasons.push(`shares ${quoted(shared)} with your interest`)
  return reasons.length === 0 ? 'It shares no word with your interest.' : `It ${reasons.join(liked_paper === null ? ' and ' : ', and ')}.`
}

const quoted = (words: string[]) => [...new Set(words)].slice(0, mostQuoted).map(word => `“${word}”`).join(', ')
const plural = (word: string, all: unknown[]) => all.length === 1 ? word : `${word}s`
const shortened = (title: string) => title.length <= longestTitle ? title : `${title.slice(0, longestTitle).replace(/\s+\S*$/, '')} …`
