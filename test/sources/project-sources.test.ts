import t from 'tap'
import { checkSources } from '../../src/sources/projects/project-sources.js'

t.test("limits the total length of a project's queries", async t => {
  const queries = (count: number) =>
    Array.from({ length: count }, (_each, at) => ({ name: 'arxiv', query: `all:${String(at).padStart(2, '0')}${'x'.repeat(1994)}` }))
  t.doesNotThrow(() => checkSources(queries(10), () => true))
  t.throws(() => checkSources(queries(11), () => true), { code: 'invalid_arguments', message: /22000 characters; at most 20000/ })
})
