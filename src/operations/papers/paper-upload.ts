import { Type } from 'typebox'
import {
  abandonUpload,
  addUploadPart,
  beginUpload,
  completeUpload,
  findUploadPaper,
  type UploadUsage,
  uploadPartBytes
} from '../../../db/queries/uploads.js'
import { PaperReference } from '../../../schemas/ids.js'
import { mebibytes } from '../../../schemas/mebibytes.js'
import { JobQueued } from '../../../schemas/job.js'
import { ReceivedFile } from '../../../schemas/received-file.js'
import { maxDocumentBytes } from '../../fulltext/limits.js'
import { InvalidArguments, QuotaExceeded } from '../../errors/operation-errors.js'
import type { Context } from '../context.js'
import { isLimited } from '../key-access.js'
import { operation } from '../operation.js'
import { convertUploadJob, maxWaitingConversions } from '../../jobs/new-jobs.js'
import { resolvePaperId } from '../../papers/references.js'

const PaperUploadInput = Type.Object({
  paper_id: PaperReference,
  pdf: Type.Unsafe<ReceivedFile>({
    maxBytes: maxDocumentBytes,
    description: `The PDF, as a body of type application/pdf, at most ${mebibytes(maxDocumentBytes)}.`
  })
}, { additionalProperties: false })

/** A PDF may have other bytes before its header. Source: ISO 32000-1, annex H, implementation note 13. */
const maxHeaderOffsetBytes = 1024

/**
 * Stores a PDF and queues its conversion. Only its uploader sees the text, in place of the text from a full-text origin.
 * @throws PaperNotFound, AmbiguousShortId, InvalidArguments, QuotaExceeded, RateLimited while too many conversions wait
 */
export const paperUpload = operation({
  name: 'paper_upload',
  title: 'Upload a PDF',
  description: 'Uploads your own PDF of a paper and queues its conversion to Markdown. Only you see its text.',
  input: PaperUploadInput,
  output: JobQueued,
  scope: 'act',
  async handler (context, { paper_id, pdf }) {
    const id = await resolvePaperId(context, paper_id)
    if (!(await pdf.readStart(maxHeaderOffsetBytes)).includes('%PDF-')) {
      throw new InvalidArguments(`The body is not a PDF: its first ${maxHeaderOffsetBytes} bytes do not contain %PDF-. Send a PDF file.`, {
        userMessage: 'This file is not a PDF. Choose another one.'
      })
    }
    await context.queue.requireQueueCapacity('convert-markdown', context.account.id, maxWaitingConversions)
    const job = await storeAndEnqueue(context, id, pdf)
    return { job_id: job.id, created: job.created }
  }
})

/**
 * Stores a file part by part, each in a statement of its own: other requests of the embedded database run in between. It is complete in
 * the same transaction as its job is enqueued, so that none of them is ever without the other.
 */
async function storeAndEnqueue ({ db, account, key, queue, trace, uploadQuotaBytes }: Context, paperId: string, file: ReceivedFile) {
  const begun = await beginUpload(db, {
    account_id: account.id,
    paper_id: paperId,
    size_bytes: file.size,
    maxAccountBytes: uploadQuotaBytes
  })
  if ('usage' in begun) {
    throw isLimited({ key }) ? accountFull(file.size) : quotaExceeded(begun.usage, file.size, uploadQuotaBytes)
  }
  try {
    let ordinal = 0
    for await (const bytes of file.parts(uploadPartBytes)) {
      await addUploadPart(db, account.id, { fileId: begun.id, ordinal: ordinal++, bytes })
    }
    let replacedIds: string[] = []
    const paper_id = await findUploadPaper(db, account.id, begun.id)
    const job = await queue.enqueue(convertUploadJob({ id: begun.id, paper_id, account_id: account.id }), {
      trace,
      maxWaiting: maxWaitingConversions,
      isWanted: async transaction => {
        replacedIds = (await completeUpload(transaction, account.id, begun.id)).replacedIds
        return true
      }
    })
    // If it fails, maintenance deletes what is left.
    for (const id of replacedIds) await abandonUpload(db, account.id, id).catch(() => {})
    return job
  } catch (cause) {
    // A database that is not writable keeps what was stored, until maintenance deletes it.
    await abandonUpload(db, account.id, begun.id).catch(() => {})
    throw cause
  }
}

/** Names no totals of the account, which a key for some projects must not learn. */
function accountFull (size: number): QuotaExceeded {
  const usage = `This PDF is ${mebibytes(size)}, and your account has less space left for uploads.`
  return new QuotaExceeded(`${usage} Upload it again later, upload a smaller PDF, or ask the operator to raise UPLOAD_QUOTA.`, {
    userMessage: `${usage} Upload it again later, upload a smaller PDF, or ask your administrator for more space.`
  })
}

function quotaExceeded ({ pendingBytes, importBytes, textBytes }: UploadUsage, size: number, quotaBytes: number): QuotaExceeded {
  const usage = `This PDF is ${mebibytes(size)}. Of your ${mebibytes(quotaBytes)}, PDFs waiting for conversion use ` +
    `${mebibytes(pendingBytes)}${importBytes > 0 ? `, files waiting for import use ${mebibytes(importBytes)}` : ''} ` +
    `and texts of your uploads and imported papers use ${mebibytes(textBytes)}.`
  const next = pendingBytes > 0 ? 'Wait until they are converted, then upload again' : 'Upload a smaller PDF'
  const progress = pendingBytes > 0 ? ' (GET /api/jobs shows the progress)' : ''
  return new QuotaExceeded(`${usage} ${next}${progress}, or ask the operator to raise UPLOAD_QUOTA.`, {
    userMessage: `${usage} ${next}, or ask your administrator for more space.`
  })
}
