import { findLastFailure } from '../../../db/queries/jobs.js'
import { findMarkdown, findUploadTime } from '../../../db/queries/markdown.js'
import { findPaper } from '../../../db/queries/papers.js'
import { type MarkdownAnswer, MarkdownResult } from '../../../schemas/markdown.js'
import { PaperInput } from '../../../schemas/paper.js'
import { mayHaveFulltext } from '../../fulltext/origins/index.js'
import { operation } from '../operation.js'
import { convertJob, convertUploadJob } from '../../jobs/new-jobs.js'
import { paperIdOf } from '../../papers/references.js'
import { requireStillExists } from '../../errors/still-exists.js'

const day = 24 * 60 * 60 * 1000
const unavailable = { status: 'unavailable', detail: 'Markdown source unavailable', code: 'markdown_source_unavailable' } as const

/**
 * Returns the full text, or queues its conversion. @see specification, sections 2 and 3
 * @throws PaperNotFound, AmbiguousShortId
 */
export const paperMarkdown = operation({
  name: 'paper_markdown',
  title: 'Read a paper as Markdown',
  description: [
    'Gives a paper\'s full text as Markdown. status is "ready" with the text in markdown; "queued" when it is being converted: go on with other work and call again after a minute; or "unavailable" when no full text is known: use the abstract of paper_get.',
    'A whole paper can be 10,000 to 30,000 tokens; when an abstract will do, use paper_get.',
    'Example: {"paper_id": "3f9a1c20"}'
  ].join(' '),
  input: PaperInput,
  output: MarkdownResult,
  async handler (context, { paper_id }): Promise<MarkdownAnswer> {
    const { db, queue, account, now, trace } = context
    const id = await paperIdOf(context, paper_id)
    const stored = await findMarkdown(db, account.id, id)
    if (stored !== undefined) return { status: 'ready', paper_id: id, markdown: stored.markdown, mime_type: 'text/markdown', markdown_ready: true }
    const upload = await findUploadTime(db, account.id, id)
    const wanted = upload === undefined ? convertJob(id) : convertUploadJob(id, { account_id: account.id, created_at: upload.created_at })
    const paper = requireStillExists(await findPaper(db, account.id, id))
    if (upload === undefined && !mayHaveFulltext(paper)) return unavailable
    const failure = await findLastFailure(db, wanted.task, wanted.once_key)
    const isOfNow = upload !== undefined || (failure !== undefined && failure.updated_at > paper.updated_at)
    if (failure !== undefined && isOfNow && now().getTime() - failure.updated_at.getTime() < day) return unavailable
    const job = await queue.enqueue(wanted, { trace })
    return { status: 'queued', detail: 'Markdown queued', code: 'markdown_queued', job_id: job.id, created: job.created }
  }
})
