import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { papersImport } from '../../src/operations/papers/papers-import.js'
import type { TestService } from './service.js'

/** A new user, and functions that write files, import them and list the titles of a feed. */
export async function importingUser (t: Test, service: TestService) {
  const user = await service.user()
  const { context } = user
  const folder = t.testdir()
  let files = 0
  const file = (content: string | Buffer) => {
    const path = join(folder, `file${++files}`)
    writeFileSync(path, content)
    return path
  }
  const lines = (...records: object[]) => file(records.map(each => JSON.stringify(each)).join('\n'))
  const into = async (project_id: string, ...paths: string[]) => await papersImport.run(context, { project_id, files: paths })
  const titles = async (project_id: string) =>
    (await feedGet.run(context, { project_id, limit: 100 })).items.map(({ paper_title }) => paper_title).sort()
  return { user, context, folder, file, lines, into, titles }
}
