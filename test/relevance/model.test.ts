import t from 'tap'
import { createHash } from 'node:crypto'
import { Corpus } from '../../src/relevance/corpus.js'
import { explain } from '../../src/relevance/explanation.js'
import type { Interest, ScoredText } from '../../src/relevance/interest.js'
import { type RatedText, type Model, train } from '../../src/relevance/model.js'
import { describeReliability } from '../../src/relevance/reliability.js'
import { scorer } from '../../src/relevance/score.js'
import { relevanceWorker } from '../../src/relevance/worker.js'

const interest: Interest = {
  interest_description: 'How sleep changes memory',
  positive_keywords: [],
  negative_keywords: ['zebrafish'],
  must_read_threshold: 0.6
}

/** A feed of two subjects that both match the interest, of which a person wants one, and of a third that matches nothing. */
const spindles = (at: number): ScoredText => ({
  title: `Sleep spindles and memory ${at}`,
  abstract: `Thalamic bursts couple to slow waves in cohort ${at}. Recall of word pairs rose overnight.`
})
const apnoea = (at: number): ScoredText => ({
  title: `Sleep apnoea and memory clinic ${at}`,
  abstract: `Airway pressure masks were worn by patients of hospital ${at}. Oxygen desaturation fell.`
})
const soil = (at: number): ScoredText => ({
  title: `Soil moisture in field ${at}`,
  abstract: `Rain infiltrated clay and loam of plot ${at}. Roots drew water deeper.`
})
const feed = Array.from({ length: 90 }, (_, at) => [spindles, apnoea, soil][at % 3]!(at))

/** A UUID that is the same for the same title. */
const idOf = ({ title }: ScoredText): string =>
  createHash('sha256')
    .update(title)
    .digest('hex')
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5')
const rated = (text: ScoredText, vote: RatedText['vote'], downvote_reason: RatedText['downvote_reason'] = null): RatedText => ({
  ...text,
  paper_id: idOf(text),
  vote,
  downvote_reason
})

function learn (votes: RatedText[], papers = feed): Model {
  const corpus = new Corpus()
  for (const paper of papers) corpus.add(paper)
  return train({ interest, corpus, rated: votes, background: papers })
}

const scoreOf = (model: Model | null, text: ScoredText) => scorer(interest, model)(text).relevance_score

t.test('an interest of which no paper of the feed has a word', async t => {
  const rare = (interest_description: string): Interest => ({ ...interest, interest_description })
  const counted = (at: number): ScoredText => ({ title: `Soil ${at}`, abstract: `${'Rain fell on loam. '.repeat(9)} ${'7 '.repeat(at)}` })
  for (const description of ['Pheochromocytoma', 'Treatment of pheochromocytoma and paraganglioma in children']) {
    for (const [papers, votes] of [[0, 0], [30, 0], [30, 5], [300, 0], [300, 5]] as const) {
      const feed = Array.from({ length: papers }, (_each, at) => counted(at % 60))
      const corpus = new Corpus()
      for (const paper of feed) corpus.add(paper)
      const downvotes = feed.slice(0, votes).map((paper, at) => ({ ...rated(paper, 'downvote'), paper_id: String(at) }))
      const model = train({ interest: rare(description), corpus, rated: downvotes, background: feed.slice(votes) })
      const score = (text: ScoredText) => scorer(rare(description), model)(text).relevance_score
      const others = [counted(0), counted(20), counted(200), { title: 'Ten wells', abstract: null }].map(score)
      for (const [name, text] of Object.entries({
        title: { title: 'A case of pheochromocytoma', abstract: null },
        abstract: { title: 'A case', abstract: `${'Rain fell on loam. '.repeat(40)} It was a pheochromocytoma.` }
      })) t.ok(score(text) > Math.max(...others), `${description}: ${papers} papers, ${votes} votes, ${name}`)
    }
  }
})

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

t.test('an interest of several sentences', t => {
  const papers = [...feed, ...Array.from({ length: 30 }, (_, at) => ({
    title: `Coral reef ${at}`,
    abstract: `Bleached colonies of reef ${at} recovered. Algae returned.`
  }))]
  const corpus = new Corpus()
  for (const paper of papers) corpus.add(paper)
  const described = { ...interest, interest_description: 'Coral reefs.\nHow sleep and memory change with thalamic bursts and slow waves.' }
  const score = scorer(described, train({ interest: described, corpus, rated: [], background: papers }))
  const related = (text: ScoredText) => score(text).relevance_score
  // What goes with the short criterion counts beside what goes with the long one.
  const other = { title: 'Colonies', abstract: 'Bleached colonies recovered and algae returned.' }
  t.ok(related(other) > related({ title: 'Fields', abstract: 'Rain infiltrated clay and loam. Roots drew water deeper.' }) + 0.02)
  t.ok(Math.min(related(papers.at(-1)!), related(spindles(100))) > related(soil(100)) + 0.1)
  t.end()
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

  await t.test('shows scores that votes contradict', t => {
    const random = Array.from({ length: 60 }, (_, at) => rated(spindles(at), at % 2 === 0 ? 'upvote' : 'downvote'))
    for (const { predicted } of learn(random).reliability!.bins) t.ok(predicted > 0.2 && predicted < 0.8, 'no score is certain')
    t.end()
  })
})

