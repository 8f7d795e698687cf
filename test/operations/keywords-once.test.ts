import t from 'tap'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { projectScore } from '../../src/operations/projects/project-score.js'
import { projectUpdate } from '../../src/operations/projects/project-update.js'
import { projectsGet } from '../../src/operations/projects/projects-get.js'
import { projectWith, testService } from '../support/service.js'

t.test('what scores are of', async t => {
  const service = await testService(t)
  const user = await service.user()
  const { context } = user

  await t.test('a keyword in several spellings counts once', async t => {
    const project_id = await projectWith(user, [], { name: 'Once', positive_keywords: ['sleep', ' sleep ', 'Sleep', 'REM sleep'] })
    const keywords = async () => (await projectsGet.run(context, { project_id })).positive_keywords
    t.strictSame(await keywords(), ['sleep', 'REM sleep'])
    await projectUpdate.run(context, { project_id, positive_keywords: ['ÉTUDE', 'étude', 'memory'] })
    t.strictSame(await keywords(), ['ÉTUDE', 'memory'])
  })

  await t.test('words that papers of any subject use explain nothing beside others', async t => {
    const interest = { name: 'Like', interest_description: 'depressive-like behaviour of rats' }
    const project_id = await projectWith(user, [{ title: 'Rats behave like this' }, { title: 'Stars like our sun' }], interest)
    await projectScore.run(context, { project_id })
    const { items } = await feedGet.run(context, { project_id })
    const note = (title: string) => items.find(({ paper_title }) => paper_title === title)!.personalized_note ?? ''
    t.match(note('Rats behave like this'), /rats/i)
    t.notMatch(note('Rats behave like this'), /like/)
  })

  await t.test('a rounded score reaches no threshold that the score does not', async t => {
    const project_id = await projectWith(user, [{ title: 'One' }, { title: 'Two' }, { title: 'Three' }], { name: 'Rounded' })
    for (const [title, score] of [['One', 0.599952], ['Two', 0.6], ['Three', 0.57]] as const) {
      await context.db.updateTable('project_paper').set({ relevance_score: score }).where('project_id', '=', project_id)
        .where('paper_id', 'in', ({ selectFrom }) => selectFrom('paper').select('id').where('title', '=', title)).execute()
    }
    const { items } = await feedGet.run(context, { project_id, detail: 'brief', sort: 'relevance' })
    t.strictSame(items.map(({ relevance_score }) => relevance_score), [0.6, 0.59, 0.57])
  })
})
