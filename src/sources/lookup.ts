import type { Db } from '../../db/connection.js'
import type { PaperRecord } from '../../schemas/paper.js'
import type { Log } from '../observability/log.js'
import type { PastedIdentifier } from '../papers/pasted-identifier.js'
import { requireEnabled } from './disabled.js'
import { reportFailure } from './fetch-failure.js'
import type { SourceServices } from './incremental-fetch.js'
import { sources } from './index.js'
import { SourceError } from './source.js'

interface LookupContext { db: Db, log: Log, sources: SourceServices, account: { id: string }, signal?: AbortSignal | undefined }

/**
 * Asks the sources that know an identifier of this kind, the best first, until one has the paper.
 * @returns undefined if none has it
 * @throws SourceError if none has it and one could not answer
 */
export async function lookUp (
  { db, log, account, signal, sources: { contextFor } }: LookupContext,
  identifier: PastedIdentifier
): Promise<PaperRecord | undefined> {
  let failure: SourceError | undefined
  for (const source of sourcesFor(identifier)) {
    try {
      await requireEnabled(db, source)
      const parsed = await source.lookup!.find(contextFor(source, { signal, account: account.id }), identifier)
      // A source may answer with a paper that was not asked for.
      const found = parsed.flatMap(each => 'record' in each ? [each.record] : []).find(record => hasIdentifier(record, identifier))
      if (found !== undefined) return found
    } catch (error) {
      if (signal?.aborted === true || !(error instanceof SourceError)) throw error
      reportFailure(log, error, { name: source.name, source })
      if (error.fault !== 'bad_query') failure = error
    }
  }
  if (failure !== undefined) throw failure
  return undefined
}

const sourcesFor = ({ kind }: PastedIdentifier) =>
  sources.filter(({ lookup }) => lookup?.kinds.includes(kind) === true).sort((a, b) => b.precedence - a.precedence)

function hasIdentifier ({ doi, external_ids }: PaperRecord, { kind, value }: PastedIdentifier): boolean {
  return (kind === 'doi' ? doi : external_ids[kind]) === value
}