t.test('votes of a former interest', async t => {
  const former = [{ interest_description: 'Soil moisture and roots', positive_keywords: [] }]
  const ofFormer = (votes: RatedText[]) => votes.map(vote => ({ ...vote, former: 0 }))
  const learnChanged = (votes: RatedText[], interests = former) => {
    const corpus = new Corpus()
    for (const paper of feed) corpus.add(paper)
    return train({ interest, corpus, rated: votes, background: feed, former: interests })
  }
  const soilVotes = Array.from({ length: 40 }, (_, at) => at % 2 === 0 ? rated(soil(at), 'upvote') : rated(apnoea(at), 'downvote'))

  await t.test('do not outweigh the present one', t => {
    const [fresh, changed, full] = [learn([]), learnChanged(ofFormer(soilVotes)), learn(soilVotes)]
    for (const of of [spindles, apnoea]) t.ok(scoreOf(changed, of(100)) > scoreOf(changed, soil(100)) + 0.2)
    t.ok(scoreOf(changed, spindles(100)) > scoreOf(fresh, spindles(100)) - 0.15)
    t.ok(scoreOf(full, soil(100)) > scoreOf(full, apnoea(100)), 'in full, they would')
    t.end()
  })

  await t.test('count where they agree with it', t => {
    const agreeing = Array.from({ length: 40 }, (_, at) => at % 2 === 0 ? rated(spindles(at), 'upvote') : rated(soil(at), 'downvote'))
    const model = learnChanged(ofFormer(agreeing))
    t.ok(scoreOf(model, spindles(100)) > scoreOf(model, apnoea(100)) + 0.1)
    t.end()
  })

  await t.test('count in full once the interest returns', t => {
    const same = [{ interest_description: interest.interest_description, positive_keywords: [] }]
    t.strictSame(learnChanged(ofFormer(soilVotes), same).weights, learn(soilVotes).weights)
    t.end()
  })

  await t.test('count as far as they agree with the first interest that a project gets', t => {
    const none = [{ interest_description: '', positive_keywords: [] }]
    const agreeing = Array.from({ length: 40 }, (_, at) => at % 2 === 0 ? rated(spindles(at), 'upvote') : rated(soil(at), 'downvote'))
    const [kept, dropped] = [learnChanged(ofFormer(agreeing), none), learnChanged(ofFormer(soilVotes), none)]
    t.ok(kept.shares.interest < 0.3, String(kept.shares.interest))
    t.ok(dropped.shares.interest > 0.7, String(dropped.shares.interest))
    t.end()
  })

  await t.test('give way to new votes, also in a burst of 500', t => {
    const votes = Array.from({ length: 500 }, (_, at) => at % 2 === 0 ? rated(soil(at), 'upvote') : rated(spindles(at), 'downvote'))
    const old = ofFormer(votes)
    const model = learnChanged([rated(spindles(700), 'upvote'), rated(apnoea(700), 'downvote'), ...old])
    t.ok(scoreOf(model, spindles(800)) > Math.max(scoreOf(model, apnoea(800)), scoreOf(model, soil(800))))
    t.end()
  })
})

t.test('downvotes alone do not turn against the interest', t => {
  // The reader downvotes the best matches, whose interest is in other papers of the same subject.
  for (const count of [3, 10, 20]) {
    const votes = Array.from({ length: count }, (_, at) => rated(apnoea(at), 'downvote', 'not_relevant'))
    const model = learn(votes)
    t.ok(scoreOf(model, spindles(100)) > scoreOf(model, soil(100)) + 0.1, `${count} downvotes`)
    t.ok(model.shares.interest > 0.7, 'the interest keeps most of its influence')
  }
  t.end()
})

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

t.test('votes on papers that share nothing with the feed still count', t => {
  const [one, other] = [{ title: 'Zygote mitosis axolotl', abstract: null }, { title: 'Quasar redshift nebula', abstract: null }]
  const corpus = new Corpus()
  for (const paper of [...feed, one, one, other, other]) corpus.add(paper)
  const model = train({ interest, corpus, rated: [rated(one, 'upvote'), rated(other, 'downvote')], background: feed })
  t.ok(model.weights.places.length > 0)
  t.ok(scoreOf(model, { ...one, title: 'Zygote mitosis' }) > scoreOf(model, { ...other, title: 'Quasar redshift' }))
  t.end()
})

t.test('a criterion that names what is unwanted raises no score', t => {
  const description = 'We include sleep spindles in adults. Exclude soil and clay of plots.'
  const corpus = new Corpus()
  for (const paper of feed) corpus.add(paper)
  const wanting = { ...interest, interest_description: description }
  const model = train({ interest: wanting, corpus, rated: [], background: feed })
  t.notOk('soil' in model.interest.terms || 'includ' in model.interest.terms)
  t.ok('spindl' in model.interest.terms)
  t.equal(scorer(wanting)(soil(1)).relevance_score, 0)
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
  t.end()
})

