import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultThresholds } from '../schemas/project.js'
import { doiIn, pmidIn } from '../src/papers/identifiers.js'
import { CitationLinker, type Work } from '../src/relevance/citation-links.js'
import { Corpus } from '../src/relevance/corpus.js'
import type { Interest, ScoredText } from '../src/relevance/interest.js'
import { type RatedText, train } from '../src/relevance/model.js'
import { scorer } from '../src/relevance/score.js'
import { child, children, readElements, textOf, type XmlElement } from '../src/sources/formats/xml.js'
import { mean, randomOf } from './screening-sets.js'

/*
 * Measures what citations add to learning: node dist/bench/citations.js FOLDER TOPIC [SEEDS]. FOLDER has articles as JATS XML. A project
 * follows the articles whose title has TOPIC. Some of them are starred; the works that the articles cite, known by title alone, are
 * screened ten at a time by the highest scores. With the label "others", a work is relevant if an article on the topic cites it that was
 * not starred, so a link to a starred article tells what is relevant only where two articles cite one work. With "any", starred ones count
 * too, as in the snowballing of a review. The figures are shares of relevant works found, with citation links and without.
 */

const starredArticles = 5
const batchSize = 10
const checkpoints = [0.02, 0.05, 0.1, 0.2]
const minReferences = 10

const [folder, topic, seeds = '20'] = process.argv.slice(2)
if (folder === undefined || topic === undefined) throw new Error('Usage: node dist/bench/citations.js FOLDER TOPIC [SEEDS]')

interface Article extends Work, ScoredText { paper_id: string, title: string }
interface Cited extends Work, ScoredText { paper_id: string, title: string, citedBy: Article[] }

const articles: Article[] = []
const cited = new Map<string, Cited>()
for (const name of readdirSync(folder).filter(name => /\.n?xml$/.test(name)).sort()) await readArticle(join(folder, name))
const works = [...new Set(cited.values())]
const onTopic = articles.filter(({ title }) => title.toLowerCase().includes(topic.toLowerCase()))
const topicLinks = new CitationLinker(onTopic.map(each => ({ ...each, starred: true })))
const shared = onTopic.map(article => topicLinks.find(article)?.shares?.references ?? 0)
const line = (...cells: Array<string | number>) =>
  process.stdout.write(`| ${cells.map(cell => typeof cell === 'number' ? cell.toFixed(3) : cell).join(' | ')} |\n`)
process.stdout.write(
  `${articles.length} articles, ${onTopic.length} on “${topic}”, of which ${shared.filter(count => count > 0).length} share at least three ` +
    `references with another; ${works.length} cited works, of which ${works.filter(({ citedBy }) => citedBy.length > 1).length} by several.\n\n`
)
const interest: Interest = {
  interest_description: topic,
  positive_keywords: [],
  negative_keywords: [],
  must_read_threshold: defaultThresholds.must_read_threshold
}
const corpus = new Corpus()
for (const text of [...articles, ...works]) corpus.add(text)
line('label', 'citation links', ...checkpoints.map(share => `found at ${100 * share} %`), 'worse starts at 10 %')
line(...Array.from({ length: checkpoints.length + 3 }, () => '---'))
for (const label of ['others', 'any'] as const) {
  const runs = [false, true].map(usesLinks => {
    const random = randomOf(7)
    return Array.from({ length: Number(seeds) }, () => screen(sample(onTopic, starredArticles, random), { usesLinks, label }))
  })
  for (const [at, name] of ['without', 'with'].entries()) {
    const worse = runs[1]!.filter((run, start) => run[2]! < runs[0]![start]![2]!).length
    line(label, name, ...checkpoints.map((_share, place) => mean(runs[at]!.map(run => run[place]!))), at === 0 ? '' : `${worse} of ${seeds}`)
  }
}

