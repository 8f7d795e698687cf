import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { papersImport } from '../../../src/operations/papers/papers-import.js'
import { projectCreate } from '../../../src/operations/projects/project-create.js'
import { shareLinkCreate } from '../../../src/operations/sharing/share-link-create.js'
import { staysResponsive } from '../../support/event-loop.js'
import { testService } from '../../support/service.js'

t.test('a shared page of the longest records is short and does not block the event loop', { timeout: 300_000 }, async t => {
  const service = await testService(t)
  const { context } = await service.user()
  const { id: project_id } = await projectCreate.run(context, { name: 'Long', interest_description: 'Sleep', sources: [] })
  const file = join(t.testdir(), 'papers.jsonl')
  writeFileSync(file, Array.from({ length: 50 }, (_paper, at) => JSON.stringify({
    title: `Paper $\\alpha_{${at}}$ ${'$x^{2}_{1}$ '.repeat(70)}`,
    authors: Array.from({ length: 5900 }, (_author, author) => ({ name: `Ab${author} Cdefghij${at}` })),
    abstract: '$\\frac{a}{b}$ word & <b> '.repeat(800).slice(0, 19_900)
  })).join('\n'))
  await papersImport.run(context, { project_id, files: [file] })
  const { url } = await shareLinkCreate.run(context, { project_id })
  const get = async () => await service.app.inject(new URL(url).pathname + new URL(url).search)
  await get()
  const { statusCode, body } = await staysResponsive(t, 'a shared page', get)
  t.equal(statusCode, 200)
  t.match(body, /<bdi>Ab0 Cdefghij\d+, [^<]*<\/bdi> and 5,888 more<\/summary><p><bdi>[^<]*<\/bdi>, and 5,800 more<\/p>/)
  t.match(body, / …<\/p><\/div>/)
  t.ok(body.length < 800_000, `${body.length} characters`)
})
