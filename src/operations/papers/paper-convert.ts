import { Type } from 'typebox'
import type { Db } from '../../../db/connection.js'
import { findMarkdown } from '../../../db/queries/markdown.js'
import { isTextQuotaFull, saveOriginText, saveUploadedText } from '../../../db/queries/origin-texts.js'
import { abandonUpload, findUpload, readUploadParts, withdrawUpload } from '../../../db/queries/uploads.js'
import { findConversionInput, isMergedPaper } from '../../../db/queries/papers.js'
import { type ConverterResult, ConverterStopped, NotConvertible } from '../../fulltext/converter-result.js'
import { DiskFull } from '../../files/temporary-files.js'
import { origins } from '../../fulltext/origins/index.js'
import type { StoredText } from '../../fulltext/read-text.js'
import { OriginUnavailable } from '../../fulltext/origins/origin.js'
import { divideText } from '../../fulltext/parts/divide.js'
import { textQuotaFull, uploadTextQuotaFull } from '../../fulltext/text-quota.js'
import { HttpError, type HttpFault } from '../../http/client.js'
import { SourceError } from '../../sources/source.js'
import { PaperNotFound } from '../../errors/operation-errors.js'
import { reclaimSpace } from '../../imports/reclaim-space.js'
import { JobFailure, PermanentFailure } from '../../jobs/failures.js'
import type { ServiceContext } from '../context.js'
import { operation } from '../operation.js'

const ConvertInput = Type.Object({
  paper_id: Type.String({ format: 'uuid' }),
  uploaded_by: Type.Union([
    Type.String({ format: 'uuid' }),
    Type.Null()
  ], { description: 'Account whose uploaded PDF to convert; null: a document from a full-text origin.' })
}, { additionalProperties: false })
const ConvertResult = Type.Object({
  origin: Type.String(),
  converter: Type.String(),
  characters: Type.Integer(),
  warnings: Type.Array(Type.String())
})

/**
 * Converts a paper from the best full-text origin that has it, or from an upload, to Markdown. Texts of papers that an account owns count
 * towards its quota.
 * @throws PermanentFailure if no origin has a readable document, or the quota is full; another error if a retry may succeed
 */
export const paperConvert = operation({
  name: 'paper_convert',
  title: 'Convert a paper',
  description: 'Converts a paper\'s full text to Markdown.',
  input: ConvertInput,
  output: ConvertResult,
  async handler (context: ServiceContext, { paper_id, uploaded_by }) {
    try {
      return await convert(context, paper_id, uploaded_by)
    } catch (error) {
      // The merge moved the job and the upload to the other paper.
      if (await isMergedPaper(context.db, paper_id)) {
        throw new JobFailure('The paper was merged with another; the next attempt converts that one.', { cause: error })
      }
      throw error
    }
  }
})

async function convert (context: ServiceContext, paper_id: string, uploaded_by: string | null) {
  const { origin, converted: { markdown, converter, warnings }, input, stored } = uploaded_by === null
    ? await fromOrigins(context, paper_id)
    : await fromUpload(context, paper_id, uploaded_by)
  if (uploaded_by === null) {
    const division = await divideText(markdown)
    const text = { paper_id, markdown, origin, converter, warnings, division }
    const isSaved = await saveOriginText(context.db, text, context.uploadQuotaBytes)
    if (!isSaved) throw new PermanentFailure(textQuotaFull)
  } else if (stored === undefined) {
    const division = await divideText(markdown)
    const isSaved = await context.db.transaction().execute(async transaction => {
      // A newer upload has a job of its own, which may have ended before.
      if (await input?.withdraw(transaction) === false) throw new PermanentFailure('A newer PDF replaced this one.')
      const text = { paper_id, account_id: uploaded_by, markdown, origin, converter, warnings, division }
      return await saveUploadedText(transaction, text, context.uploadQuotaBytes + (input?.bytes ?? 0))
    })
    await input?.delete()
    if (!isSaved) throw new PermanentFailure(uploadTextQuotaFull)
  }
  if (uploaded_by !== null) await reclaimSpace(context, 'pdf')
  return { origin, converter, characters: stored?.characters ?? markdown.length, warnings }
}

