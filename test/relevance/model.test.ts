import t from 'tap'
import { createHash } from 'node:crypto'
import { Corpus } from '../../src/relevance/corpus.js'
import type { Interest, ScoredText } from '../../src/relevance/interest.js'
import { type Judged, type Model, train } from '../../src/relevance/model.js'
import { scorer } from '../../src/relevance/score.js'
import { relevanceWorker } from '../../src/relevance/worker.js'

const interest: Interest = { interest_description: 'How sleep changes memory', positive_keywords: [], negative_keywords: ['zebrafish'], must_read_threshold: 0.6 }

/** A feed of two subjects that both match the interest, of which a person wants one, and of a third that matches nothing. */
const spindles = (at: number): ScoredText => ({ title: `Sleep spindles and memory ${at}`, abstract: `Thalamic bursts couple to slow waves in cohort ${at}. Recall of word pairs rose overnight.` })
const apnoea = (at: number): ScoredText => ({ title: `Sleep apnoea and memory clinic ${at}`, abstract: `Airway pressure masks were worn by patients of hospital ${at}. Oxygen desaturation fell.` })
const soil = (at: number): ScoredText => ({ title: `Soil moisture in field ${at}`, abstract: `Rain infiltrated clay and loam of plot ${at}. Roots drew water deeper.` })
const feed = Array.from({ length: 90 }, (_, at) => [spindles, apnoea, soil][at % 3]!(at))

/** A UUID that is the same for the same title. */
const idOf = ({ title }: ScoredText): string => createHash('sha256').update(title).digest('hex').replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5')
const judged = (text: ScoredText, vote: Judged['vote'], downvote_reason: Judged['downvote_reason'] = null): Judged => ({ ...text, paper_id: idOf(text), vote, downvote_reason })

function learn (votes: Judged[], papers = feed): Model {
  const corpus = new Corpus()
  for (const paper of papers) corpus.add(paper)
  return train({ interest, corpus, judged: votes, background: papers })
}

const scoreOf = (model: Model | null, text: ScoredText) => scorer(interest, model)(text).relevance_score

t.test('a model', async t => {
  const [wanted, unwanted] = [spindles(100), apnoea(100)]

  await t.test('raises what is like a liked paper, and lowers what is not, from the first vote on', async t => {
    const model = learn([judged(spindles(0), 'upvote')])
    t.ok(scoreOf(model, wanted) > scoreOf(model, unwanted) + 0.2)
  })

  await t.test('lowers what is like a disliked paper', async t => {
    const before = learn([judged(spindles(0), 'upvote')])
    const after = learn([judged(spindles(0), 'upvote'), judged(apnoea(1), 'downvote', 'not_relevant'), judged(apnoea(3), 'downvote', 'not_relevant')])
    t.ok(scoreOf(after, unwanted) < scoreOf(before, unwanted))
    t.ok(scoreOf(after, wanted) >= 0.6 && scoreOf(after, unwanted) < 0.3)
  })

  await t.test('learns from dislikes alone', async t => {
    const model = learn([judged(apnoea(1), 'downvote', 'not_relevant')])
    t.ok(scoreOf(model, wanted) > scoreOf(model, unwanted))
  })

  await t.test('takes a star for more than an upvote, and low quality for little', async t => {
    const mixed = (vote: Judged['vote']) => learn([judged(spindles(0), vote), judged(apnoea(1), 'upvote')])
    t.ok(scoreOf(mixed('star'), wanted) - scoreOf(mixed('star'), unwanted) > scoreOf(mixed('upvote'), wanted) - scoreOf(mixed('upvote'), unwanted))
    const disliked = (reason: Judged['downvote_reason']) => scoreOf(learn([judged(spindles(0), 'upvote'), judged(apnoea(1), 'upvote'), judged(apnoea(3), 'downvote', reason)]), unwanted)
    t.ok(disliked('low_quality') > disliked('not_relevant'))
  })

  await t.test('still excludes', async t => {
    const { relevance_score, matching_details } = scorer(interest, learn([judged(spindles(0), 'star')]))({ ...wanted, title: `${wanted.title} in zebrafish` })
    t.equal(relevance_score, 0)
    t.equal(matching_details.excluded, true)
  })

  await t.test('gives its reasons in the paper\'s own words, with the liked paper most like it', async t => {
    const { matching_details, personalized_note } = scorer(interest, learn([judged(spindles(0), 'star'), judged(apnoea(1), 'downvote', 'not_relevant')]))(wanted)
    t.ok(matching_details.terms.some(({ term, weight, from }) => from === 'feedback' && weight > 0 && /spindles|thalamic|bursts|waves|recall/.test(term)))
    t.match(matching_details, { liked_paper: { paper_id: idOf({ title: 'Sleep spindles and memory 0', abstract: null }), starred: true }, learned_from: { liked: 1, disliked: 1 } })
    t.equal(scorer(interest, learn([judged(spindles(0), 'star')]))(spindles(0)).matching_details.liked_paper, null, 'a paper is not like itself')
    t.equal(personalized_note, 'Is similar to “Sleep spindles and memory 0”, which you starred, and shares “sleep”, “memory” with your interest.')
  })

  await t.test('is the same when it is learned again, and survives being stored', async t => {
    const votes = [judged(spindles(0), 'upvote'), judged(apnoea(1), 'downvote', 'not_relevant')]
    const model = learn(votes)
    t.strictSame(learn(votes), model)
    t.equal(scoreOf(JSON.parse(JSON.stringify(model)), wanted), scoreOf(model, wanted))
  })

  await t.test('stays small, however large the feed', async t => {
    const many = Array.from({ length: 3000 }, (_, at) => ({ title: `Paper ${at}`, abstract: Array.from({ length: 100 }, (_, word) => `w${(at * 7919 + word * 104729) % 60_000}x`).join(' ') }))
    const model = learn([judged(many[0]!, 'upvote')], many)
    t.ok(JSON.stringify(model).length < 1_500_000)
  })

  await t.test('needs no abstract, no feed and no known word', async t => {
    const model = learn([judged({ title: '睡眠と記憶', abstract: null }, 'upvote')], [])
    t.ok(Number.isFinite(scoreOf(model, { title: 'Ελληνικά', abstract: '' })))
  })
})

t.test('the thread gives what the functions give', async t => {
  const thread = relevanceWorker()
  t.teardown(thread.close)
  const votes = [judged(spindles(0), 'upvote')]
  const model = await thread.train({ interest, texts: (async function * () { yield feed })(), judged: votes, background: feed })
  t.strictSame(model, learn(votes))
  t.strictSame(await thread.score(interest, model, feed), feed.map(scorer(interest, model)))
})
