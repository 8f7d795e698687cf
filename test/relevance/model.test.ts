import t from 'tap'
import { defaultThresholds } from '../../schemas/project.js'
import { Corpus } from '../../src/relevance/corpus.js'
import type { ScoredText } from '../../src/relevance/interest.js'
import { type RatedText, type Model, train } from '../../src/relevance/model.js'
import { describeReliability } from '../../src/relevance/reliability.js'
import { scorer } from '../../src/relevance/score.js'
import { relevanceWorker } from '../../src/relevance/worker.js'
import { apnoea, feed, idOf, interest, learn, rated, scoreOf, soil, spindles } from '../support/sleep-feed.js'

t.test('a model', async t => {
  const [wanted, unwanted] = [spindles(100), apnoea(100)]

  await t.test('raises papers similar to an upvoted one and lowers others from the first vote', async t => {
    const model = learn([rated(spindles(0), 'upvote')])
    t.ok(scoreOf(model, wanted) > scoreOf(model, unwanted) + 0.2)
  })

  await t.test('lowers papers similar to a downvoted one', async t => {
    const before = learn([rated(spindles(0), 'upvote')])
    const after = learn([
      rated(spindles(0), 'upvote'),
      rated(apnoea(1), 'downvote', 'not_relevant'),
      rated(apnoea(3), 'downvote', 'not_relevant')
    ])
    t.ok(scoreOf(after, unwanted) < scoreOf(before, unwanted))
    t.ok(scoreOf(after, wanted) >= 0.5 && scoreOf(after, unwanted) <= 0.3)
  })

  await t.test('of keywords alone ranks papers by them, and not by their numbers', async t => {
    const keywords = { interest_description: '', positive_keywords: ['vision'], negative_keywords: [], must_read_threshold: 0.6 }
    const numbers = Array.from({ length: 30 }, (_each, at) => at + 10).join(' ')
    const texts = Array.from({ length: 40 }, (_each, at) => ({ title: `Soil ${at}`, abstract: at % 4 === 0 ? numbers : 'A text.' }))
    const corpus = new Corpus()
    for (const text of texts) corpus.add(text)
    const score = scorer(keywords, train({ interest: keywords, corpus, rated: [], background: texts }))
    const [named, numbered] = [score({ title: 'Vision of birds', abstract: null }), score(texts[0]!)]
    t.ok(named.relevance_score > numbered.relevance_score)
  })

  await t.test('uses numbers only to rank papers on the interest, and keeps other papers below the feed threshold', async t => {
    const numbers = Array.from({ length: 60 }, (_each, at) => at + 10).join(' ')
    const texts = [
      ...Array.from({ length: 30 }, (_each, at) => ({ title: `Migraine, part ${at}`, abstract: at % 2 === 0 ? `Pain ${numbers}` : 'Pain.' })),
      ...Array.from({ length: 120 }, (_each, at) => ({ title: `Kidney ${at}`, abstract: at % 2 === 0 ? `Filtration ${numbers}` : 'Urine.' }))
    ]
    const migraine = { interest_description: 'migraine', positive_keywords: [], negative_keywords: [], must_read_threshold: 0.6 }
    const corpus = new Corpus()
    for (const text of texts) corpus.add(text)
    const score = scorer(migraine, train({ interest: migraine, corpus, rated: [], background: texts }))
    const [counted, essay, other, plain] = [texts[0]!, texts[1]!, texts[30]!, texts[31]!].map(text => score(text).relevance_score) as
      [number, number, number, number]
    t.ok(counted > essay && essay > other && other >= plain)
    t.ok(other < defaultThresholds.feed_threshold, `${other}`)
  })

  await t.test('of an interest with truncated words ranks what goes on as they begin', async t => {
    const keywords = { positive_keywords: [], negative_keywords: [] }
    const query = { ...keywords, interest_description: 'schizophren* AND memor*', must_read_threshold: 0.6 }
    const titles = ['Memory of birds', 'Schizophrenia in twins', 'Schizophrenic patients', 'Soil', 'Rain', 'Snow']
    const texts = Array.from({ length: 42 }, (_each, at) => ({ title: `${titles[at % 6]} ${at}`, abstract: 'A text.' }))
    const corpus = new Corpus()
    for (const text of texts) corpus.add(text)
    const model = train({ interest: query, corpus, rated: [], background: texts })
    t.strictSame(Object.keys(model.interest.terms), ['schizophren*', 'memor*'])
    t.ok(model.interest.information > 1, `${model.interest.information} nats`)
    const few = train({ interest: query, corpus, rated: [], background: texts.slice(0, 6) })
    t.ok(Math.abs(few.interest.information - model.interest.information) < 0.1, 'a small feed counts nothing that it lacks')
    const scoreOf = (title: string) => scorer(query, model)({ title, abstract: 'A text.' }).relevance_score
    t.ok(scoreOf('Memory in schizophrenia') > scoreOf('Schizophrenia'))
    t.ok(scoreOf('Schizophrenia') > scoreOf('Soil') && scoreOf('Memories') > scoreOf('Soil'))
  })

  await t.test('learns from downvotes alone', async t => {
    const model = learn([rated(apnoea(1), 'downvote', 'not_relevant')])
    t.ok(scoreOf(model, wanted) > scoreOf(model, unwanted))
  })

  await t.test('weights a star above an upvote, and low quality little', async t => {
    const mixed = (vote: RatedText['vote']) => learn([rated(spindles(0), vote), rated(apnoea(1), 'upvote')])
    t.ok(
      scoreOf(mixed('star'), wanted) - scoreOf(mixed('star'), unwanted) >
        scoreOf(mixed('upvote'), wanted) - scoreOf(mixed('upvote'), unwanted)
    )
    const disliked = (reason: RatedText['downvote_reason']) =>
      scoreOf(learn([rated(spindles(0), 'upvote'), rated(apnoea(1), 'upvote'), rated(apnoea(3), 'downvote', reason)]), unwanted)
    t.ok(disliked('low_quality') > disliked('not_relevant'))
  })

  await t.test('still applies excluded keywords', async t => {
    const { relevance_score, matching_details } = scorer(
      interest,
      learn([rated(spindles(0), 'star')])
    )({ ...wanted, title: `${wanted.title} in zebrafish` })
    t.equal(relevance_score, 0)
    t.equal(matching_details.excluded, true)
  })

  await t.test("explains scores in the paper's words and names the most similar upvoted paper", async t => {
    const { matching_details, personalized_note } = scorer(
      interest,
      learn([rated(spindles(0), 'star'), rated(apnoea(1), 'downvote', 'not_relevant')])
    )(wanted)
    t.ok(
      matching_details.terms.some(
        ({ term, weight, from }) => from === 'feedback' && weight > 0 && /spindles|thalamic|bursts|waves|recall/.test(term)
      )
    )
    t.match(matching_details, {
      liked_paper: { paper_id: idOf({ title: 'Sleep spindles and memory 0', abstract: null }), starred: true },
      learned_from: { liked: 1, disliked: 1 }
    })
    t.equal(
      scorer(interest, learn([rated(spindles(0), 'star')]))(spindles(0)).matching_details.liked_paper,
      null,
      'a paper is not like itself'
    )
    t.equal(
      personalized_note,
      'Is similar to “Sleep spindles and memory 0”, which you starred, and shares “sleep”, “memory” with your interest.'
    )
  })

  await t.test('is deterministic and serializable', async t => {
    const votes = [rated(spindles(0), 'upvote'), rated(apnoea(1), 'downvote', 'not_relevant')]
    const model = learn(votes)
    t.strictSame(learn(votes), model)
    t.equal(scoreOf(JSON.parse(JSON.stringify(model)), wanted), scoreOf(model, wanted))
  })

  await t.test('has a bounded size', async t => {
    const many = Array.from({ length: 3000 }, (_, at) => ({
      title: `Paper ${at}`,
      abstract: Array.from({ length: 100 }, (_, word) => `w${(at * 7919 + word * 104729) % 60_000}x`).join(' ')
    }))
    const model = learn([rated(many[0]!, 'upvote')], many)
    t.ok(JSON.stringify(model).length < 1_500_000)
  })

  await t.test('accepts papers without abstracts, empty feeds and unknown words', async t => {
    const model = learn([rated({ title: '睡眠と記憶', abstract: null }, 'upvote')], [])
    t.ok(Number.isFinite(scoreOf(model, { title: 'Ελληνικά', abstract: '' })))
  })
})

