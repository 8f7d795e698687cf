const longest = 400
/** What is looked at: an abstract that is longer is none. */
const looked = 20_000
/** Sentences that tell what was found, rather than why it was looked for. */
const telling = /\b(?:we (?:show|find|found|propose|present|demonstrate|report|introduce|describe|develop(?:ed)?|identif(?:y|ied))|(?:our|these|the) (?:results|findings|data)|results (?:show|suggest|indicate)|here,? we|in conclusion|conclude|was associated|were associated|significantly|outperforms?)\b/i
/** What a part of a structured abstract begins with. */
const label = /^(?:background|introduction|context|rationale|objectives?|aims?|purpose|question|methods?|materials and methods|design|setting|participants|interventions?|measurements|results?|findings|conclusions?|discussion|interpretation|significance)(?: and [a-z]+)?\s*:\s*/i
/** The parts of a structured abstract that tell it, the best first. */
const tellingParts = [/^(?:authors['’] )?conclusions?\b|^interpretation\b|^significance\b/i, /^(?:main )?(?:results|findings)\b|^outcomes?\b/i]

/**
 * What a paper says, in sentences of its abstract, in their order and up to 400 characters: of a structured abstract its conclusion and
 * results, of another the sentences that tell what was done and found. Null where there is no abstract.
 */
export function summaryOf (abstract: string | null): string | null {
  const paragraphs = (abstract ?? '').slice(0, looked).split(/\n\s*\n/).map(paragraph => paragraph.replace(/\s+/g, ' ').trim()).filter(paragraph => paragraph !== '')
  const text = paragraphs.join(' ')
  if (text.length <= longest) return text || null
  const parts = tellingParts.map(part => paragraphs.find(paragraph => part.test(paragraph) && /^[^.]{3,60}:/.test(paragraph))?.replace(/^[^:]+:\s*/, ''))
  const [conclusion, results] = parts.map(part => part === undefined ? [] : sentencesOf(part))
  const unlabelled = paragraphs.map(paragraph => paragraph.replace(label, '')).join(' ')
  const chosen = conclusion!.length + results!.length > 0 ? [...fitting(results!, longest - lengthOf(conclusion!)), ...fitting(conclusion!, longest)] : best(sentencesOf(unlabelled))
  const summary = chosen.join(' ')
  return summary.length <= longest ? summary : `${summary.slice(0, longest).replace(/\s+\S*$/, '')} …`
}

/** The sentences that say most, as many as fit. */
function best (sentences: string[]): string[] {
  const worth = (sentence: string, at: number) => (telling.test(sentence) ? 2 : 0) + (at === 0 ? 1 : 0) + at / sentences.length
  const ranked = sentences.map((sentence, at) => ({ sentence, at, worth: worth(sentence, at) })).sort((a, b) => b.worth - a.worth)
  const chosen: typeof ranked = []
  for (const each of ranked) {
    if (chosen.length === 0 || lengthOf([...chosen, each].map(({ sentence }) => sentence)) <= longest) chosen.push(each)
  }
  return chosen.sort((a, b) => a.at - b.at).map(({ sentence }) => sentence)
}

/** The first sentences that fit. */
function fitting (sentences: string[], room: number): string[] {
  let count = 0
  while (count < sentences.length && lengthOf(sentences.slice(0, count + 1)) <= room) count++
  return count === 0 && room === longest ? sentences.slice(0, 1) : sentences.slice(0, count)
}

const lengthOf = (sentences: string[]) => sentences.reduce((sum, sentence) => sum + sentence.length + 1, 0)

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

/** What ends no sentence, though a capital may follow. */
const abbreviation = /\b(?:e\.g|i\.e|vs|cf|al|Fig|Figs|Dr|Prof|approx|resp|ca|spp?|No|\p{Lu})\.$/u

/** Sentences; a break behind an abbreviation or an initial is none. */
function sentencesOf (text: string): string[] {
  const sentences: string[] = []
  let goesOn = false
  for (const { segment } of segmenter.segment(text)) {
    const part = segment.trim()
    if (goesOn) sentences[sentences.length - 1] += ` ${part}`
    else sentences.push(part)
    // Only this part: what it was joined to would be read again for each.
    goesOn = abbreviation.test(part)
  }
  return sentences
}
