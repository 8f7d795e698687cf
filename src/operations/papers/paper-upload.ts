import { Type } from 'typebox'
import { saveUpload } from '../../../db/queries/markdown.js'
import { PaperReference } from '../../../schemas/ids.js'
import { JobQueued } from '../../../schemas/project.js'
import { maxDocumentBytes } from '../../fulltext/converted.js'
import { InvalidArguments } from '../../errors/operation-errors.js'
import { operation } from '../operation.js'
import { convertUploadJob } from '../../jobs/new-jobs.js'
import { paperIdOf } from '../../papers/references.js'

const PaperUploadInput = Type.Object({
  paper_id: PaperReference,
  pdf: Type.Unsafe<Buffer>({ maxBytes: maxDocumentBytes, description: `The PDF, as the body with the type application/pdf; ${maxDocumentBytes / 1024 / 1024} MB at most.` })
}, { additionalProperties: false })

/** A PDF may have something before its header. Source: ISO 32000-1, annex H, implementation note 13. */
const headBytes = 1024

/**
 * Takes a PDF for a paper, whose text only its uploader reads. It takes the place of what was made from a source, for them.
 * @throws PaperNotFound, AmbiguousShortId, InvalidArguments
 */
export const paperUpload = operation({
  name: 'paper_upload',
  title: 'Upload a PDF',
  description: 'Takes your own PDF of a paper and has it converted to Markdown. Only you see its text.',
  input: PaperUploadInput,
  output: JobQueued,
  async handler (context, { paper_id, pdf }) {
    const id = await paperIdOf(context, paper_id)
    if (!pdf.subarray(0, headBytes).includes('%PDF-')) throw new InvalidArguments('The body is not a PDF: its beginning has no %PDF-.')
    const { created_at } = await saveUpload(context.db, { account_id: context.account.id, paper_id: id, bytes: pdf })
    const job = await context.queue.enqueue(convertUploadJob(id, { account_id: context.account.id, created_at }), { trace: context.trace })
    return { job_id: job.id, created: job.created }
  }
})