t.test('scores after unusual votes', async t => {
  const upvotes = (count: number, of: (at: number) => ScoredText) => Array.from({ length: count }, (_, at) => rated(of(at), 'upvote'))
  const downvotes = (count: number, of: (at: number) => ScoredText) =>
    Array.from({ length: count }, (_, at) => rated(of(at), 'downvote', 'not_relevant'))
  const scores = (model: Model) => [spindles, apnoea, soil].map(of => scoreOf(model, of(100))) as [number, number, number]

  await t.test('follow the interest without votes', async t => {
    const [wanted, other, none] = scores(learn([]))
    t.ok(Math.min(wanted, other) > none + 0.3, 'both subjects of the interest')
    t.match(scorer(interest, learn([]))(spindles(100)).matching_details, {
      contributions: { votes: 0 },
      learned_from: { liked: 0, disliked: 0 }
    })
  })

  await t.test('decrease for other papers after upvotes only', async t => {
    const [wanted, other, none] = scores(learn(upvotes(20, spindles)))
    t.ok(wanted > 0.7 && other < 0.5 && none < 0.5)
  })

  await t.test('stay low for most papers of a feed, however many upvotes there are without a downvote', async t => {
    const subjects = ['glaciers', 'bridges', 'poems', 'tariffs', 'enzymes', 'galaxies']
    const varied = (at: number): ScoredText => ({
      title: `Study of ${subjects[at % 6]!} ${at}`,
      abstract: `Methods ${at % 11} and results ${at % 7} of group ${at % 5} were compared.`
    })
    const papers = Array.from({ length: 120 }, (_, at) => varied(at + 1000))
    const meanScore = (model: Model | null) => papers.reduce((sum, paper) => sum + scoreOf(model, paper), 0) / papers.length
    const before = meanScore(learn([], papers))
    for (const count of [5, 20, 60]) {
      const model = learn(upvotes(count, varied), papers)
      t.ok(meanScore(model) < before + 0.2, `${count}: ${meanScore(model)} after ${before}`)
      t.equal(model.reliability, null, 'and nothing is said about their reliability')
    }
  })

  await t.test('decrease only for similar papers after downvotes only', async t => {
    const before = scores(learn([]))
    for (const count of [1, 5, 20]) {
      const [wanted, other, none] = scores(learn(downvotes(count, apnoea)))
      t.ok(wanted > before[0] - 0.15 && wanted > none, `${count} downvotes leave others`)
      t.ok(other < before[1] - 0.05 && other < wanted - { 1: 0, 5: 0.02, 20: 0.05 }[count]!, `${count} downvotes lower similar ones`)
    }
  })

  await t.test('leave the order of other papers to the interest until something is upvoted', async t => {
    const others = Array.from({ length: 40 }, (_, at) => ({
      title: `${at % 2 === 0 ? 'Memory' : 'Sleep'} in species ${at}`,
      abstract: `${'Sleep changes memory. '.repeat(at % 7)} Neurons ${at} were recorded.`
    }))
    const order = (model: Model) => others.map(paper => ({ paper, score: scoreOf(model, paper) })).sort((a, b) => b.score - a.score)
      .slice(0, 10).map(({ paper }) => paper.title)
    t.strictSame(new Set(order(learn(downvotes(10, apnoea), [...feed, ...others]))), new Set(order(learn([], [...feed, ...others]))))
    const downvoted = learn(downvotes(10, apnoea))
    t.ok(scorer(interest, downvoted)(apnoea(100)).matching_details.contributions!.votes < -0.2, 'papers nearly like them fall')
    t.equal(scorer(interest, downvoted)(apnoea(100)).personalized_note, 'Is similar to a paper that you downvoted.')
    t.ok(scorer(interest, downvoted)(soil(100)).matching_details.contributions!.votes > -0.02)
  })

  await t.test('say of the only downvoted paper that it was downvoted, and not that it is like itself', async t => {
    const noteOf = (model: Model, paper: ScoredText) => scorer(interest, model)(paper).personalized_note
    const one = learn([rated(apnoea(1), 'downvote', 'not_relevant')])
    t.equal(noteOf(one, apnoea(1)), 'You downvoted this paper.')
    t.equal(noteOf(one, apnoea(100)), 'Is similar to a paper that you downvoted.')
    const several = learn([1, 4].map(at => rated(apnoea(at), 'downvote', 'not_relevant')))
    t.equal(noteOf(several, apnoea(1)), 'Is similar to a paper that you downvoted.')
    const { disliked, ...former } = one
    const untitled: Model = { ...former, disliked: disliked!.map(({ places, values }) => ({ places, values })) }
    t.equal(noteOf(untitled, apnoea(1)), 'Is similar to a paper that you downvoted.', 'as models of earlier versions said')
  })

  await t.test('fall together once the best papers are all downvoted, less so where better ones were passed over', async t => {
    const words = (at: number) => Array.from({ length: 20 }, (_, word) => `w${(at * 7919 + word * 104_729) % 60}x`).join(' ')
    const papers = Array.from({ length: 150 }, (_, at) => ({
      title: `${['Sleep and memory', 'Memory', 'Sleep', 'Soil', 'Rain'][at % 5]} of w${at % 37}y`,
      abstract: `${['Sleep changes memory.', 'Memory was tested.', ''][at % 3]} ${words(at)}`
    }))
    const before = learn([], papers)
    const order = papers.map(paper => ({ paper, score: scoreOf(before, paper) }))
      .sort((a, b) => b.score - a.score).map(({ paper }) => paper)
    const after = (isDownvoted: (rank: number) => boolean) => {
      const model = learn(order.filter((_paper, at) => isDownvoted(at)).map(paper => rated(paper, 'downvote', 'not_relevant')),
        order.filter((_paper, at) => !isDownvoted(at)))
      return { model, best: Math.max(...order.filter((_paper, at) => !isDownvoted(at)).map(paper => scoreOf(model, paper))) }
    }
    const [few, all, some] = [after(rank => rank < 2), after(rank => rank < 50), after(rank => rank < 60 && rank % 3 === 1)]
    t.ok(few.best > scoreOf(before, order[2]!) - 0.1, `two downvotes say little: ${few.best}`)
    t.ok(all.best < 0.06, `nothing above was passed over: ${all.best}`)
    t.ok(all.model.reliability!.error < 0.1, `${all.model.reliability!.error}`)
    t.ok(some.best > 2 * all.best, `${some.best} where two of three papers were passed over`)
  })

  await t.test('fall for the papers shown next where the newest votes were overrated', async t => {
    const early = [...upvotes(15, at => spindles(3 * at)), ...downvotes(15, at => soil(3 * at))]
    const late = downvotes(30, at => spindles(60 + at))
    const confirmed = upvotes(30, at => spindles(60 + at))
    t.ok(scores(learn([...late, ...early]))[0] < 0.5)
    t.ok(scores(learn([...confirmed, ...early]))[0] > 0.8)
  })

  await t.test('keep the order of the interest after contradicting votes', async t => {
    const [wanted, other, none] = scores(
      learn([...upvotes(5, spindles), ...downvotes(5, spindles), ...upvotes(5, apnoea), ...downvotes(5, apnoea)])
    )
    t.ok(Math.min(wanted, other) > none)
    t.ok(Math.max(wanted, other) < 0.8)
  })

  await t.test('follow a changed interest immediately, and more after learning', async t => {
    const changed = { ...interest, interest_description: 'Soil moisture and roots' }
    const before = learn(upvotes(3, spindles))
    t.ok(scorer(changed, before)(soil(100)).relevance_score > scoreOf(before, soil(100)))
    const corpus = new Corpus()
    for (const paper of feed) corpus.add(paper)
    const after = scorer(changed, train({ interest: changed, corpus, rated: upvotes(3, spindles), background: feed }))
    t.ok(after(soil(100)).relevance_score > after(apnoea(100)).relevance_score)
  })

  await t.test('are learned from 500 votes', async t => {
    const votes = Array.from({ length: 500 }, (_, at) =>
      at % 5 === 0 ? rated(spindles(at), 'upvote') : rated([apnoea, soil][at % 2]!(at), 'downvote', 'not_relevant')
    )
    const [wanted, other, none] = scores(learn(votes))
    t.ok(wanted > 0.9 && other < 0.1 && none < 0.1)
  })
})

