import t from 'tap'
import { mergePapers } from '../../db/queries/papers-merge.js'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { paperConvert } from '../../src/operations/papers/paper-convert.js'
import { paperMarkdown } from '../../src/operations/papers/paper-markdown.js'
import type { ServiceContext } from '../../src/operations/context.js'
import { projectWith, testService } from '../support/service.js'
import { storeUpload } from '../support/uploads.js'

t.test('converts an upload for the merged paper after a concurrent merge', async t => {
  const service = await testService(t)
  const { db, fulltext } = service.context
  const converted = { markdown: '# Mine', converter: 'test', warnings: [], pages: 1 }
  /** Converts by doing something else meanwhile. */
  const meanwhile = (run: () => Promise<unknown>): ServiceContext => ({
    ...service.context,
    fulltext: {
      ...fulltext,
      convertPdf: async () => {
        await run()
        return converted
      }
    }
  })

  for (const moment of ['before it is looked for', 'while it is converted'] as const) {
    const user = await service.user()
    const project_id = await projectWith(user, [{ title: 'Kept' }, { title: 'Gone' }])
    const { items } = await feedGet.run(user.context, { project_id })
    const [kept, gone] = ['Kept', 'Gone'].map(title => items.find(({ paper_title }) => paper_title === title)!.paper.id) as [string, string]
    const uploaded_by = user.context.account.id
    await storeUpload(db, { account_id: uploaded_by, paper_id: gone, bytes: Buffer.from('%PDF-') })
    const merge = async () => await db.transaction().execute(async transaction => await mergePapers(transaction, kept, gone))
    if (moment === 'before it is looked for') await merge()
    await t.rejects(paperConvert.run(meanwhile(merge), { paper_id: gone, uploaded_by }), { message: /was merged with another/ }, moment)
    t.match(await paperConvert.run(meanwhile(async () => {}), { paper_id: kept, uploaded_by }), { origin: 'upload' })
    t.match(await paperMarkdown.run(user.context, { paper_id: gone }), { status: 'ready', markdown: '# Mine' })
  }
})
