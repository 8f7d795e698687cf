import t from 'tap'
import { Corpus } from '../../src/relevance/corpus.js'
import type { ScoredText } from '../../src/relevance/interest.js'
import { type Model, type RatedText, train } from '../../src/relevance/model.js'
import { scorer } from '../../src/relevance/score.js'
import { createCoverage, evidenceOf, typicalTrust } from '../../src/relevance/vote-evidence.js'
import { apnoea, feed, interest, rated, spindles } from '../support/sleep-feed.js'

const times = <T>(count: number, make: (at: number) => T) => Array.from({ length: count }, (_each, at) => make(at))
const about = (interest_description: string) => ({ ...interest, interest_description })
const learnAbout = (description: string, votes: RatedText[], { former }: { former?: string } = {}): Model => {
  const corpus = new Corpus()
  for (const paper of feed) corpus.add(paper)
  return train({
    interest: about(description),
    corpus,
    rated: votes.map(vote => ({ ...vote, former: former === undefined ? null : 0 })),
    background: feed,
    former: former === undefined ? [] : [{ interest_description: former, positive_keywords: [] }]
  })
}

t.test('votes of a neighbouring interest, which has words in common with the present one, do not outweigh it', t => {
  const [present, former] = ['Sleep spindles and memory', 'Sleep apnoea and memory']
  const votes = [...times(10, at => rated(apnoea(at), 'upvote')), ...times(5, at => rated(spindles(at), 'downvote'))]
  const changed = scorer(about(present), learnAbout(present, votes, { former }))
  const score = (text: ScoredText) => changed(text).relevance_score
  t.ok(score(spindles(100)) > score(apnoea(100)) + 0.1, `${score(spindles(100))} ${score(apnoea(100))}`)
  const downvotes = learnAbout(present, votes.slice(10), { former })
  const afterDownvotes = scorer(about(present), downvotes)
  t.ok(afterDownvotes(spindles(100)).relevance_score > afterDownvotes(apnoea(100)).relevance_score, 'nor do downvotes alone')
  const inFull = scorer(about(present), learnAbout(present, votes))
  t.ok(inFull(apnoea(100)).relevance_score > inFull(spindles(100)).relevance_score, 'votes of the present interest would')
  t.end()
})

t.test('upvotes on texts that share nothing with the feed leave the order to the interest', t => {
  const german = (at: number): ScoredText => ({
    title: `Schlafspindeln und Gedächtniskonsolidierung bei älteren Menschen: Studie ${at}`,
    abstract: `Wir untersuchten die Rolle von Schlafspindeln bei ${20 + at} älteren Menschen. Die Ergebnisse zeigen eine wichtige Rolle.`
  })
  const heading = (at: number): ScoredText => ({ title: ['Editorial', 'Commentary', 'Reply', 'Correspondence'][at % 4]!, abstract: null })
  const shareOf = (paper: (at: number) => ScoredText) =>
    learnAbout(interest.interest_description, times(8, at => ({ ...rated(paper(at), 'upvote'), paper_id: String(at) }))).shares.interest
  for (const [name, paper] of Object.entries({ german, heading })) t.ok(shareOf(paper) > 0.95, `${name}: ${shareOf(paper)}`)
  t.ok(shareOf(spindles) < 0.6, `upvotes on papers like those of the feed count: ${shareOf(spindles)}`)
  t.ok(shareOf(at => ({ ...spindles(at), abstract: null })) < 0.6, 'also without abstracts')
  t.end()
})

t.test('texts are covered as far as the feed has their features', t => {
  const paper = (...places: number[]) => ({ vector: { places, values: places.map(() => Math.sqrt(1 / places.length)) } })
  const papers = [...times(19, () => paper(0, 1)), paper(0, 2), paper()]
  const coverageOf = createCoverage(papers, 9)
  const coverages = [paper(0, 1), paper(0, 7), paper(1, 6, 7, 8), paper(7, 8), paper()].map(({ vector }) => coverageOf(vector))
  t.strictSame(coverages.map(coverage => Number(coverage.toFixed(4))), [1, 0.25, 0.0625, 0.001, 0.001])
  t.equal(createCoverage([], 9)(paper(7).vector), 1, 'without a feed, nothing is known')
  t.end()
})

t.test('votes of little trust count little, however many, and take nothing from others', t => {
  const votes = (count: number, trust: number) =>
    times(count, at => ({ isLiked: at % 2 === 0, isSeed: false, trust, coverage: 1 }))
  const evidence = (all: ReturnType<typeof votes>) => evidenceOf(all, { confidence: 0.5, disliked: 1, words: 4 })
  t.ok(evidence(votes(200, 0.1)) < 0.02)
  t.ok(evidence([...votes(10, 1), ...votes(40, 0.05)]) > 0.6 * evidence(votes(10, 1)))
  t.equal(typicalTrust(votes(4, 1)), 1)
  t.end()
})