t.test('example papers in a project without a feed', async t => {
  for (const interest_description of ['How sleep changes memory', '']) {
    for (const count of [1, 3, 10]) {
      const examples = Array.from({ length: count }, (_, at) => rated(spindles(at), 'upvote'))
      const corpus = new Corpus()
      for (const example of examples) corpus.add(example)
      const described = { ...interest, interest_description }
      const score = scorer(described, train({ interest: described, corpus, rated: examples, background: [] }))
      const [wanted, other, none] = [spindles, apnoea, soil].map(of => score(of(100)).relevance_score) as [number, number, number]
      const name = `${count} examples, ${interest_description === '' ? 'no interest' : 'with an interest'}`
      t.ok(wanted > 0.6, `${name}: similar papers are must-reads`)
      t.ok(wanted > other + 0.3 && other > none && none < 0.3, `${name}: papers that share less score less`)
    }
  }
})

t.test('papers that their owner brought along', async t => {
  const brought = (count: number) => Array.from({ length: count }, (_, at) => ({ ...rated(spindles(at), 'upvote'), isSeed: true }))
  const meanScore = (model: Model) => feed.map(paper => scoreOf(model, paper)).reduce((sum, score) => sum + score, 0) / feed.length

  await t.test('do not raise scores by their number, but rank papers like them first', t => {
    const before = meanScore(learn([]))
    for (const count of [5, 50, 500]) {
      const model = learn(brought(count))
      t.ok(meanScore(model) < before + 0.1, `${count}: ${meanScore(model)} after ${before}`)
      t.ok(scoreOf(model, spindles(900)) > scoreOf(model, apnoea(900)) + 0.2)
      t.equal(model.reliability, null)
    }
    t.end()
  })

  await t.test('start a project without a feed or an interest', t => {
    for (const count of [1, 3, 10]) {
      const corpus = new Corpus()
      for (const example of brought(count)) corpus.add(example)
      const nothing = { ...interest, interest_description: '' }
      const score = scorer(nothing, train({ interest: nothing, corpus, rated: brought(count), background: [] }))
      t.ok(score(spindles(100)).relevance_score > 0.4, `${count}: ${score(spindles(100)).relevance_score}`)
      t.ok(score(soil(100)).relevance_score < 0.3)
    }
    t.end()
  })
})

