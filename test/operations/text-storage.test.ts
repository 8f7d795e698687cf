import t from 'tap'
import { saveMarkdown } from '../../db/queries/markdown.js'
import { dayMs } from '../../schemas/durations.js'
import { maintenance } from '../../src/operations/administration/maintenance.js'
import { paperMarkdown } from '../../src/operations/papers/paper-markdown.js'
import { projectWith, testService } from '../support/service.js'

t.test('shared full texts beyond TEXT_STORAGE', async t => {
  const service = await testService(t)
  const { context: { db } } = service
  const user = await service.user()
  const titles = ['Oldest', 'Read again', 'Newest', 'Private']
  await projectWith(user, titles.map((title, at) => ({ title, pdf_url: `https://example.org/${at}.pdf` })))
  const papers = new Map((await db.selectFrom('paper').select(['id', 'title']).execute()).map(({ id, title }) => [title, id]))
  const days = { Oldest: 40, 'Read again': 30, Newest: 20, Private: 50 }
  for (const [title, age] of Object.entries(days)) {
    const paper_id = papers.get(title)!
    const account_id = title === 'Private' ? user.context.account.id : null
    await saveMarkdown(db, { paper_id, account_id, markdown: 'é'.repeat(500) })
    await db.updateTable('markdown').set({ read_at: new Date(Date.now() - age * dayMs) }).where('paper_id', '=', paper_id).execute()
  }
  const titlesLeft = async () =>
    (await db.selectFrom('markdown').innerJoin('paper', 'paper.id', 'markdown.paper_id').select('title').orderBy('title').execute())
      .map(({ title }) => title)

  await t.test('stay while they fit, in bytes', async t => {
    await maintenance.run({ ...service.context, sharedTextBytes: 3000 }, {})
    t.same(await titlesLeft(), ['Newest', 'Oldest', 'Private', 'Read again'])
  })

  await t.test('stay without a limit', async t => {
    await maintenance.run({ ...service.context, sharedTextBytes: undefined }, {})
    t.notOk(service.logged.some(line => line.includes('A maintenance step failed')))
    t.equal((await titlesLeft()).length, 4)
  })

  await t.test('are deleted from the one that nobody has read for longest; texts of one account stay', async t => {
    t.match(await paperMarkdown.run(user.context, { paper_id: papers.get('Read again')!, outline: true }), { status: 'ready' })
    await maintenance.run({ ...service.context, sharedTextBytes: 2000 }, {})
    t.same(await titlesLeft(), ['Newest', 'Private', 'Read again'])
    await maintenance.run({ ...service.context, sharedTextBytes: 1000 }, {})
    t.same(await titlesLeft(), ['Private', 'Read again'])
  })

  await t.test('are converted again when somebody asks', async t => {
    t.match(await paperMarkdown.run(user.context, { paper_id: papers.get('Newest')! }), { status: 'queued', created: true })
  })
})
