import t from 'tap'
import { saveMarkdown } from '../../../db/queries/markdown.js'
import { renderInWorker } from '../../../src/adapters/web/markdown/renderer.js'
import { feedGet } from '../../../src/operations/feed/feed-get.js'
import { formSession } from '../../support/forms.js'
import { projectWith, testService, type TestUser } from '../../support/service.js'

t.test('long texts of several accounts leave a thread for others', async t => {
  const ended: string[] = []
  const render = async (owner: string, text: string) => {
    await renderInWorker(text, '', { owner, timeoutMs: 60_000 })
    ended.push(owner)
  }
  const long = ['one', 'two', 'three'].map(owner => render(owner, `${'*slow* '.repeat(80_000)}${owner}`))
  await render('other', '*quick*')
  t.strictSame(ended, ['other'])
  await Promise.all(long)
})

t.test('a source that is too long to format fits on a page', async t => {
  const service = await testService(t)
  const user = await service.user()
  const project_id = await projectWith(user, [{ title: 'A paper of ampersands' }])
  const { items: [item] } = await feedGet.run(user.context, { project_id })
  await saveMarkdown(service.context.db, { paper_id: item!.paper.id, markdown: '&'.repeat(1_900_000), origin: 'jats', converter: 'test' })
  const session = await formSession(service.app, user)
  t.match(await session.get(`/papers/${item!.paper.id}`), { statusCode: 200, body: /takes too long to format.*only the beginning|only the beginning.*takes too long to format/s })
})

t.test('full texts that take long to format delay no page of another account', async t => {
  const service = await testService(t)
  const open = async (user: TestUser, texts: readonly string[]) => {
    const project_id = await projectWith(user, texts.map((_, at) => ({ title: `Paper ${at} of ${user.email}` })))
    const { items } = await feedGet.run(user.context, { project_id })
    for (const [at, { paper }] of items.entries()) {
      await saveMarkdown(service.context.db, {
        paper_id: paper.id, account_id: null, markdown: texts[at]!, origin: 'jats', converter: 'test', warnings: []
      })
    }
    const session = await formSession(service.app, user)
    return () => items.map(async ({ paper }) => await session.get(`/papers/${paper.id}`))
  }
  const [busy, other] = [await service.user(), await service.user()]
  const openMany = await open(busy, Array.from({ length: 4 }, (_, at) => `${'*slow* '.repeat(80_000)}${at}`))
  const openOne = await open(other, ['*quick*'])

  let formatted = 0
  const many = openMany().map(async page => {
    // Two of the four are shown unformatted at once.
    if (!(await page).body.includes('Too many texts are being formatted')) formatted++
  })
  const [page] = await Promise.all(openOne())
  t.match(page, { statusCode: 200, body: /<em>quick<\/em>/ })
  t.ok(formatted < 2, `${formatted} texts of the busy account were formatted before`)
  await Promise.all(many)
})
