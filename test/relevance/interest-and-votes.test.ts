import t from 'tap'
import { Corpus } from '../../src/relevance/corpus.js'
import type { Interest, ScoredText } from '../../src/relevance/interest.js'
import { type RatedText, train } from '../../src/relevance/model.js'
import { scorer } from '../../src/relevance/score.js'
import { apnoea, feed, interest, learn, rated, scoreOf, soil, spindles } from '../support/sleep-feed.js'

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
