import type { MatchingDetails } from '../../schemas/relevance.js'
import { shortText } from '../../schemas/short-text.js'

const maxTitleLength = 80
const maxQuoted = 3
/** Contribution of votes to a score from which on downvotes alone are the reason. */
const minNearDownvoted = -0.05

/**
 * Explains a score for the reader: what is followed and cited, keywords, the most similar liked paper, words that votes taught, words of
 * the interest, and what the interest excludes.
 * @param isLiked whether the paper is a liked one, which its own vote does not explain @param isOwnDownvote whether no other downvote
 * explains that it falls @param sharesWords whether it has words of the interest, of whatever weight @param has whether the project has
 * an interest text, and keywords: a paper is compared with what there is
 */
export function explain (
  details: MatchingDetails,
  { isLiked = false, isOwnDownvote = false, sharesWords = false, has = { interest: true, keywords: true } } = {}
): string {
  const signals = details.excluded ? [] : explainSignals(details)
  const text = explainText(details, { isLiked, isOwnDownvote }) ?? unexplained(has, sharesWords)
  return [...signals, text, ...explainExclusions(details)].join(' ')
}

/** Says that nothing of a paper matches, or next to nothing. */
function unexplained (has: { interest: boolean, keywords: boolean }, sharesWords: boolean): string {
  if (has.interest) return sharesWords ? 'Little in common with your interest.' : 'No words in common with your interest.'
  return has.keywords ? 'Has none of your keywords.' : 'The project has no interest or keywords yet.'
}

const explainExclusions = ({ excluded_phrases = [], excluded }: MatchingDetails): string[] =>
  excluded_phrases.length === 0 || excluded ? [] : [`Has ${quoted(excluded_phrases)}, which your interest excludes.`]

/** Undefined if there is nothing to name. */
function explainText (
  { terms, contributions, positive_keywords, negative_keywords, liked_paper, learned_from, excluded }: MatchingDetails,
  { isLiked, isOwnDownvote }: { isLiked: boolean, isOwnDownvote: boolean }
): string | undefined {
  if (excluded) return `Scored 0 because of the excluded ${plural('keyword', negative_keywords)} ${quoted(negative_keywords)}.`
  const shared = terms.filter(({ from, weight }) => from === 'interest' && weight > 0).map(({ term }) => term)
  const learned = terms
    .filter(({ from, weight }) => from === 'feedback' && Math.sign(weight) === Math.sign(contributions.votes))
    .map(({ term }) => term)
  const isRaised = contributions.votes > 0
  const liked = learned_from.liked - Number(isLiked)
  const reasons: string[] = []
  // Without upvotes, only papers nearly like a downvoted one fall, whatever words they share.
  if (learned_from.liked === 0 && contributions.votes < minNearDownvoted) {
    return isOwnDownvote ? 'You downvoted this paper.' : 'Is similar to a paper that you downvoted.'
  }
  if (positive_keywords.length > 0) reasons.push(`has your ${plural('keyword', positive_keywords)} ${quoted(positive_keywords)}`)
  if (liked_paper !== null && isRaised) {
    reasons.push(`is similar to “${shortened(liked_paper.title)}”, which you ${liked_paper.starred ? 'starred' : 'upvoted'}`)
  } else if (learned.length > 0 && isRaised && liked > 0) {
    reasons.push(`mentions ${quoted(learned)}, like ${countless(liked)} you upvoted or starred`)
  }
  if (reasons.length < 2 && positive_keywords.length === 0 && shared.length > 0) reasons.push(`shares ${quoted(shared)} with your interest`)
  const lowering = isRaised || learned_from.disliked === 0 ? [] : learned.filter(term => !shared.includes(term))
  const lowered = `mentions ${quoted(lowering)}, like ${countless(learned_from.disliked)} you downvoted`
  if (reasons.length === 0) return lowering.length === 0 ? undefined : sentence(lowered)
  const raised = reasons.join(liked_paper === null && learned.length === 0 ? ' and ' : ', and ')
  const isOutweighed = -contributions.votes > contributions.interest + contributions.keywords
  return sentence(lowering.length > 0 && isOutweighed ? `${raised}, but ${lowered}` : raised)
}

/** A sentence for what is followed, and one for citations. */
function explainSignals ({ follows = [], citations }: MatchingDetails): string[] {
  const sentences: string[] = []
  const people = follows.filter(({ kind }) => kind === 'author')
  const places = follows.filter(({ kind }) => kind !== 'author')
  const preposition = { author: '', journal: 'in ', institution: 'from ' }
  const clause = (group: typeof follows, prefix: string, pronoun: string) => {
    const areAllByName = group.every(({ by }) => by === 'name')
    // A namesake is not stated as fact beside somebody who was identified.
    const names = group.map(follow =>
      `${preposition[follow.kind]}${nameOf(follow)}${follow.by === 'name' && !areAllByName ? ' (matched by name)' : ''}`)
    return `${prefix}${listed(names)}, ${pronoun} you follow${areAllByName ? ' (matched by name)' : ''}`
  }
  const followed = [
    ...(people.length === 0 ? [] : [clause(people, 'by ', 'whom')]), ...(places.length === 0 ? [] : [clause(places, '', 'which')])
  ]
  if (followed.length > 0) sentences.push(sentence(followed.join(', ')))
  if (citations === undefined) return sentences
  const { cites, cited_by, shares } = citations
  const links = [
    ...(countOf(cites) === 0 ? [] : [`cites ${likedPapers(cites)}`]),
    ...(countOf(cited_by) === 0 ? [] : [`is cited by ${likedPapers(cited_by)}`])
  ]
  if (shares !== null && links.length < 2) links.push(`shares ${shares.references} references with “${shortened(shares.title)}”`)
  return [...sentences, sentence(links.join(' and '))]
}

type Linked = NonNullable<MatchingDetails['citations']>['cites']
const countOf = ({ starred, upvoted }: Linked) => starred + upvoted
const likedPapers = ({ starred, upvoted }: Linked) => {
  const papers = (count: number) => `${count} ${count === 1 ? 'paper' : 'papers'}`
  return starred === 0
    ? `${papers(upvoted)} you upvoted`
    : upvoted === 0 ? `${papers(starred)} you starred` : `${papers(starred)} you starred and ${upvoted} you upvoted`
}
const countless = (papers: number) => papers === 1 ? 'a paper' : 'papers'
const nameOf = ({ name }: { name: string }) => shortened(name)
const listed = (names: string[]) => names.length > 2 ? `${names[0]!} and ${names.length - 1} others` : names.join(' and ')

const sentence = (text: string) => `${text[0]!.toUpperCase()}${text.slice(1)}.`
const quoted = (words: string[]) => [...new Set(words)].slice(0, maxQuoted).map(word => `“${word}”`).join(', ')
const plural = (word: string, all: unknown[]) => all.length === 1 ? word : `${word}s`
const shortened = (title: string) => shortText(title, maxTitleLength)
