import { shortText } from '../../schemas/short-text.js'

const maxSummaryLength = 400
/** Characters of an abstract that are read. */
const maxAbstractLength = 20_000
/** Phrases of sentences that state findings rather than the motivation. */
const findingPhrases = new RegExp(
  String.raw`\b(?:we (?:show|find|found|propose|present|demonstrate|report|introduce|describe|develop(?:ed)?|identif(?:y|ied))|` +
  '(?:our|these|the) (?:results|findings|data)|results (?:show|suggest|indicate)|' +
  String.raw`here,? we|in conclusion|conclude|was associated|were associated|significantly|outperforms?)\b`,
  'i'
)
/** Labels of the parts of a structured abstract. */
const label = new RegExp(
  '^(?:background|introduction|context|rationale|objectives?|aims?|purpose|question|' +
  'methods?|materials and methods|design|setting|participants|interventions?|measurements|' +
  String.raw`results?|findings|conclusions?|discussion|interpretation|significance)(?: and [a-z]+)?\s*:\s*`,
  'i'
)
/** The parts of a structured abstract that summarize it, best first. */
const summaryParts = [
  /^(?:authors['’] )?conclusions?\b|^interpretation\b|^significance\b/i,
  /^(?:main )?(?:results|findings)\b|^outcomes?\b/i
]

/**
 * Summarizes a paper by sentences of its abstract, in their order, up to 400 characters: the conclusion and results of a structured
 * abstract, otherwise the sentences that state what was done and found. Null without an abstract.
 */
export function summaryOf (abstract: string | null): string | null {
  const paragraphs = (abstract ?? '')
    .slice(0, maxAbstractLength)
    .split(/\n\s*\n/)
    .map(paragraph => paragraph.replace(/\s+/g, ' ').trim())
    .filter(paragraph => paragraph !== '')
  const text = paragraphs.join(' ')
  if (text.length <= maxSummaryLength) return text || null
  const parts = summaryParts.map(part =>
    paragraphs.find(paragraph => part.test(paragraph) && /^[^.]{3,60}:/.test(paragraph))?.replace(/^[^:]+:\s*/, '')
  )
  const [conclusion, results] = parts.map(part => part === undefined ? [] : sentencesOf(part))
  const unlabeled = paragraphs.map(paragraph => paragraph.replace(label, '')).join(' ')
  const chosen =
    conclusion!.length + results!.length > 0
      ? [...fitting(results!, maxSummaryLength - lengthOf(conclusion!)), ...fitting(conclusion!, maxSummaryLength)]
      : best(sentencesOf(unlabeled))
  const summary = chosen.join(' ')
  return shortText(summary, maxSummaryLength)
}

/** The highest-ranked sentences that fit, in their order. */
function best (sentences: string[]): string[] {
  const scoreOf = (sentence: string, at: number) => (findingPhrases.test(sentence) ? 2 : 0) + (at === 0 ? 1 : 0) + at / sentences.length
  const ranked = sentences.map((sentence, at) => ({ sentence, at, score: scoreOf(sentence, at) })).sort((a, b) => b.score - a.score)
  const chosen: typeof ranked = []
  for (const each of ranked) {
    if (chosen.length === 0 || lengthOf([...chosen, each].map(({ sentence }) => sentence)) <= maxSummaryLength) chosen.push(each)
  }
  return chosen.sort((a, b) => a.at - b.at).map(({ sentence }) => sentence)
}

/** The first sentences that fit. */
function fitting (sentences: string[], maxLength: number): string[] {
  let count = 0
  while (count < sentences.length && lengthOf(sentences.slice(0, count + 1)) <= maxLength) count++
  return count === 0 && maxLength === maxSummaryLength ? sentences.slice(0, 1) : sentences.slice(0, count)
}

const lengthOf = (sentences: string[]) => sentences.reduce((sum, sentence) => sum + sentence.length + 1, 0)

/** Sentences of a text that are read: more than any abstract has, since each takes some microseconds. */
const maxSentences = 500
const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

/** Abbreviations that end no sentence, though a capital may follow. */
const abbreviation = /\b(?:e\.g|i\.e|vs|cf|al|Fig|Figs|Dr|Prof|approx|resp|ca|spp?|No|\p{Lu})\.$/u

/** Splits a text into its first 500 sentences, but not after an abbreviation or an initial. */
export function sentencesOf (text: string): string[] {
  const sentences: string[] = []
  let continues = false
  let segments = 0
  for (const { segment } of segmenter.segment(text)) {
    if (++segments > maxSentences) break
    const part = segment.trim()
    if (continues) sentences[sentences.length - 1] += ` ${part}`
    else sentences.push(part)
    // Tests only this part: testing the joined sentence would take quadratic time.
    continues = abbreviation.test(part)
  }
  return sentences
}
