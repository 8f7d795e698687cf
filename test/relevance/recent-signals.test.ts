import t from 'tap'
import type { KyselyPlugin } from 'kysely'
import { feedbackSet } from '../../src/operations/feed/feedback-set.js'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { recentSignalReader } from '../../src/relevance/signals.js'
import { projectWith, testService } from '../support/service.js'

t.test('the liked papers of a project are read once for a batch of single papers', async t => {
  const service = await testService(t)
  const user = await service.user()
  const { context, context: { db } } = user
  const papers = [{ title: 'Liked', doi: '10.5555/liked' }, { title: 'Another', doi: '10.5555/another' }]
  const projectId = await projectWith(user, papers)
  const { items } = await feedGet.run(context, { project_id: projectId })
  await feedbackSet.run(context, { paper_id: items[0]!.id, vote: 'upvote' })
  let statements = 0
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult ({ result }) {
      statements++
      return result
    }
  }
  const counted = db.withPlugin(counting)
  const other = [{ paper_id: items[1]!.paper.id }]
  const read = async () => await (await recentSignalReader(counted, context.account.id, projectId)).ofPapers(other)
  const failing = db.withPlugin({ ...counting, transformQuery () { throw new Error('No answer.') } })
  await t.rejects(recentSignalReader(failing, context.account.id, projectId), /No answer/)
  t.equal((await read()).length, 1)
  t.equal(statements, 5, 'follows, the order of an index, liked papers, their references, references of the paper')
  await Promise.all([read(), read(), read()])
  t.equal(statements, 5 + 3 * 2, 'the liked papers are known')
})