/** A record may supply the address, so messages do not contain its host. */
const faultMessages: Readonly<Record<HttpFault, string>> = {
  refused: 'its address cannot be fetched.',
  unreachable: 'the server cannot be reached.',
  timeout: 'the server did not respond in time.',
  too_large: 'the document is too large.',
  fragmented: 'the server sent the document in too many small pieces.'
}

interface Conversion {
  origin: string
  converted: ConverterResult
  /** The converted upload. */
  input?: ConvertedUpload
  /** Set if it is already saved; `converted` has its first part then. */
  stored?: Pick<StoredText, 'characters'>
}

interface ConvertedUpload {
  bytes: number
  /** False if a newer upload replaced it. */
  withdraw: (db: Db) => Promise<boolean>
  /** Deletes it after it was withdrawn. */
  delete: () => Promise<void>
}

async function fromUpload ({ db, files, fulltext, log, signal }: ServiceContext, paperId: string, accountId: string): Promise<Conversion> {
  const upload = await findUpload(db, accountId, paperId)
  if (upload === undefined) {
    // An earlier attempt may have saved it before its process stopped.
    const saved = await findMarkdown(db, accountId, paperId)
    if (saved?.origin !== 'upload') throw new PermanentFailure('The uploaded PDF no longer exists.')
    return {
      origin: 'upload',
      converted: { markdown: saved.markdown, converter: saved.converter, warnings: saved.warnings, pages: null },
      stored: saved
    }
  }
  const input: ConvertedUpload = {
    bytes: upload.size_bytes,
    withdraw: transaction => withdrawUpload(transaction, accountId, paperId, upload.created_at),
    delete: () => abandonUpload(db, accountId, upload.id)
  }
  const file = await files.create(upload.size_bytes)
  try {
    for await (const bytes of readUploadParts(db, accountId, upload.id)) await file.append(bytes)
    if (file.size < upload.size_bytes) throw new JobFailure('The PDF was replaced or deleted while it was read.')
    return { origin: 'upload', converted: await fulltext.convertPdf(file, signal), input }
  } catch (error) {
    if (!(error instanceof NotConvertible)) throw error
    // A retry cannot read a PDF that is unreadable now.
    await input.withdraw(db)
    await input.delete()
    await reclaimSpace({ db, log }, 'pdf')
    throw new PermanentFailure(error.message, { cause: error })
  } finally {
    await file.remove()
  }
}

async function fromOrigins (context: ServiceContext, paperId: string): Promise<Conversion> {
  const { db, files, fulltext, log, signal, uploadQuotaBytes } = context
  const paper = await findConversionInput(db, paperId)
  if (paper === undefined) throw new PaperNotFound(paperId)
  if (await isTextQuotaFull(db, paperId, uploadQuotaBytes)) throw new PermanentFailure(textQuotaFull)
  const reasons: string[] = []
  let mayRetry = false
  for (const origin of origins.filter(origin => origin.mayHave(paper))) {
    try {
      const converted = await origin.get(fulltext.originContext(files, signal), paper)
      if (converted !== null) return { origin: origin.name, converted }
      reasons.push(`${origin.title} does not have it.`)
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof DiskFull) throw new JobFailure('The disk of the service is nearly full.', { cause: error })
      const refused = error instanceof HttpError && ['refused', 'too_large', 'fragmented'].includes(error.fault)
      const isOrigins = error instanceof OriginUnavailable || error instanceof SourceError
      const isExpected = isOrigins || error instanceof NotConvertible || error instanceof ConverterStopped
      if (!(isExpected || error instanceof HttpError)) throw error
      log.info({ err: error, origin: origin.name }, 'A full-text origin failed.')
      reasons.push(`${origin.title}: ${error instanceof HttpError ? faultMessages[error.fault] : error.message}`)
      mayRetry ||= !(error instanceof NotConvertible || refused)
    }
  }
  const message = reasons.length === 0 ? 'No full-text origin is known.' : reasons.join(' ')
  throw mayRetry ? new JobFailure(message) : new PermanentFailure(message)
}
