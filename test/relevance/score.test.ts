import t from 'tap'
import { defaultThresholds } from '../../schemas/project.js'
import { scorer } from '../../src/relevance/score.js'
import { summaryOf } from '../../src/papers/summary.js'

const score = scorer({
  interest_description: 'How sleep and its spindles consolidate memory',
  positive_keywords: ['slow oscillations', 'Replay'],
  negative_keywords: ['mice'],
  must_read_threshold: 0.6
})

t.test('a score', async t => {
  t.test('is 0 to 1, higher with more matches, highest in the title', async t => {
    const none = score({ title: 'Soil moisture', abstract: 'Rain.' }).relevance_score
    const abstract = score({ title: 'A study', abstract: 'Of sleep and memory.' }).relevance_score
    const title = score({ title: 'Sleep and memory', abstract: null }).relevance_score
    const keyword = score({ title: 'Sleep and memory', abstract: 'With slow oscillations and replay.' }).relevance_score
    t.equal(none, 0)
    t.ok(none < abstract && abstract < title && title < keyword && keyword <= 1)
  })

  t.test('is a must-read at or above the threshold', async t => {
    const high = score({ title: 'Sleep spindles, memory and replay', abstract: 'Slow oscillations consolidate memory.' })
    t.ok(high.relevance_score >= defaultThresholds.must_read_threshold)
    t.equal(high.relevance_class, 'must_read')
    t.equal(score({ title: 'Sleep', abstract: null }).relevance_class, 'related')
  })

  t.test('has reasons as data and text', async t => {
    t.match(score({ title: 'Sleep', abstract: 'Slow-oscillations; REPLAY' }), {
      matching_details: {
        terms: [{ term: 'sleep', from: 'interest' }],
        positive_keywords: ['slow oscillations', 'Replay'],
        negative_keywords: { length: 0 }
      },
      personalized_note: 'Has your keywords “slow oscillations”, “Replay”.'
    })
    t.equal(score({ title: 'Sleep', abstract: null }).personalized_note, 'Shares “sleep” with your interest.')
    t.match(score({ title: 'Rain', abstract: null }).personalized_note, /No words in common/)
    t.match(score({ title: 'Rain', abstract: null }).matching_details, {
      terms: { length: 0 },
      liked_paper: null,
      learned_from: { liked: 0, disliked: 0 },
      excluded: false
    })
  })

  t.test('is 0 with an excluded keyword, but only for whole words', async t => {
    t.match(score({ title: 'Sleep spindles in mice', abstract: null }), {
      relevance_score: 0,
      relevance_class: 'related',
      matching_details: { negative_keywords: ['mice'], excluded: true }
    })
    t.ok(score({ title: 'Sleep spindles in micelles', abstract: null }).relevance_score > 0)
  })

  t.test('works without an interest', async t => {
    t.equal(
      scorer({ interest_description: '', positive_keywords: [], negative_keywords: [], must_read_threshold: 0.6 })({
        title: 'x',
        abstract: null
      }).relevance_score,
      0
    )
  })
})

t.test('a summary is the abstract\'s first sentences', async t => {
  t.equal(summaryOf(null), null)
  t.equal(summaryOf('Short. And whole.'), 'Short. And whole.')
  const long = summaryOf(Array.from({ length: 40 }, (_each, at) => `This is sentence ${at} of many.`).join(' '))!
  t.ok(long.length <= 400 && long.endsWith('of many.'))
  t.ok(summaryOf('word '.repeat(1000))!.length <= 402)
})