function screen (starred: readonly Article[], { usesLinks, label }: { usesLinks: boolean, label: 'others' | 'any' }): number[] {
  const labeling = new Set(onTopic.filter(article => label === 'any' || !starred.includes(article)))
  const relevant = new Set(works.filter(({ citedBy }) => citedBy.some(article => labeling.has(article))))
  const rated: Cited[] = []
  const unrated = new Set(works)
  const budget = Math.round(works.length * checkpoints.at(-1)!)
  while (rated.length < budget) {
    const liked = [
      ...starred.map(article => ({ ...article, starred: true })),
      ...rated.filter(work => relevant.has(work)).map(work => ({ ...work, starred: false }))
    ]
    const linker = new CitationLinker(usesLinks ? liked : [])
    const withLinks = <T extends Work & ScoredText>(work: T): T => {
      const citations = linker.find(work)
      return citations === undefined ? work : { ...work, signals: { citations } }
    }
    const votes: RatedText[] = [
      ...rated.map(work => ({ ...withLinks(work), ...judgment(relevant.has(work) ? 'upvote' : 'downvote') })).reverse(),
      ...starred.map(article => ({ ...withLinks(article), ...judgment('star') }))
    ]
    const model = train({ interest, corpus, rated: votes, background: [...unrated].slice(0, 1000) })
    const score = scorer(interest, model)
    const next = [...unrated].map(work => ({ work, score: score(withLinks(work)).relevance_score })).sort((a, b) => b.score - a.score)
    for (const { work } of next.slice(0, batchSize)) {
      unrated.delete(work)
      rated.push(work)
    }
  }
  return checkpoints.map(share => {
    const shown = rated.slice(0, Math.round(works.length * share))
    return shown.filter(work => relevant.has(work)).length / Math.min(shown.length, relevant.size)
  })
}

function judgment (vote: RatedText['vote']): Pick<RatedText, 'vote' | 'downvote_reason'> {
  return { vote, downvote_reason: vote === 'downvote' ? 'not_relevant' : null }
}

function sample<T> (all: readonly T[], count: number, random: () => number): T[] {
  return all.map(each => ({ each, place: random() })).sort((a, b) => a.place - b.place).slice(0, count).map(({ each }) => each)
}

async function readArticle (path: string): Promise<void> {
  const elements: XmlElement[] = []
  const names = new Set(['article-meta', 'ref'])
  for await (const item of readElements(pieces(readFileSync(path, 'utf8')), names)) if ('element' in item) elements.push(item.element)
  const meta = elements.find(({ name }) => name === 'article-meta')
  const title = textOf(child(meta, 'title-group', 'article-title'))
  const references = elements.filter(({ name }) => name === 'ref').map(readReference)
    .filter(({ ids, title }) => ids.length > 0 && title !== '')
  if (title === '' || references.length < minReferences) return
  const article: Article = {
    paper_id: path,
    title,
    abstract: textOf(child(meta, 'abstract')) || null,
    ids: [],
    cited: references.flatMap(({ ids }) => ids)
  }
  articles.push(article)
  for (const { ids, title } of references) {
    const known = ids.map(id => cited.get(id)).find(each => each !== undefined)
    const work: Cited = known ?? { paper_id: ids[0]!, title, abstract: null, ids, cited: [], citedBy: [] }
    if (!work.citedBy.includes(article)) work.citedBy.push(article)
    for (const id of ids) cited.set(id, work)
  }
}

function readReference (ref: XmlElement): { ids: string[], title: string } {
  const citation = ['element-citation', 'mixed-citation', 'citation', 'nlm-citation']
    .map(name => find(ref, name))
    .find(each => each !== undefined)
  const ids = children(citation, 'pub-id').map(id => id.attributes['pub-id-type'] === 'doi' ? doiIn(textOf(id)) : pmidIn(textOf(id)))
  return { ids: [...new Set(ids.filter(id => id !== null))], title: textOf(child(citation, 'article-title')) }
}

function find (element: XmlElement, name: string): XmlElement | undefined {
  if (element.name === name) return element
  for (const part of element.content) {
    const found = typeof part === 'string' ? undefined : find(part, name)
    if (found !== undefined) return found
  }
  return undefined
}

async function * pieces (text: string): AsyncIterable<string> {
  yield text
}
