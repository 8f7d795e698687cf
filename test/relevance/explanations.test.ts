import t from 'tap'
import { Corpus } from '../../src/relevance/corpus.js'
import { explain } from '../../src/relevance/explanation.js'
import type { ScoredText } from '../../src/relevance/interest.js'
import { type RatedText, train } from '../../src/relevance/model.js'
import { scorer } from '../../src/relevance/score.js'
import { apnoea, feed, interest, learn, rated, scoreOf, soil, spindles } from '../support/sleep-feed.js'

t.test('reasons', async t => {
  const german = (at: number): ScoredText => ({
    title: `Der Schlaf und das Gedächtnis von Gruppe ${at}`,
    abstract: `Die Spindeln der Probanden und die Leistung von Gruppe ${at} wurden bei Nacht gemessen.`
  })
  const other = (at: number): ScoredText => ({
    title: `Der Boden und das Wasser von Feld ${at}`,
    abstract: `Die Wurzeln der Pflanzen und die Erde von Feld ${at} wurden bei Regen gemessen.`
  })
  const papers = Array.from({ length: 60 }, (_, at) => at % 4 === 0 ? german(at) : other(at))
  const corpus = new Corpus()
  for (const paper of papers) corpus.add(paper)
  const interestOf = (interest_description: string) => ({ ...interest, interest_description })
  const common = /“(der|die|das|und|von|bei|wurden|gemessen)[ ”]|[ “](der|die|das|und|von|bei|wurden)”/

  t.test('are not words that many papers of the feed have, if there are others', async t => {
    const current = interestOf('Der Schlaf, die Nacht und das Gedächtnis wurden gemessen')
    const votes = [rated(german(0), 'upvote'), rated(other(1), 'downvote'), rated(german(4), 'upvote')]
    for (const rated of [[], votes]) {
      const model = train({ interest: current, corpus, rated, background: papers })
      const paper = { ...german(100), title: 'Der Schlaf und die Nacht' }
      const { matching_details: { terms }, personalized_note } = scorer(current, model)(paper)
      t.notMatch(personalized_note, common)
      for (const { term } of terms) t.notMatch(`“${term}”`, common)
      t.ok(terms.some(({ term }) => /schlaf|nacht/.test(term)), JSON.stringify(terms))
    }
    const { wanted } = train({ interest: current, corpus, rated: votes, background: papers }).lessons
    for (const { term } of wanted) t.notMatch(`“${term}”`, common)
  })

  t.test('are common words where there are no others', async t => {
    const current = interestOf('Wurden')
    const model = train({ interest: current, corpus, rated: [], background: papers })
    t.match(scorer(current, model)(german(100)).personalized_note, 'Shares “wurden” with your interest.')
  })

  t.test('are runs of Chinese characters', async t => {
    const chinese = interestOf('肝细胞癌的免疫治疗')
    const title = '原发性肝细胞癌患者免疫治疗研究'
    t.equal(scorer(chinese)({ title, abstract: null }).personalized_note, 'Shares “肝细胞癌”, “免疫治疗” with your interest.')
    const feed = [
      ...Array.from({ length: 5 }, (_, at) => ({ title: `肝细胞癌手术预后第${at}例`, abstract: null })),
      ...Array.from({ length: 40 }, (_, at) => ({ title: `土壤水分变化第${at}年`, abstract: null }))
    ]
    const corpus = new Corpus()
    for (const paper of feed) corpus.add(paper)
    const votes = [rated(feed[0]!, 'upvote'), rated(feed[1]!, 'upvote')]
    const model = train({ interest: interestOf(''), corpus, rated: votes, background: feed })
    const { terms } = scorer(interestOf(''), model)({ title: '肝细胞癌手术', abstract: null }).matching_details
    t.strictSame(terms.map(({ term }) => term), ['肝细胞癌手术'])
    t.ok(model.lessons.wanted.some(({ term }) => term.length > 2 && !term.includes(' ')), JSON.stringify(model.lessons))
  })
})

