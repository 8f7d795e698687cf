import t from 'tap'
import { Corpus } from '../../src/relevance/corpus.js'
import { cpuTime } from '../support/event-loop.js'

t.test('counting takes as long per text after any number of features that texts share', t => {
  const corpus = new Corpus()
  // Each text twice, so that no feature is unique: more features than are counted at a time.
  const abstractOf = (at: number) => Array.from({ length: 200 }, (_each, word) => `w${at >> 1}x${word}`).join(' ')
  const cpuOf = (from: number, to: number) => {
    const before = cpuTime()
    for (let at = from; at < to; at++) corpus.add({ title: 'Sleep and memory', abstract: abstractOf(at) })
    return cpuTime() - before
  }
  const first = cpuOf(0, 4900)
  const next = cpuOf(4900, 5200)
  // Where the system does not tell, both are unknown.
  t.notOk(next >= first / 2, `${next.toFixed(0)} ms after ${first.toFixed(0)} ms`)
  t.equal(corpus.documents, 5200)
  t.equal(corpus.frequency('sleep'), 5200, 'frequent features are counted exactly')
  t.end()
})
