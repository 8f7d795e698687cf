import t from 'tap'
import { Corpus } from '../../src/relevance/corpus.js'
import { countedTexts } from '../../src/relevance/counted-texts.js'
import { train } from '../../src/relevance/model.js'
import { scorer } from '../../src/relevance/score.js'

const interest = { interest_description: 'Genes of sleep', positive_keywords: [], negative_keywords: [], must_read_threshold: 0.6 }
const paper = (at: number) => {
  const gene = at % 50 === 49 ? 'Knockout of PER3 lengthened it.' : 'Nothing lengthened it.'
  return { paper_id: String(at).padStart(4, '0'), title: `Genes of sleep in cohort ${at % 7}`, abstract: `Rest was measured in mice. ${gene}` }
}
const papers = Array.from({ length: 400 }, (_each, at) => paper(at))
const upvoted = papers.filter(({ abstract }) => abstract.includes('PER3')).slice(2)
  .map(paper => ({ ...paper, vote: 'upvote' as const, downvote_reason: null }))

async function * batches (size = 10) {
  for (let from = 0; from < papers.length; from += size) yield papers.slice(from, from + size)
}
async function counted (limits?: { texts: number, characters: number }) {
  const texts = []
  for await (const batch of countedTexts(batches(), upvoted, limits)) texts.push(...batch)
  return texts
}

t.test('word frequencies are those of the first texts and of all rated ones', async t => {
  const ids = (texts: ReadonlyArray<{ paper_id: string }>) => texts.map(({ paper_id }) => paper_id)
  t.strictSame(ids(await counted()), ids(papers), 'each text once')
  t.strictSame(ids(await counted({ texts: 40, characters: 1e6 })), [...ids(papers.slice(0, 40)), ...ids(upvoted)])
  t.strictSame(ids(await counted({ texts: 400, characters: 1 })), [...ids(papers.slice(0, 10)), ...ids(upvoted)])
  t.strictSame(ids(await counted({ texts: 200, characters: 1e6 })), [...ids(papers.slice(0, 200)), ...ids(upvoted.slice(2))], 'once')
})

t.test('a word that only rated texts have beyond the first ones is learned', async t => {
  const corpus = new Corpus()
  for (const text of await counted({ texts: 40, characters: 1e6 })) corpus.add(text)
  const score = scorer(interest, train({ interest, corpus, rated: upvoted, background: papers.slice(0, 40) }))
  const { matching_details: { terms } } = score({ title: 'Genes of sleep in PER3 carriers', abstract: null })
  t.ok(terms.some(({ term, from }) => term.toLowerCase() === 'per3' && from === 'feedback'), JSON.stringify(terms))
})
