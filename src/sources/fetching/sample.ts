import type { NewProjectPreviewResult } from '../../../schemas/project.js'
import type { PaperRecord } from '../../../schemas/paper.js'
import { requireEnabled } from '../projects/disabled.js'
import { reportFailure } from '../requests/fetch-failure.js'
import type { SourceFetchContext } from './incremental-fetch.js'
import { prepareQuery } from './query.js'
import type { SearchInterest, Source } from '../source.js'
import { dayAfter, dayOf } from '../../../schemas/utc-time.js'

/** Days that a sample covers: few first, since most sources list the oldest first; more where these have few papers. */
const windows = [7, 60]
const minRecords = 3
const maxRecords = 200

/** Recent papers of a source, and the outcome of the search. */
export interface SourceSample {
  state: Omit<NewProjectPreviewResult['sources'][number], 'entering'>
  records: PaperRecord[]
}

type SampleContext = Pick<SourceFetchContext, 'db' | 'now' | 'log' | 'sources'> & { account: { id: string } }

/** Searches a source for recent papers, as many as it gives within a time limit. A failure is a result like any other. */
export async function sampleSource (
  { db, now, log, account, sources: { contextFor } }: SampleContext,
  search: { name: string, query: string },
  interest: SearchInterest,
  timeLimitMs: number
): Promise<SourceSample> {
  const signal = AbortSignal.timeout(timeLimitMs)
  const sample: SourceSample = { state: { ...search, since: null, found: 0, error: null }, records: [] }
  let source: Source | undefined
  try {
    const prepared = prepareQuery(search, interest)
    source = prepared.source
    await requireEnabled(db, source)
    sample.state.query = prepared.query
    for (const days of windows) {
      const from = dayAfter(dayOf(now()), -days)
      const records: PaperRecord[] = []
      sample.state.since = from
      for await (const { parsed } of source.search(contextFor(source, { signal, account: account.id, isInteractive: true }), {
        query: prepared.query,
        from,
        to: dayOf(now()),
        cursor: null
      })) {
        records.push(...parsed.flatMap(each => 'record' in each ? [each.record] : []))
        sample.records = records.slice(0, maxRecords)
        signal.throwIfAborted()
        if (records.length >= maxRecords) break
      }
      if (records.length >= minRecords) break
    }
  } catch (error) {
    sample.state.error = signal.aborted
      ? `${source?.title ?? search.name} did not finish within ${timeLimitMs / 1000} seconds. A project fetches from it in the ` +
        'background, without this limit.'
      : reportFailure(log, error, { name: search.name, source })
  }
  sample.state.found = sample.records.length
  return sample
}