t.test('the reliability of scores', async t => {
  const votes = (count: number) => Array.from({ length: count }, (_, at) =>
    at % 3 === 0 ? rated(spindles(at), 'upvote') : rated([apnoea, soil][at % 2]!(at), 'downvote', 'not_relevant'))

  await t.test('is measured from 20 votes on papers of the feed on', t => {
    t.equal(learn(votes(19)).reliability, null)
    const reliability = learn(votes(60)).reliability!
    t.equal(reliability.votes, 60)
    t.equal(reliability.bins.reduce((sum, bin) => sum + bin.votes, 0), 60)
    t.ok(reliability.error < 0.15, String(reliability.error))
    t.match(describeReliability(reliability)!.sentence, /^Scores are .*: over 60 votes, they differ .* by \d+ %/)
    t.end()
  })

  await t.test('is measured on the newest votes, some of them of either kind', t => {
    const upvotes = Array.from({ length: 120 }, (_, at) => rated(spindles(at), 'upvote'))
    const downvotes = Array.from({ length: 480 }, (_, at) => rated([apnoea, soil][at % 2]!(at), 'downvote', 'not_relevant'))
    const models = [[...downvotes, ...upvotes], [...upvotes, ...downvotes]].map(votes => learn(votes))
    for (const [at, model] of models.entries()) {
      const { votes: predicted, bins } = model.reliability!
      t.equal(predicted, 500)
      t.equal(Math.round(bins.reduce((sum, bin) => sum + bin.votes * bin.observed, 0)), [25, 120][at])
      t.ok(scoreOf(model, spindles(900)) > 0.8 && scoreOf(model, apnoea(900)) < 0.1)
    }
    t.ok(Math.abs(models[0]!.shares.interest - models[1]!.shares.interest) < 0.02, models.map(({ shares }) => shares.interest).join(' '))
    t.end()
  })

  await t.test('is measured on votes in the feed, however many papers an import brings along later', t => {
    const brought = Array.from({ length: 600 }, (_, at) => ({ ...rated(spindles(100 + at), 'upvote'), isSeed: true }))
    t.match(learn([...brought, ...votes(60)]).reliability, { votes: 60, bins: { length: 6 } })
    t.end()
  })

  await t.test('shows scores that votes contradict', t => {
    const random = Array.from({ length: 60 }, (_, at) => rated(spindles(at), at % 2 === 0 ? 'upvote' : 'downvote'))
    for (const { predicted } of learn(random).reliability!.bins) t.ok(predicted > 0.2 && predicted < 0.8, 'no score is certain')
    t.end()
  })
})

