import { Type } from 'typebox'
import type { Db } from '../../../db/connection.js'
import { deleteUpload, findMarkdown, findUpload, saveMarkdown } from '../../../db/queries/markdown.js'
import { findConversionInput, isMergedPaper } from '../../../db/queries/papers.js'
import { type Converted, NotConvertible } from '../../fulltext/converted.js'
import { origins } from '../../fulltext/origins/index.js'
import { TryLater } from '../../fulltext/origins/origin.js'
import { HttpError } from '../../http/client.js'
import { SourceError } from '../../sources/source.js'
import { PaperNotFound } from '../../errors/operation-errors.js'
import { PermanentFailure } from '../../jobs/failures.js'
import type { ServiceContext } from '../context.js'
import { operation } from '../operation.js'

export interface ConvertContext extends ServiceContext { signal?: AbortSignal }

const ConvertInput = Type.Object({
  paper_id: Type.String({ format: 'uuid' }),
  uploaded_by: Type.Union([Type.String({ format: 'uuid' }), Type.Null()], { description: 'Whose uploaded PDF is meant; null: what the paper\'s sources have.' })
}, { additionalProperties: false })
const ConvertResult = Type.Object({ origin: Type.String(), converter: Type.String(), characters: Type.Integer(), warnings: Type.Array(Type.String()) })

/**
 * Makes a paper's Markdown from the best origin that has it, or from an upload. @throws PermanentFailure where none has it or none can be
 * read; another error where a later try may succeed
 */
export const paperConvert = operation({
  name: 'paper_convert',
  title: 'Convert a paper',
  description: 'Makes a paper\'s full text as Markdown.',
  input: ConvertInput,
  output: ConvertResult,
  async handler (context: ConvertContext, { paper_id, uploaded_by }) {
    try {
      return await convert(context, paper_id, uploaded_by)
    } catch (error) {
      // The job has gone over to that one, and with it what was uploaded.
      if (await isMergedPaper(context.db, paper_id)) throw new Error('The paper has become part of another, which the next try is about.', { cause: error })
      throw error
    }
  }
})

async function convert (context: ConvertContext, paper_id: string, uploaded_by: string | null) {
  const { origin, converted: { markdown, converter, warnings }, done, stored } = uploaded_by === null ? await fromOrigins(context, paper_id) : await fromUpload(context, paper_id, uploaded_by)
  if (stored !== true) {
    await context.db.transaction().execute(async transaction => {
      // What was uploaded meanwhile has a job of its own, which may have ended before.
      if (await done?.(transaction) === false) throw new PermanentFailure('Another PDF was uploaded in its place.')
      await saveMarkdown(transaction, { paper_id, account_id: uploaded_by, markdown, origin, converter, warnings })
    })
  }
  return { origin, converter, characters: markdown.length, warnings }
}

interface Made {
  origin: string
  converted: Converted
  /** Puts away what it was made of, and says whether that is still wanted. */
  done?: (db: Db) => Promise<boolean>
  /** Whether it is kept already. */
  stored?: true
}

async function fromUpload ({ db, fulltext, signal }: ConvertContext, paperId: string, accountId: string): Promise<Made> {
  const upload = await findUpload(db, accountId, paperId)
  if (upload === undefined) {
    // An earlier try may have made it, whose process ended before it could say so.
    const made = await findMarkdown(db, accountId, paperId)
    if (made?.origin !== 'upload') throw new PermanentFailure('The uploaded PDF is not there any more.')
    return { origin: 'upload', converted: { markdown: made.markdown, converter: made.converter, warnings: made.warnings, pages: null }, stored: true }
  }
  const done = (transaction: Db) => deleteUpload(transaction, accountId, paperId, upload.created_at)
  try {
    return { origin: 'upload', converted: await fulltext.convertPdf(upload.bytes, signal), done }
  } catch (error) {
    if (!(error instanceof NotConvertible)) throw error
    // A PDF that cannot be read now cannot be read later.
    await done(db)
    throw new PermanentFailure(error.message, { cause: error })
  }
}

async function fromOrigins ({ db, fulltext, signal }: ConvertContext, paperId: string): Promise<Made> {
  const paper = await findConversionInput(db, paperId)
  if (paper === undefined) throw new PaperNotFound(paperId)
  const reasons: string[] = []
  let later = false
  for (const origin of origins.filter(origin => origin.mayHave(paper))) {
    try {
      const converted = await origin.get(fulltext.originContext(signal), paper)
      if (converted !== null) return { origin: origin.name, converted }
      reasons.push(`${origin.title} does not have it.`)
    } catch (error) {
      signal?.throwIfAborted()
      const refused = error instanceof HttpError && (error.fault === 'refused' || error.fault === 'too_large')
      if (!(error instanceof NotConvertible || error instanceof TryLater || error instanceof HttpError || error instanceof SourceError)) throw error
      reasons.push(`${origin.title}: ${error.message}`)
      later ||= !(error instanceof NotConvertible || refused)
    }
  }
  const message = reasons.length === 0 ? 'No source of full text is known.' : reasons.join(' ')
  throw later ? new Error(message) : new PermanentFailure(message)
}
