import type { NewProjectPreviewResult } from '../../schemas/project.js'
import type { PaperRecord } from '../../schemas/paper.js'
import type { Interest } from '../relevance/interest.js'
import { SourceError } from './source.js'
import type { Context } from '../operations/context.js'
import { questionFor } from './query.js'

/** Days back that are looked at: a few first, since most sources give the oldest first; more where these have little. */
const windows = [7, 60]
const enough = 3
const mostRecords = 200
const day = 24 * 60 * 60 * 1000

export interface Glance {
  state: Omit<NewProjectPreviewResult['sources'][number], 'entering'>
  records: PaperRecord[]
}

/** Asks a source for recent papers and takes what it gives in the time there is. A failure is a result like another. */
export async function glanceAt (context: Context, asked: { name: string, query: string }, interest: Pick<Interest, 'positive_keywords' | 'interest_description'>, milliseconds: number): Promise<Glance> {
  const { now, log, sources: { contextFor } } = context
  const signal = AbortSignal.timeout(milliseconds)
  const glance: Glance = { state: { ...asked, since: null, found: 0, error: null }, records: [] }
  let title = asked.name
  try {
    const { source, query } = questionFor(asked, interest)
    title = source.title
    glance.state.query = query
    for (const days of windows) {
      const from = dateOf(new Date(now().getTime() - days * day))
      const records: PaperRecord[] = []
      glance.state.since = from
      for await (const { readings } of source.search(contextFor(source, signal), { query, from, to: dateOf(now()), cursor: null })) {
        records.push(...readings.flatMap(reading => 'record' in reading ? [reading.record] : []))
        glance.records = records
        signal.throwIfAborted()
        if (records.length >= mostRecords) break
      }
      if (records.length >= enough) break
    }
  } catch (error) {
    if (!(error instanceof SourceError) && !signal.aborted) log.error({ err: error, source: asked.name }, 'An answer of a source could not be dealt with.')
    glance.state.error = reasonOf(error, title, signal.aborted ? milliseconds : null)
  }
  glance.state.found = glance.records.length
  return glance
}

function reasonOf (error: unknown, title: string, tooSlow: number | null): string {
  if (tooSlow !== null) return `${title} had not answered to the end after ${tooSlow / 1000} seconds. A project asks it in the background, and waits for it.`
  return error instanceof SourceError ? error.message : `${title} gave something that could not be dealt with; the log has the details.`
}

const dateOf = (time: Date) => time.toISOString().slice(0, 10)
