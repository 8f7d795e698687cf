import t from 'tap'
import { sql } from 'kysely'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { feedbackSet } from '../../src/operations/feed/feedback-set.js'
import { paperGet } from '../../src/operations/papers/paper-get.js'
import { projectPaperGet } from '../../src/operations/papers/project-paper-get.js'
import { addPapers, projectWith, testService } from '../support/service.js'

t.test('a reference', async t => {
  const service = await testService(t)
  const user = await service.user()
  const { context } = user
  const project_id = await projectWith(user, [{ title: 'One', doi: '10.5555/one' }, { title: 'Two', doi: '10.5555/two' }])
  const { items } = await feedGet.run(context, { project_id })
  const [item, other] = ['One', 'Two'].map(title => items.find(({ paper_title }) => paper_title === title))
  const forms = {
    'paper UUID': item!.paper.id,
    'paper short_id': item!.paper.short_id,
    'feed-item UUID': item!.id,
    'feed-item short_id': item!.short_id
  }

  for (const [form, reference] of Object.entries(forms)) {
    t.test(`may be the ${form}, in any case`, async t => {
      for (const written of [reference, reference.toUpperCase(), ` ${reference} `]) {
        const paper = await paperGet.run(context, { paper_id: written })
        t.equal(paper.id, item!.paper.id)
        t.strictSame(paper.projects, [{ project_id, feed_item_id: item!.id }])
      }
    })
  }

  t.test('to a missing or foreign paper is paper_not_found', async t => {
    const stranger = await service.user()
    for (const paper_id of ['00000000', '0b54c2ab-6f2e-4d6c-9d0f-3a8f5b1f7a11']) {
      await t.rejects(paperGet.run(context, { paper_id }), { code: 'paper_not_found' })
    }
    for (const paper_id of ['nonsense', '']) {
      await t.rejects(paperGet.run(context, { paper_id }), { code: paper_id === '' ? 'invalid_arguments' : 'paper_not_found' })
    }
    for (const paper_id of Object.values(forms)) await t.rejects(paperGet.run(stranger.context, { paper_id }), { code: 'paper_not_found' })
  })

  t.test('of 8 characters shared by several papers is ambiguous and lists them', async t => {
    const twin = item!.paper.id.slice(0, 8) + other!.paper.id.slice(8)
    await sql`insert into paper (id, account_id, slug, title, authors, source_name, metadata, title_key)
      values (${twin}, ${context.account.id}, 's', 'Twin', '[]', 'x', '{}', 'k')`.execute(context.db)
    await sql`insert into project_paper (project_id, paper_id, relevance_score, relevance_class)
      values (${project_id}, ${twin}, 0, 'related')`.execute(context.db)
    await t.rejects(paperGet.run(context, { paper_id: item!.paper.short_id }), {
      code: 'ambiguous_short_id',
      message: new RegExp(`${[twin, item!.paper.id].sort().join(', ')}`)
    })
    t.equal((await paperGet.run(context, { paper_id: twin })).title, 'Twin')
  })

  t.test('shared by a paper and its feed item is not ambiguous', async t => {
    const { id, paper } = other!
    const same = paper.id.slice(0, 8) + id.slice(8)
    await sql`update project_paper set id = ${same} where id = ${id}`.execute(context.db)
    t.equal((await paperGet.run(context, { paper_id: paper.short_id })).id, paper.id)
    t.equal((await projectPaperGet.run(context, { ref: paper.short_id })).id, same)
  })

  t.test('to a paper means its feed item if it is in one feed only', async t => {
    t.equal((await feedbackSet.run(context, { paper_id: item!.paper.id, vote: 'star' })).item.feedback?.vote, 'star')
    const second = await projectWith(user, [])
    await addPapers(context, second, [{ title: 'One', doi: '10.5555/one' }])
    await t.rejects(feedbackSet.run(context, { paper_id: item!.paper.id, vote: 'star' }), {
      code: 'ambiguous_reference',
      message: new RegExp(item!.id)
    })
    t.equal((await paperGet.run(context, { paper_id: item!.paper.id })).projects.length, 2)
  })
})
