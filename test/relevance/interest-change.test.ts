import t from 'tap'
import { votesSpeakSince } from '../../src/relevance/interest-change.js'
import { staysResponsive } from '../support/event-loop.js'

const interest = (interest_description: string, positive_keywords: string[] = []) => ({ interest_description, positive_keywords })

t.test('votes speak for the present interest since it has less than half of its words in common with an earlier one', async t => {
  const former = [
    { ...interest('Sleep spindles and memory'), until: new Date('2026-01-01') },
    { ...interest('Soil moisture'), until: new Date('2026-02-01') },
    { ...interest('Sleep spindles and memories'), until: new Date('2026-03-01') }
  ]
  t.strictSame(await votesSpeakSince(interest('Memory and sleep spindles'), former), new Date('2026-02-01'))
  t.strictSame(await votesSpeakSince(interest('Soil moisture', ['remote sensing', 'radar']), former), new Date('2026-03-01'))
  t.equal(await votesSpeakSince(interest('Memory and sleep spindles'), former.slice(0, 1)), null)
  t.equal(await votesSpeakSince(interest(''), former), null, 'an interest without words contradicts none')
})

t.test('long interests are read in turns of the event loop', async t => {
  let runs = 0
  const hostile = (at: number) => interest(`${runs} ${at}\n${'. b\n'.repeat(2490)}`)
  const former = () => Array.from({ length: 10 }, (_each, at) => ({ ...hostile(at), until: new Date(0) }))
  t.equal(await staysResponsive(t, 'reading', () => votesSpeakSince(hostile(99), former()), { again: async () => { runs++ } }), null)
})