t.test('an explanation claims no votes of a kind that there are none of', t => {
  const notesOf = (votes: RatedText[]) => {
    const score = scorer({ ...interest, negative_keywords: [] }, learn(votes))
    return [spindles, apnoea, soil].flatMap(subject => [100, 101, 102].map(at => score(subject(at)).personalized_note))
  }
  const downvotes = notesOf([0, 1, 2].map(at => rated(apnoea(at), 'downvote', 'not_relevant')))
  for (const note of downvotes) t.notMatch(note, /upvoted|starred/)
  const upvotes = notesOf([0, 1, 2].map(at => rated(apnoea(at), 'upvote')))
  for (const note of upvotes) t.notMatch(note, /downvoted/)
  const details = (more: object) => ({
    terms: [{ term: 'clay', weight: 0.1, from: 'feedback' as const }],
    contributions: { base: 0.1, keywords: 0, interest: 0, votes: 0.1 },
    positive_keywords: [],
    negative_keywords: [],
    liked_paper: null,
    learned_from: { liked: 0, disliked: 3 },
    excluded: false,
    ...more
  })
  t.equal(explain(details({})), 'No words in common with your interest.')
  t.equal(explain(details({ learned_from: { liked: 3, disliked: 0 } })), 'Mentions “clay”, like papers you upvoted or starred.')
  t.equal(explain(details({ learned_from: { liked: 1, disliked: 0 } })), 'Mentions “clay”, like a paper you upvoted or starred.')
  const lowered = {
    terms: [{ term: 'clay', weight: -0.1, from: 'feedback' as const }],
    contributions: { base: 0.2, keywords: 0, interest: 0, votes: -0.1 },
    learned_from: { liked: 3, disliked: 0 }
  }
  t.equal(explain(details(lowered)), 'No words in common with your interest.')
  t.equal(explain(details({ ...lowered, learned_from: { liked: 3, disliked: 2 } })), 'Mentions “clay”, like papers you downvoted.')
  t.equal(explain(details({ ...lowered, learned_from: { liked: 3, disliked: 1 } })), 'Mentions “clay”, like a paper you downvoted.')
  const mixed = {
    ...lowered,
    terms: [...lowered.terms, { term: 'sleep', weight: 0.05, from: 'interest' as const }],
    learned_from: { liked: 3, disliked: 2 }
  }
  const contributions = { base: 0.2, keywords: 0, interest: 0.05, votes: -0.1 }
  t.equal(
    explain(details({ ...mixed, contributions })), 'Shares “sleep” with your interest, but mentions “clay”, like papers you downvoted.',
    'votes that outweigh the interest are named'
  )
  t.equal(explain(details({ ...mixed, contributions: { ...contributions, interest: 0.2 } })), 'Shares “sleep” with your interest.')
  t.equal(explain(details({ learned_from: { liked: 1, disliked: 0 } }), { isLiked: true }), 'No words in common with your interest.')
  const oneOther = explain(details({ learned_from: { liked: 2, disliked: 0 } }), { isLiked: true })
  t.equal(oneOther, 'Mentions “clay”, like a paper you upvoted or starred.')
  t.end()
})

t.test('an explanation denies no words of the interest that a paper has, however little they weigh', t => {
  const model = learn([])
  const score = scorer(interest, { ...model, shares: { ...model.shares, interest: 0.0001 } })
  const { matching_details, personalized_note } = score({ title: 'Rain', abstract: 'During sleep.' })
  t.strictSame(matching_details.terms, [])
  t.equal(personalized_note, 'Little in common with your interest.')
  t.equal(score({ title: 'Rain', abstract: 'At dawn.' }).personalized_note, 'No words in common with your interest.')
  t.end()
})

