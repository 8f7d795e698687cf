import { ExamplesAddInput, LibraryImportQueued } from '../../../schemas/library-import.js'
import { ReceivedFile } from '../../../schemas/received-file.js'
import type { Context } from '../context.js'
import { operation } from '../operation.js'
import { libraryImport } from './library-import.js'
import { listOf } from '../../imports/paper-list.js'

/** @throws ProjectNotFound, QuotaExceeded, RateLimited */
export const examplesAdd = operation({
  name: 'examples_add',
  title: 'Add example papers',
  description: 'Looks papers up by their identifiers or titles, adds them to a project and, by default, upvotes them. It runs as an ' +
    'import: its result says which papers were not found and why, and it can be undone.',
  input: ExamplesAddInput,
  output: LibraryImportQueued,
  scope: 'act',
  handler: (context, { project_id, papers, vote = 'upvote' }) => importListed(context, project_id, { name: 'Listed papers', papers, vote })
})

/** Queues an import of papers that a person names. */
export const importListed = async (
  context: Context,
  project_id: string,
  { name, papers, vote }: { name: string, papers: readonly string[], vote: 'none' | 'upvote' }
) => await libraryImport.run(context, { project_id, file: new PaperListFile(name, papers), vote })

/** A list of papers, as a file. */
class PaperListFile extends ReceivedFile {
  readonly path = ''
  readonly #bytes: Buffer

  constructor (name: string, papers: readonly string[]) {
    super()
    this.#bytes = Buffer.from(listOf(papers))
    this.sentName = name
  }

  get size (): number { return this.#bytes.length }

  async readStart (bytes: number): Promise<Buffer> { return this.#bytes.subarray(0, bytes) }

  async * parts (bytes: number): AsyncIterable<Buffer> {
    for (let at = 0; at < this.size; at += bytes) yield this.#bytes.subarray(at, at + bytes)
  }
}
