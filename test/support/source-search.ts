import { setTimeout as sleep } from 'node:timers/promises'
import { guardedClient } from '../../src/http/guarded-client.js'
import type { PaperRecord } from '../../schemas/paper.js'
import { fetchWithRetry } from '../../src/sources/requests/retry.js'
import type { Source, SourceContext, SourceSearch } from '../../src/sources/source.js'

/** Everything that a search of a source returned, and the error that ended it. */
export interface SearchOutcome {
  records: PaperRecord[]
  reasons: string[]
  cursors: Array<string | null>
  shortfall: string | undefined
  error: Error | undefined
}

const maxPauseMs = 1500

/** A context for a source at a stand-in, with retries but without rate limit. */
export function sourceContext (
  source: Source,
  url: string,
  options: Partial<Pick<SourceContext, 'apiKey' | 'contact'>> = {}
): SourceContext {
  const client = guardedClient({ userAgent: 'litfeed/test', trustedOrigins: [new URL(url).origin] })
  return {
    fetch: fetchWithRetry({
      client,
      source,
      slot: async (_url, request, pauseAfter) => {
        const result = await request()
        await sleep(Math.min(pauseAfter(result), maxPauseMs))
        return result
      },
      signal: undefined
    }),
    baseUrl: url,
    contact: options.contact,
    apiKey: options.apiKey
  }
}

/** Runs a search of a source to its end or its error. */
export async function runSearch (source: Source, context: SourceContext, search: Partial<SourceSearch> = {}): Promise<SearchOutcome> {
  const outcome: SearchOutcome = { records: [], reasons: [], cursors: [], shortfall: undefined, error: undefined }
  try {
    for await (const { parsed, cursor, shortfall } of source.search(context, {
      query: 'editing',
      from: '2026-11-01',
      to: '2026-11-20',
      cursor: null,
      ...search
    })) {
      for (const each of parsed) 'record' in each ? outcome.records.push(each.record) : outcome.reasons.push(each.reason)
      outcome.cursors.push(cursor)
      outcome.shortfall = shortfall ?? outcome.shortfall
    }
  } catch (error) {
    outcome.error = error as Error
  }
  return outcome
}
