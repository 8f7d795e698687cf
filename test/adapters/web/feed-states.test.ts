import t from 'tap'
import { projectCreate } from '../../../src/operations/projects/project-create.js'
import { formSession } from '../../support/forms.js'
import { testService } from '../../support/service.js'

t.test('states of lists and papers', async t => {
  const service = await testService(t)
  const user = await service.user()
  const { get } = await formSession(service.app, user)

  await t.test('an empty filter says nothing about the first fetch', async t => {
    const sources = [{ name: 'arxiv' as const, query: '' }]
    const { id } = await projectCreate.run(user.context, { name: 'New', interest_description: 'Sleep', sources })
    t.match((await get(`/projects/${id}`)).body, /class="fetch-progress"/)
    for (const part of ['filter=starred', 'link=followed', 'q=spindles']) {
      const { body } = await get(`/projects/${id}?${part}`)
      t.match(body, /No papers match this filter|Nothing in this feed matches/, part)
      t.notMatch(body, /class="fetch-progress"/, part)
    }
  })
})
