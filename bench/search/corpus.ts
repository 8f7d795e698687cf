import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { randomNumbers } from './random.js'

/** A paper of the benchmark. */
export interface BenchPaper { title: string, abstract: string, authors: Array<{ name: string }>, doi: string, pmid: string }

/** The most frequent words of English, roughly in order. */
const functionWords =
  ('the of and in to a with for is that we by on as are from this be which an at was were or these using between can it have results ' +
    'study not has more than our also both their based but used different two been its may during after data model analysis show').split(
    ' '
  )
const prefixes =
  ('co in re pr de st tr con pro ex ad per sub inter trans micro bio neuro cardi hyper hypo meta para poly syn anti endo epi gen im kin ' +
    'lip mor nitr ox pept phos plas psych quant radi sens spec therm tox vas vir im mo ma me mi ca ce ch cl cr da di do dr ef el em en ' +
    'fa fe fi fl fo fr ga gl gr ha he ho hy').split(
    ' '
  )
const infixes =
  ('a e i o u al an ar at el en er et il in ir it ol on or os ul un ur us act ect ict olog ograph erm orm ump ust ist ent ant ibr omb ' +
    'erv ort').split(
    ' '
  )
const suffixes = 'b c d f g k l m n p r s t x ct nd nt st rm'.split(' ')
const inflections = ['', '', '', 's', 'ed', 'ing', 'ion', 'ions', 'al', 'ity', 'ive', 'er']

const vocabularySize = 120_000
/** Words of each paper that no other has, as in real papers: names, codes, misspellings. The vocabulary grows by 1.5 a paper. */
const coinedUpTo = 0.678
const topicCount = 600
const wordsPerTopic = 150

/**
 * Generates papers with abstracts of about 160 words, with the word frequencies (Zipf), shapes and inflections of natural language. Each
 * paper draws words from one topic, so words co-occur. The same on every run for one seed.
 */
export function * makePapers (count: number, seed = 7): Iterable<BenchPaper> {
  let random = randomNumbers(1)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const made = new Set<string>()
  while (made.size < vocabularySize) {
    let stem = pick(prefixes)
    for (let more = Math.floor(random() * 3); more >= 0; more--) stem += pick(infixes) + pick(suffixes)
    made.add(stem + pick(inflections))
  }
  const vocabulary = [...made]
  const zipf = (size: number) => Math.floor(size ** random()) - 1
  const subjects = Array.from({ length: topicCount }, () => Array.from({ length: wordsPerTopic }, () => pick(vocabulary)))
  const family = Array.from({ length: 20_000 }, () => {
    const name = pick(prefixes) + pick(infixes) + pick(suffixes) + pick(['', 'er', 'ini', 'ova', 'sen', 'ez'])
    return name[0]!.toUpperCase() + name.slice(1)
  })
  // The vocabulary is the same for every seed.
  random = randomNumbers(seed)
  for (let at = 0; at < count; at++) {
    const subject = subjects[zipf(topicCount)]!
    const word = () => {
      const kind = random()
      if (kind < 0.4) return functionWords[zipf(functionWords.length)]!
      if (kind < 0.65) return subject[zipf(wordsPerTopic)]!
      if (kind < 0.67) return String(Math.floor(10 ** (random() * 4)))
      if (kind < coinedUpTo) {
        return pick(prefixes) + pick(infixes) + pick(suffixes) + pick(infixes) + pick(suffixes) + pick(infixes) + pick(suffixes)
      }
      return vocabulary[zipf(vocabularySize)]!
    }
    const text = (words: number) => Array.from({ length: words }, word).join(' ')
    const sentences = Array.from({ length: 8 }, () => text(12 + Math.floor(random() * 17)))
    yield {
      title: text(8 + Math.floor(random() * 9)),
      abstract: `${sentences.map(sentence => sentence[0]!.toUpperCase() + sentence.slice(1)).join('. ')}.`,
      authors: Array.from({ length: 2 + Math.floor(random() * 5) }, () => ({
        name: `${pick(family)} ${String.fromCharCode(65 + Math.floor(random() * 26))}`
      })),
      doi: `10.5555/bench.${seed}.${at}`,
      pmid: String(970_000_000 + at)
    }
  }
}

/** Reads up to `count` papers from a file of JSON lines with title, abstract (or text) and authors. */
export async function readPapers (path: string, count: number): Promise<BenchPaper[]> {
  const papers: BenchPaper[] = []
  for await (const line of createInterface({ input: createReadStream(path) })) {
    if (papers.length === count) break
    const {
      title,
      abstract,
      text,
      authors = []
    } = JSON.parse(line) as { title: string, abstract?: string, text?: string, authors?: BenchPaper['authors'] }
    papers.push({
      title,
      abstract: abstract ?? text ?? '',
      authors,
      doi: `10.5555/read.${papers.length}`,
      pmid: String(980_000_000 + papers.length)
    })
  }
  return papers
}
