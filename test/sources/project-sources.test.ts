import t from 'tap'
import { takesLess } from '../support/event-loop.js'
import { sourceOf } from '../../src/sources/projects/snapshot-source.js'
import { checkSources } from '../../src/sources/projects/project-sources.js'

t.test("limits the total length of a project's queries", async t => {
  const queries = (count: number) =>
    Array.from({ length: count }, (_each, at) => ({ name: 'arxiv', query: `all:${String(at).padStart(2, '0')}${'x'.repeat(1994)}` }))
  t.doesNotThrow(() => checkSources(queries(10), () => true))
  t.throws(() => checkSources(queries(11), () => true), { code: 'invalid_arguments', message: /22000 characters; at most 20000/ })
})

t.test('queries that differ in the space around them are the same', async t => {
  const written = ['', ' ', ' all:sleep\n'].map(query => ({ name: 'arxiv', query }))
  t.strictSame(checkSources([written[0]!, written[2]!], () => true), [{ name: 'arxiv', query: '' }, { name: 'arxiv', query: 'all:sleep' }])
  t.throws(() => checkSources(written, () => true), { code: 'invalid_arguments', message: 'sources.1 is a duplicate. Remove one.' })
})

t.test('the queries of all sources of a project are made of its interest at once', async t => {
  const sources = Array.from({ length: 50 }, (_each, at) => ({ name: 'arxiv', query: ' '.repeat(at) }))
  const buildQueries = (interest_description: string) => {
    const project = { positive_keywords: [], interest_description, states: [] }
    for (const source of sources) sourceOf(source, project as unknown as Parameters<typeof sourceOf>[1])
  }
  // The first use loads the dictionary of the word segmenter, whatever the text.
  buildQueries('中ア a: b')
  for (const hostile of ['中\n', 'ア\n', 'ア中\n', 'a:\n']) {
    await takesLess(t, 100, () => buildQueries(hostile.repeat(10_000 / hostile.length)), JSON.stringify(hostile))
  }
})
