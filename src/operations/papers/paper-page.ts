import { findJob, findLastFailure, findUploadJob } from '../../../db/queries/jobs.js'
import { findMarkdown } from '../../../db/queries/markdown.js'
import { findFeedsOfPaper } from '../../../db/queries/papers.js'
import { PaperInput } from '../../../schemas/paper.js'
import { PaperPageResult } from '../../../schemas/paper-page.js'
import { operation } from '../operation.js'
import { paperGet } from './paper-get.js'
import { paperMarkdown } from './paper-markdown.js'
import { convertJob } from '../../jobs/new-jobs.js'
import { jobOf } from '../records.js'

/**
 * What a page shows of a paper: the record, and its text or where that stands; it is queued as paper_markdown queues it.
 * @throws PaperNotFound, AmbiguousShortId
 */
export const paperPage = operation({
  name: 'paper_page',
  title: 'A page of a paper',
  description: 'Gives a paper with its text, or with what is known of why it is not there.',
  input: PaperInput,
  output: PaperPageResult,
  async handler (context, { paper_id }) {
    const { db, account } = context
    const paper = await paperGet.run(context, { paper_id })
    const text = await paperMarkdown.run(context, { paper_id: paper.id })
    const [feeds, stored, job, upload, failure] = await Promise.all([
      findFeedsOfPaper(db, account.id, paper.id),
      text.status === 'ready' ? findMarkdown(db, account.id, paper.id) : undefined,
      text.job_id === undefined ? undefined : findJob(db, account.id, text.job_id),
      findUploadJob(db, account.id, paper.id),
      text.status === 'unavailable' ? findLastFailure(db, 'convert-markdown', convertJob(paper.id).once_key) : undefined
    ])
    return {
      paper,
      feeds,
      text,
      made: stored === undefined ? null : { origin: stored.origin, at: stored.created_at.toISOString(), warnings: stored.warnings },
      job: job === undefined ? null : jobOf(job),
      upload: upload === undefined ? null : jobOf(upload),
      reason: failure?.error ?? null
    }
  }
})
