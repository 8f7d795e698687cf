import { tasks } from '../../src/adapters/jobs/tasks.js'
import { libraryImport } from '../../src/operations/papers/library-import.js'
import type { TestService, TestUser } from './service.js'
import { withReceivedFile } from './uploads.js'

/** Sends a file to import, without running its job. */
export const sendLibrary = async (
  user: TestUser,
  project_id: string,
  content: string | Buffer,
  { name = 'library.ris', vote }: { name?: string, vote?: 'none' | 'upvote' } = {}
) =>
  await withReceivedFile(
    user.context,
    Buffer.from(content),
    async file => await libraryImport.run(user.context, { project_id, vote, file: Object.assign(file, { sentName: name }) })
  )

/** Runs the next import of the queue as a worker does. @returns its result or error */
export async function runNextImport ({ context }: TestService) {
  const task = tasks.find(each => each.task === 'import-library')!
  const job = (await context.queue.claim('import-library'))!
  try {
    const result = await task.run({ ...context, signal: new AbortController().signal }, job)
    await context.queue.complete(job, result)
    return result
  } catch (error) {
    await context.queue.fail(job, error as Error, task)
    return error as Error
  }
}

/** A file of records with these titles, by one author and of one year. */
export const ris = (...titles: string[]): string =>
  titles.map(title => `TY  - JOUR\nTI  - ${title}\nAU  - Moser, M.\nPY  - 2024\nER  -\n`).join('')