t.test('a question keeps its weight longer than a name', t => {
  const corpus = new Corpus()
  for (const paper of feed) corpus.add(paper)
  const shareOf = (interest_description: string) => train({
    interest: { ...interest, interest_description }, corpus, rated: [0, 3, 6].map(at => rated(spindles(at), 'upvote')), background: feed
  }).shares.interest
  const question = 'Which spindles and slow waves of sleep couple to memory recall of word pairs overnight in cohorts with apnoea?'
  t.ok(shareOf('Sleep') < 0.15, 'three upvotes outweigh a name')
  t.ok(shareOf(question) > 0.5, String(shareOf(question)))
  t.ok(shareOf(Array.from({ length: 100 }, (_, at) => `word${at}`).join(' ')) < 0.85, 'a long text does not silence votes')
  t.end()
})

t.test('votes on a feed do not silence a question, unless they predict each other perfectly', t => {
  const corpus = new Corpus()
  // Few papers of a real feed have the words of a question.
  const wide = [...feed, ...Array.from({ length: 900 }, (_, at) => soil(1000 + at))]
  for (const paper of wide) corpus.add(paper)
  const question = 'Which spindles and slow waves of sleep couple to memory recall of word pairs overnight?'
  const shareOf = (rated: RatedText[]) =>
    train({ interest: { ...interest, interest_description: question }, corpus, rated, background: wide }).shares.interest
  const votes = (isLiked: (at: number) => boolean) =>
    Array.from({ length: 60 }, (_, at) => rated(at % 2 === 0 ? spindles(at) : apnoea(at), isLiked(at) ? 'upvote' : 'downvote'))
  const upvotes = (isSeed: boolean) => Array.from({ length: 30 }, (_, at) => ({ ...rated(spindles(at), 'upvote'), isSeed }))
  t.ok(shareOf(votes(at => (at % 2 === 0) === (at % 7 > 0))) > 0.7, 'one vote in seven contradicts the others')
  t.ok(shareOf(votes(at => at % 2 === 0)) < 0.2, 'none does')
  t.ok(shareOf(upvotes(false)) > 0.7, 'what the question itself may have found')
  t.ok(shareOf(upvotes(true)) < 0.2, 'papers that were brought along')
  t.end()
})

t.test('an interest keeps more of its share, the more its words say about the feed', t => {
  const shareIn = (papers: ScoredText[], interest_description: string) => {
    const corpus = new Corpus()
    for (const paper of papers) corpus.add(paper)
    const votes = [rated(spindles(0), 'upvote'), rated(spindles(1), 'downvote'), rated(spindles(2), 'upvote')]
    return train({ interest: { ...interest, interest_description }, corpus, rated: votes, background: papers }).shares.interest
  }
  const words = 'Spindles, slow waves, memory recall, word pairs'
  const ofOneSubject = Array.from({ length: 90 }, (_, at) => spindles(at))
  t.ok(shareIn(feed, words) > shareIn(ofOneSubject, words) + 0.1, 'a third of the papers have its words, or all')
  t.ok(shareIn(feed, 'Spindles, memory, recall') > shareIn(feed, 'Zygote, mitosis, axolotl'), 'a third, or none')
  t.end()
})

t.test('votes that predict each other count more than contradicting ones', t => {
  const votes = (isLiked: (at: number) => boolean) =>
    Array.from({ length: 40 }, (_, at) => rated(at % 2 === 0 ? spindles(at) : apnoea(at), isLiked(at) ? 'upvote' : 'downvote'))
  const [clear, random] = [learn(votes(at => at % 2 === 0)), learn(votes(at => at % 4 < 2))]
  t.ok(clear.shares.interest < 0.05)
  t.ok(random.shares.interest > 3 * clear.shares.interest)
  t.end()
})

t.test('low scores keep the order of papers', t => {
  const votes = [...Array.from({ length: 200 }, (_, at) => rated([apnoea, soil][at % 2]!(at), 'downvote')), rated(spindles(0), 'upvote')]
  const score = scorer(interest, learn(votes))
  const scores = new Set(Array.from({ length: 50 }, (_, at) => score({ ...soil(at), abstract: `Rain, ${'clay '.repeat(at)} and loam.` }).relevance_score))
  t.ok(scores.size > 40, `${scores.size} different scores of 50 papers`)
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

t.test('the worker thread returns the same as the functions', async t => {
  const thread = relevanceWorker()
  t.teardown(thread.close)
  const votes = [rated(spindles(0), 'upvote')]
  const model = await thread.train({ interest, texts: (async function * () { yield feed })(), rated: votes, background: feed })
  t.strictSame(model, learn(votes))
  t.strictSame(await thread.score(interest, model, feed), feed.map(scorer(interest, model)))
})
