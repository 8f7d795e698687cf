import t from 'tap'
import { SerializationConflict } from '../../db/errors.js'
import { projectCreate } from '../../src/operations/projects/project-create.js'
import { projectDelete } from '../../src/operations/projects/project-delete.js'
import { projectsGet } from '../../src/operations/projects/projects-get.js'
import { projectUpdate } from '../../src/operations/projects/project-update.js'
import { testService } from '../support/service.js'

t.test('project settings', async t => {
  const { context } = await (await testService(t, { PRIVATE_ORIGINS: 'http://10.0.0.7:8080' })).user()

  await t.test('contain no invisible characters', async t => {
    const hidden = '\u{E0049}\u202E'
    const project = await projectCreate.run(context, {
      name: `Sle${hidden}ep`,
      interest_description: `Naps${hidden}`,
      positive_keywords: [`nap${hidden}`, hidden],
      sources: []
    })
    t.match(project, { name: 'Sleep', interest_description: 'Naps', positive_keywords: ['nap'] })
    t.match(await projectUpdate.run(context, { project_id: project.id, name: `Na${hidden}ps 👩\u200D🔬` }), {
      name: 'Naps 👩\u200D🔬',
      positive_keywords: ['nap']
    })
    await t.rejects(projectCreate.run(context, { name: hidden, sources: [] }), {
      code: 'invalid_arguments',
      message: /no visible characters/
    })
    await t.rejects(projectUpdate.run(context, { project_id: project.id, name: hidden }), {
      code: 'invalid_arguments',
      message: /no visible characters/
    })
  })

  await t.test('reject a journal feed at a private address unless the operator allows it', async t => {
    const { id: project_id } = await projectCreate.run(context, {
      name: 'Feeds',
      sources: [{ name: 'feed', query: 'http://10.0.0.7:8080/rss' }]
    })
    const refusal = { code: 'invalid_arguments', message: /is not on the public Internet/ }
    for (const host of ['10.0.0.7', 'localhost:8080', 'wiki', '[::ffff:10.0.0.7]']) {
      const sources = [{ name: 'feed', query: `http://${host}/rss` }]
      await t.rejects(projectCreate.run(context, { name: 'Feeds', sources }), refusal, host)
      await t.rejects(projectUpdate.run(context, { project_id, sources }), refusal, host)
    }
  })

  await t.test('are deleted after a retry if the deletion conflicts with a merge of papers', async t => {
    const { id: project_id } = await projectCreate.run(context, { name: 'Deleted', sources: [] })
    let conflicts = 2
    const db = new Proxy(context.db, {
      get (target, name) {
        if (name === 'transaction' && conflicts-- > 0) return () => ({ execute: async () => { throw new SerializationConflict({}) } })
        const value = Reflect.get(target, name, target) as unknown
        return typeof value === 'function' ? value.bind(target) : value
      }
    })
    t.strictSame(await projectDelete.run({ ...context, db }, { project_id }), {})
    t.equal(conflicts, -1)
    await t.rejects(projectsGet.run(context, { project_id }), { code: 'project_not_found' })
  })
})
