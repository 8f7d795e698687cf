import { outsideClient } from '../../src/outside/http.js'
import type { PaperRecord } from '../../schemas/paper.js'
import { patientFetch } from '../../src/sources/patience.js'
import type { Source, SourceContext, SourceSearch } from '../../src/sources/source.js'

export interface Walked { records: PaperRecord[], reasons: string[], cursors: Array<string | null>, error: Error | undefined }

/** What a source works with, at a stand-in, without waiting for turns. */
export function sourceContext (source: Source, url: string, options: Partial<Pick<SourceContext, 'apiKey' | 'contact'>> = {}): SourceContext {
  const client = outsideClient({ userAgent: 'litfeed/test', trustedOrigins: [new URL(url).origin] })
  return {
    fetch: patientFetch({ client, source, turn: work => work(), signal: undefined }),
    baseUrl: url,
    contact: options.contact,
    apiKey: options.apiKey
  }
}

/** Walks to the end, or to where the source fails. */
export async function walk (source: Source, context: SourceContext, search: Partial<SourceSearch> = {}): Promise<Walked> {
  const walked: Walked = { records: [], reasons: [], cursors: [], error: undefined }
  try {
    for await (const { readings, cursor } of source.search(context, { query: 'editing', from: '2026-11-01', to: '2026-11-20', cursor: null, ...search })) {
      for (const reading of readings) 'record' in reading ? walked.records.push(reading.record) : walked.reasons.push(reading.reason)
      walked.cursors.push(cursor)
    }
  } catch (error) {
    walked.error = error as Error
  }
  return walked
}
