import { hourMs, minuteMs } from '../../../schemas/durations.js'
import { listItems } from '../../../db/queries/feed.js'
import { findItemOfPaper } from '../../../db/queries/candidates.js'
import { findPaperByIdentifier } from '../../../db/queries/identifiers.js'
import { findLastEnded } from '../../../db/queries/jobs.js'
import { findPaper } from '../../../db/queries/papers.js'
import { type FeedItem, PaperAddInput, PaperAddResult } from '../../../schemas/feed.js'
import { isUuid } from '../../../schemas/ids.js'
import { requireRecord } from '../../errors/deleted-records.js'
import { PaperNotFound, Unavailable } from '../../errors/operation-errors.js'
import { addPaperJob, maxWaitingLookups } from '../../jobs/new-jobs.js'
import { allVersions } from '../../papers/pasted-identifier.js'
import { feedItemOf } from '../../papers/records.js'
import { idIn, resolveReadablePaperId } from '../../papers/references.js'
import { placePaper } from '../../imports/place-paper.js'
import { SourcesDisabled } from '../../sources/projects/disabled.js'
import { listUnasked } from '../../sources/fetching/lookup.js'
import type { Context } from '../context.js'
import { operation } from '../operation.js'
import { requireProject } from '../require-project.js'
import { ambiguousTitle, findInFeed, isAnswered, isUnusable, paperNotInSources, readNamedPaper } from './paper-lookup.js'

/** Delay before a paper that no source had is looked up again. */
const askAgainMs = hourMs
/** Delay before the sources are asked again after they failed to answer, with all retries: an assistant calls again after seconds. */
const retryFailedMs = 5 * minuteMs
/** Delay before a page that could not be read is fetched again. */
const fetchAgainMs = minuteMs

/**
 * @throws ProjectNotFound, PaperNotFound if no source has a usable record of the paper, Unavailable if a source did not answer lately,
 * InvalidArguments, RateLimited if too many look-ups wait
 */
export const paperAdd = operation({
  name: 'paper_add',
  title: 'Add a paper',
  description: [
    'Adds a paper to a project by an identifier, the address of a page that states one, its whole title, or a paper_id. ' +
    'Returns the feed item, also if the feed has it already.',
    'If Litfeed does not know the paper, it asks the sources in the background and returns job_id and detail instead: call again with ' +
    'the same arguments.',
    'Use it for a paper that the user names; to find papers in a feed, use feed_search.',
    'Example: {"project_id": "0b54c2ab-…", "identifier": "https://doi.org/10.1000/xyz123"}'
  ].join(' '),
  input: PaperAddInput,
  output: PaperAddResult,
  scope: 'act',
  async handler (context, { project_id, identifier: pasted }): Promise<FeedItem | QueuedLookup> {
    const { db, account, key, now } = context
    const id = idIn(pasted) ?? ''
    // Eight digits are a PMID.
    const identifier = isUuid(id) || /[a-f]/.test(id) ? undefined : readNamedPaper(context, pasted)
    await requireProject(context, project_id)
    if (identifier === undefined) return await addKnownPaper(context, project_id, pasted)
    const job = addPaperJob({ id: project_id, account_id: account.id }, identifier, key?.projectIds)
    const last = await findLastEnded(db, job.task, job.once_key)
    const failedMsAgo = last?.state === 'failed' ? now().getTime() - last.updated_at.getTime() : Infinity
    // A page, or an identifier that the stored paper lacks, is known by its job alone.
    const itemId = last?.state === 'done' ? last.result?.item_id : undefined
    const [found] = typeof itemId === 'string' ? await listItems(db, account.id, [itemId], { visibleProjectIds: key?.projectIds }) : []
    if (identifier.kind === 'page') {
      if (found !== undefined) return feedItemOf(found)
      if (failedMsAgo < fetchAgainMs) throw new PaperNotFound(pasted, last?.error == null ? {} : { why: last.error })
      return await enqueue(context, job)
    }
    const present = await findInFeed(context, project_id, identifier) ?? found
    if (present !== undefined) return feedItemOf(present)
    const versions = identifier.kind === 'title' ? undefined : allVersions(identifier)
    const known = versions && await findPaperByIdentifier(db, account.id, versions, key?.projectIds)
    if (known !== undefined) {
      await placePaper(context, project_id, known)
      return feedItemOf(requireRecord(await findItemOfPaper(db, account.id, project_id, known.id, key?.projectIds)))
    }
    // A source that was enabled since is asked.
    if (last?.error != null && failedMsAgo < askAgainMs) {
      const unasked = await listUnasked(db, identifier)
      const standing = [paperNotInSources(unasked, identifier), new SourcesDisabled(unasked).message, ambiguousTitle]
      if (standing.includes(last.error) || isUnusable(last.error)) throw new PaperNotFound(pasted, { why: last.error })
      if (failedMsAgo < retryFailedMs && !isAnswered(last.error)) {
        throw new Unavailable(last.error, { seconds: Math.ceil((retryFailedMs - failedMsAgo) / 1000) })
      }
    }
    return await enqueue(context, job)
  }
})

/** A look-up in the background, in place of the item. */
interface QueuedLookup { job_id: string, created: boolean, detail: string }

async function enqueue ({ queue, trace }: Context, job: ReturnType<typeof addPaperJob>): Promise<QueuedLookup> {
  const { id, created } = await queue.enqueue(job, { trace, maxWaiting: maxWaitingLookups })
  return { job_id: id, created, detail: 'The paper is not added yet: sources are being asked. Call again with the same arguments in 20 s.' }
}

/** Adds a paper that Litfeed has shown to the caller, such as one of a preview. @throws PaperNotFound */
async function addKnownPaper (context: Context, projectId: string, reference: string): Promise<FeedItem> {
  const { db, account, key } = context
  const paper = requireRecord(await findPaper(db, account.id, await resolveReadablePaperId(context, reference)))
  const item = async () => await findItemOfPaper(db, account.id, projectId, paper.id, key?.projectIds)
  const present = await item()
  if (present !== undefined) return feedItemOf(present)
  await placePaper(context, projectId, paper)
  return feedItemOf(requireRecord(await item()))
}
