import t from 'tap'
import { randomNumbers } from '../../bench/search/random.js'
import { Corpus } from '../../src/relevance/corpus.js'
import { countFeatures, createVectorizer, type Vocabulary, wordFeature, wordFeatureAt } from '../../src/relevance/features.js'
import { tokenizeText } from '../../src/relevance/terms.js'
import { takesLess } from '../support/event-loop.js'

const random = randomNumbers(5)
const inflections = ['', 's', 'ed', 'ing']
/** Words of which a few are frequent, and most rare. */
const words = (count: number, vocabulary: number) => Array.from({ length: count }, () =>
  `w${Math.floor(vocabulary ** random())}${inflections[Math.floor(4 * random())]!}`).join(' ')
const texts = (count: number, vocabulary: number) => Array.from({ length: count }, (_each, at) => ({
  title: words(10, vocabulary),
  abstract: at % 10 === 0 ? null : at % 10 === 1 ? `睡眠の研究、${words(20, vocabulary)}` : words(160, vocabulary)
}))

t.test('the frequencies and the vocabulary of texts are those of their features', async t => {
  const papers = texts(400, 3000)
  const corpus = new Corpus()
  const frequencies = new Map<string, number>()
  for (const paper of papers) {
    corpus.add(paper)
    for (const feature of countFeatures(tokenizeText(paper)).keys()) frequencies.set(feature, (frequencies.get(feature) ?? 0) + 1)
  }
  t.ok([...frequencies].every(([feature, count]) => corpus.frequency(feature) === count))
  t.strictSame(['unknown', '^unknown', 'unknown w1', 'w1 unknown'].map(feature => corpus.frequency(feature)), [0, 0, 0, 0])
  const byFrequency = [...frequencies].filter(([, count]) => count >= 2 && count <= 0.95 * papers.length)
    .sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1)).map(([feature]) => feature)
  t.strictSame(corpus.vocabulary().features, byFrequency.slice(0, 25_000))
})

t.test('a vocabulary keeps features of rated papers that are too rare otherwise', async t => {
  const corpus = new Corpus()
  const papers = texts(3000, 100_000)
  for (const paper of papers) corpus.add(paper)
  const { features } = corpus.vocabulary()
  const rated = new Set(papers.slice(0, 20).flatMap(paper => [...countFeatures(tokenizeText(paper)).keys()]))
  const { features: others } = corpus.vocabulary(rated)
  t.equal(features.length, 25_000)
  t.equal(others.length, 25_000)
  t.ok(others.some(feature => corpus.frequency(feature) < corpus.frequency(features.at(-1)!)))
})

t.test('a feature is worded as where the text first has it, in the title or else in the abstract', async t => {
  const papers = texts(60, 300).map(tokenizeText)
  const features = [...new Set(papers.flatMap(text => [...countFeatures(text).keys()]))]
  const vocabulary: Vocabulary = { features, idf: features.map(() => 1), otherIdf: 1 }
  const vectorOf = createVectorizer(vocabulary)
  for (const text of papers) {
    const { places, firsts } = vectorOf(text)
    t.strictSame(
      places.map((place, at) => wordFeatureAt(features[place]!, firsts[at]!, text)),
      places.map(place => wordFeature(features[place]!, text))
    )
  }
})

t.test('counting the features of texts takes less than naming them', async t => {
  const papers = texts(1500, 100_000)
  for (const paper of papers) tokenizeText(paper)
  const named = process.cpuUsage()
  const all = new Map<string, number>()
  for (const paper of papers) for (const feature of countFeatures(tokenizeText(paper)).keys()) all.set(feature, (all.get(feature) ?? 0) + 1)
  const { user, system } = process.cpuUsage(named)
  await takesLess(t, (user + system) / 1000, () => {
    const corpus = new Corpus()
    for (const paper of papers) corpus.add(paper)
  })
})
