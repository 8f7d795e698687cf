import { entriesOf, wordsOf } from '../../db/search/words.js'

/** What a project looks for. */
export interface Interest {
  interest_description: string
  positive_keywords: readonly string[]
  negative_keywords: readonly string[]
}

export interface Relevance {
  /** 0 (none) to 1 (certain). */
  relevance_score: number
  relevance_class: 'must_read' | 'related'
  /** The reasons, as data. */
  matching_details: { terms: string[], positive_keywords: string[], negative_keywords: string[] }
  /** Why the paper is in the feed, in a sentence. */
  personalized_note: string
}

/** From this score on, an item is classed must_read. */
export const mustReadFrom = 0.6
/** Words that say nothing about a subject. */
const common = new Set(('a about above after against all also an and are as at be been between both but by can could did do does during each for from had has have how if in into is it ' +
  'its may more most my no not of on or other our over own papers research same should since so some studies study such than that the their them then there these they this those through to ' +
  'under up use used using very was we were what when where which while who why will with within without work works').split(' '))
/** A word in the title says more than one in the abstract. */
const titleWeight = 2

/** Makes the scorer of one project, so that its interest is taken apart once for many papers. */
export function scorer ({ interest_description, positive_keywords, negative_keywords }: Interest): (paper: { title: string, abstract: string | null }) => Relevance {
  const interest = new Set(normal(interest_description).filter(word => word.length > 2 && !common.has(word)))
  const phrases = (keywords: readonly string[]) => keywords.map(keyword => ({ keyword, text: ` ${normal(keyword).join(' ')} ` }))
  const positive = phrases(positive_keywords)
  const negative = phrases(negative_keywords)

  return ({ title, abstract }) => {
    const titleWords = normal(title)
    const abstractWords = normal(abstract ?? '')
    const text = ` ${titleWords.join(' ')} | ${abstractWords.join(' ')} `
    const has = ({ text: phrase }: { text: string }) => phrase.trim() !== '' && text.includes(phrase)
    const wanted = positive.filter(has).map(({ keyword }) => keyword)
    const unwanted = negative.filter(has).map(({ keyword }) => keyword)
    const inTitle = new Set(titleWords)
    const inAbstract = new Set(abstractWords)
    const terms = [...interest].filter(word => inTitle.has(word) || inAbstract.has(word))
    const weight = terms.reduce((sum, word) => sum + (inTitle.has(word) ? titleWeight : 1), 0)
    // Saturating: half the interest's words, or two keywords, already speak clearly for a paper.
    const byInterest = interest.size === 0 ? 0 : 1 - Math.exp(-2.5 * weight / Math.max(interest.size, 4))
    const byKeywords = 1 - 0.5 ** wanted.length
    const score = unwanted.length > 0 ? 0 : Math.round((1 - (1 - 0.8 * byInterest) * (1 - 0.8 * byKeywords)) * 1000) / 1000
    return {
      relevance_score: score,
      relevance_class: score >= mustReadFrom ? 'must_read' : 'related',
      matching_details: { terms, positive_keywords: wanted, negative_keywords: unwanted },
      personalized_note: note(terms, wanted, unwanted)
    }
  }
}

function note (terms: string[], wanted: string[], unwanted: string[]): string {
  const quoted = (words: string[]) => words.slice(0, 3).map(word => `“${word}”`).join(', ')
  if (unwanted.length > 0) return `Scored 0, because it has the excluded ${unwanted.length === 1 ? 'keyword' : 'keywords'} ${quoted(unwanted)}.`
  if (wanted.length > 0) return `It has your ${wanted.length === 1 ? 'keyword' : 'keywords'} ${quoted(wanted)}.`
  if (terms.length > 0) return `It shares ${quoted(terms)} with your interest.`
  return 'It was added by hand; it shares no word with your interest.'
}

const normal = (text: string) => wordsOf(text).flatMap(entriesOf)