t.test('votes on papers that share nothing with the feed still count', t => {
  const [one, other] = [{ title: 'Zygote mitosis axolotl', abstract: null }, { title: 'Quasar redshift nebula', abstract: null }]
  const corpus = new Corpus()
  for (const paper of [...feed, one, one, other, other]) corpus.add(paper)
  const model = train({ interest, corpus, rated: [rated(one, 'upvote'), rated(other, 'downvote')], background: feed })
  t.ok(model.weights.places.length > 0)
  t.ok(scoreOf(model, { ...one, title: 'Zygote mitosis' }) > scoreOf(model, { ...other, title: 'Quasar redshift' }))
  t.end()
})

t.test('commands of LaTeX are no features', t => {
  const formulas = (at: number): ScoredText => ({
    title: `Water $\\mathrm{H_2O}$ in plot ${at}`,
    abstract: `Fluxes $\\mathcal{F}_{\\rm soil} \\leq 10^{-3}$ of plot ${at} fell.`
  })
  const papers = Array.from({ length: 30 }, (_, at) => formulas(at))
  const { vocabulary: { features } } = learn([rated(papers[0]!, 'upvote')], [...papers, ...feed])
  for (const feature of features) t.notMatch(feature, /\b(mathrm|mathcal|rm|leq)\b/)
  t.ok(features.includes('h2o'))
  t.end()
})

t.test('low scores keep the order of papers', t => {
  const votes = [...Array.from({ length: 200 }, (_, at) => rated([apnoea, soil][at % 2]!(at), 'downvote')), rated(spindles(0), 'upvote')]
  const score = scorer(interest, learn(votes))
  const scores = new Set(Array.from({ length: 50 }, (_, at) => score({ ...soil(at), abstract: `Rain, ${'clay '.repeat(at)} and loam.` }).relevance_score))
  t.ok(scores.size > 40, `${scores.size} different scores of 50 papers`)
  t.end()
})

t.test('the worker thread returns the same as the functions', async t => {
  const thread = relevanceWorker()
  t.teardown(thread.close)
  const votes = [rated(spindles(0), 'upvote')]
  const model = await thread.train({ interest, texts: (async function * () { yield feed })(), rated: votes, background: feed })
  t.strictSame(model, learn(votes))
  t.strictSame(await thread.score(interest, model, feed), feed.map(scorer(interest, model)))
})
