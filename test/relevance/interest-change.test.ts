import t from 'tap'
import { leastDistinct, votingPeriods } from '../../src/relevance/interest-change.js'
import { staysResponsive } from '../support/event-loop.js'

const interest = (interest_description: string, positive_keywords: string[] = []) => ({ interest_description, positive_keywords })

t.test('votes speak for the present interest since it has less than half of its words in common with an earlier one', async t => {
  const former = [
    { ...interest('Sleep spindles and memory'), until: new Date('2026-01-01') },
    { ...interest('Soil moisture'), until: new Date('2026-02-01') },
    { ...interest('Sleep spindles and memories'), until: new Date('2026-03-01') }
  ]
  const [january, february, march] = former.map(({ until }) => until)
  const first = { after: null, until: january }
  t.strictSame(await votingPeriods(interest('Memory and sleep spindles'), former), { since: february, alike: [first] })
  t.strictSame(await votingPeriods(interest('Soil moisture', ['remote sensing', 'radar']), former), { since: march, alike: [] })
  t.strictSame(await votingPeriods(interest('Soil moisture'), former), { since: march, alike: [{ after: january, until: february }] })
  t.strictSame(await votingPeriods(interest('Memory and sleep spindles'), former.slice(0, 1)), { since: null, alike: [] })
  t.strictSame(await votingPeriods(interest(''), former), { since: null, alike: [] }, 'an interest without words contradicts none')
  const many = Array.from({ length: 5 }, () => former.slice(0, 2)).flat()
  const { alike } = await votingPeriods(interest('Sleep spindles and memory'), many)
  t.strictSame(alike.map(({ after }) => after), Array(4).fill(february), 'before the oldest of those kept, there may have been others')
})

t.test('the least distinct of former interests is the one most like the next, or the oldest of different ones', async t => {
  const [soil, sleep, edited, birds] =
    [interest('Soil moisture'), interest('Sleep spindles'), interest('Sleep spindles, memory'), interest('Songs of birds')]
  t.equal(await leastDistinct([soil, sleep, edited, birds]), sleep)
  t.equal(await leastDistinct([birds, edited, sleep, soil]), edited)
  t.equal(await leastDistinct([soil, edited, birds]), soil)
  t.equal(await leastDistinct([soil, interest(''), birds]), soil, 'an interest without words differs from others')
})

t.test('long interests are read in turns of the event loop', async t => {
  let runs = 0
  const hostile = (at: number) => interest(`${runs} ${at}\n${'. b\n'.repeat(2490)}`)
  const former = () => Array.from({ length: 10 }, (_each, at) => ({ ...hostile(at), until: new Date(0) }))
  const work = () => votingPeriods(hostile(99), former())
  t.match(await staysResponsive(t, 'reading', work, { again: async () => { runs++ } }), { since: null })
})