t.test('an explanation names what lowers a score, and no paper by itself', t => {
  const votes = [0, 1, 2].flatMap(at => [rated(spindles(3 * at), 'upvote'), rated(apnoea(3 * at + 1), 'downvote', 'not_relevant')])
  const { personalized_note, matching_details } = scorer(interest, learn(votes))(apnoea(100))
  t.ok(-matching_details.contributions.votes > matching_details.contributions.interest)
  t.match(personalized_note, /^Shares “.*” with your interest, but mentions “.*”, like papers you downvoted\.$/)
  const only = scorer(interest, learn([rated(spindles(0), 'upvote')]))
  t.notMatch(only(spindles(0)).personalized_note, /you upvoted/)
  t.match(only(spindles(3)).personalized_note, /you upvoted/)
  t.end()
})

t.test('a score after votes', async t => {
  const withKeyword = { ...interest, positive_keywords: ['slow waves'] }
  const corpus = new Corpus()
  for (const paper of feed) corpus.add(paper)
  const votes = Array.from({ length: 30 }, (_, at) =>
    at % 3 === 0 ? rated(spindles(at), 'upvote') : rated([apnoea, soil][at % 2]!(at), 'downvote', 'not_relevant')
  )
  const model = train({ interest: withKeyword, corpus, rated: votes, background: feed })
  const mixed = {
    title: 'Results of sleep apnoea masks and soil moisture',
    abstract: 'Yet 12 results restored slow waves. Airway pressure of hospital patients, oxygen desaturation, rain and clay of the plot.'
  }

  await t.test('is the sum of its contributions', t => {
    for (const paper of [...feed, mixed]) {
      for (const score of [
        scorer(withKeyword),
        scorer(withKeyword, model),
        scorer({ ...withKeyword, interest_description: 'Clay' }, model)
      ]) {
        const { relevance_score, matching_details: { contributions: { base, keywords, interest, votes } } } = score(paper)
        t.equal(Math.round(1000 * (base + keywords + interest + votes)), Math.round(1000 * relevance_score), paper.title)
      }
    }
    t.end()
  })

  await t.test('is lower with what the interest excludes, whose part it states', t => {
    const excluding = { ...withKeyword, interest_description: 'Sleep and memory, not in a hospital' }
    const current = train({ interest: excluding, corpus, rated: votes, background: feed })
    for (const score of [scorer(excluding, current), scorer(excluding, model)]) {
      const { relevance_score, matching_details: { contributions: { exclusions = 0, ...others }, excluded_phrases } } = score(apnoea(100))
      t.strictSame(excluded_phrases, ['hospital'])
      const whole = Object.values(others).reduce((sum, part) => sum + part, 0)
      t.ok(Math.abs(relevance_score - 0.8 * whole) < 0.002 && Math.abs(exclusions + 0.2 * whole) < 0.002, `${relevance_score} of ${whole}`)
      t.equal(score(spindles(101)).matching_details.excluded_phrases, undefined)
    }
    t.end()
  })

  await t.test('names at most three meaningful terms that lower it', t => {
    const { terms, contributions } = scorer(withKeyword, model)(mixed).matching_details
    t.ok(contributions.keywords > 0 && contributions.votes < 0)
    t.equal(terms.filter(({ weight }) => weight < 0).length, 3)
    for (const { term } of terms) t.notMatch(term, /\b(results|yet|restored|12|of|and)\b/)
    t.end()
  })

  await t.test('explains a low score', t => {
    t.match(scorer(interest, learn(votes))(apnoea(100)).personalized_note, /^(Shares “sleep”|Mentions .* like papers you downvoted)/)
    t.end()
  })

  await t.test('is the probability of an upvote', t => {
    // Every spindle paper of an even number is upvoted, whatever else it has: a probability of one half.
    const halves = Array.from({ length: 80 }, (_, at) => rated(spindles(at), at % 2 === 0 ? 'upvote' : 'downvote'))
    const score = scoreOf(learn(halves), spindles(101))
    t.ok(score > 0.3 && score < 0.7, String(score))
    t.end()
  })
})
