import { createYielder } from '../threads/yielder.js'
import { TaskStopped, WorkerPool } from '../threads/worker-pool.js'
import { textOf } from './requests/answers.js'
import type { FeedContent, FeedDocument } from './documents/journal-feed-document.js'
import type { ParsedRecord } from './formats/format.js'
import { type Source, type SourceContext, SourceError } from './source.js'

const title = 'The journal feed'
const maxMegabytes = 2
/** Statuses of an address that has no feed, or none any more. */
const movedStatuses: ReadonlySet<number> = new Set([400, 404, 410, 414, 422])

/**
 * Parses documents off the event loop: one at a time, accounts in turn. An ordinary feed takes milliseconds, a hostile one of 2 MB a
 * second.
 */
const parsers = new WorkerPool<FeedDocument, FeedContent>({
  name: 'Parsing journal feeds',
  program: new URL('./documents/journal-feed-thread.js', import.meta.url),
  timeoutMs: 5000,
  maxHeapMb: 128,
  maxWaiting: 200
})

/** RSS and Atom feeds of journals, in any dialect. A feed has no time window: each entry is either new or already stored. */
export const journalFeed: Source = {
  name: 'feed',
  title: 'Journal feed',
  covers: 'One journal or group of your choice, by the address of its RSS or Atom feed.',
  queryHelp: 'The address of a journal\'s RSS or Atom feed. Example: https://journal.example.org/rss/latest.xml.',
  precedence: 0,
  isJournalFeed: true,
  settings: null,
  group: 'feed',
  intervalMs: 500,
  buildQuery: () => '',
  checkQuery: query =>
    /^https?:\/\/[^\s/]+/i.test(query.trim()) && URL.canParse(query.trim())
      ? null
      : 'a journal feed needs an address that starts with http:// or https://.',
  async * search ({ fetch, account, signal }, { query }) {
    const address = query.trim()
    const answer = await fetch(new URL(address), {
      headers: { accept: 'application/atom+xml, application/rss+xml, application/rdf+xml, application/xml;q=0.9, */*;q=0.5' },
      maxBytes: maxMegabytes * 1024 * 1024
    })
    if (movedStatuses.has(answer.status)) {
      throw new SourceError('bad_query', `The address of the journal feed answered with status ${answer.status}. Open it in a browser and ` +
        'enter its present address.')
    }
    if (answer.status >= 400) textOf(answer, title)
    const { batches, shortfall } = await parse({ address, bytes: answer.bytes }, { account, signal })
    const yieldIfDue = createYielder()
    const parsed: ParsedRecord[] = []
    for (const batch of batches) {
      parsed.push(...JSON.parse(batch) as ParsedRecord[])
      await yieldIfDue()
    }
    if (parsed.length > 0) yield { parsed, cursor: null, shortfall }
  }
}

/** @throws SourceError, or the signal's reason */
async function parse (
  document: FeedDocument,
  { account, signal }: Pick<SourceContext, 'account' | 'signal'>
): Promise<Extract<FeedContent, { batches: unknown }>> {
  const content = await parsers.run(document, { signal, ...(account === undefined ? {} : { owner: account }) }).catch((cause: unknown) => {
    if (!(cause instanceof TaskStopped)) throw cause
    if (cause.reason === 'queue_full') {
      throw new SourceError('unavailable', `${title} was not parsed, because too many others are waiting. It will be retried.`, {
        cause
      })
    }
    throw new SourceError(
      'wrong_answer',
      `${title} takes too ${cause.reason === 'timeout' ? 'long' : 'much memory'} to parse. Choose one with fewer or shorter entries.`,
      { cause }
    )
  })
  if ('batches' in content) return content
  if ('oversized' in content) throw new SourceError('wrong_answer', content.oversized)
  throw new SourceError('wrong_answer', `The address sent something other than ${content.unreadable}.`, { detail: content.detail })
}
