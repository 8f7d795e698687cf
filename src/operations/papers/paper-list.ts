import { setFeedback } from '../../../db/queries/feed.js'
import { findItemByIdentifier, findPaperByIdentifier } from '../../../db/queries/identifiers.js'
import { findScoring, promoteCandidates } from '../../../db/queries/relevance.js'
import type { Db } from '../../../db/connection.js'
import { requireRecord } from '../../errors/deleted-records.js'
import { itemOf } from '../../papers/feed-item.js'
import { typedIdentifier } from '../../papers/identifier-in-text.js'
import { ingestFetched } from '../../papers/ingest-fetched.js'
import type { Placement } from '../../papers/ingest.js'
import { allVersions, type PastedIdentifier, pastedIdentifier } from '../../papers/pasted-identifier.js'
import { learnedModel, learningDueAt } from '../../relevance/learned-model.js'
import { AmbiguousTitle, lookUp, lookUpTitle, ShortTitle } from '../../sources/lookup.js'
import { SourcesDisabled } from '../../sources/disabled.js'
import { SourceError } from '../../sources/source.js'
import type { Context } from '../context.js'
import { addRejections, type ImportCounts } from './import-counts.js'

/* A list of papers: one identifier or title per line, after the line "# Papers" or with an identifier in the first line. */

/** The first line of a list that begins with a title. */
const heading = '# Papers'
/** Papers of a list: each can ask several sources. */
export const maxListedPapers = 200
const maxLineLength = 600

/** Writes a list of papers as a file. */
export const listOf = (papers: readonly string[]): string =>
  [heading, ...papers.map(paper => paper.replace(/\s+/g, ' ').trim()).filter(paper => paper !== ''), ''].join('\n')

/** Detects a list of papers from the start of a file. */
export function isPaperList (head: string): boolean {
  const first = linesOf(head.slice(0, 4 * maxLineLength))[0]?.text ?? ''
  return first.toLowerCase() === heading.toLowerCase() || pastedIdentifier(first, { digitsArePmid: true }) !== undefined
}

/** Lines with text, each with its number. */
const linesOf = (text: string) =>
  text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/).map((line, at) => ({ text: line.trim(), place: at + 1 })).filter(({ text }) => text !== '')

interface ListImport {
  projectId: string
  text: string
  name: string
  before: ImportCounts
  maxRejections: number
  /** Further values of the items that enter the feed. */
  values?: Placement['values']
  lock?: ((transaction: Db) => Promise<void>) | undefined
  onPaper: (counts: ImportCounts, share: number) => Promise<void>
  signal?: AbortSignal | undefined
}

/** Adds the papers of a list to a project, one after the other. What cannot be found is rejected with the reason. */
export async function importList (
  context: Context,
  { projectId, text, name, before, maxRejections, values, lock, onPaper, signal }: ListImport
): Promise<ImportCounts> {
  const lines = linesOf(text).filter(({ text }) => !text.startsWith('#'))
  let counts = before
  const reject = (record: number, line: string, why: string) => {
    counts = addRejections(counts, [{ file: name, record, reason: `“${line.slice(0, 120).toWellFormed()}”: ${why}` }], maxRejections)
  }
  for (const [at, { text: line, place }] of lines.entries()) {
    if (at < before.read) continue
    signal?.throwIfAborted()
    if (at >= maxListedPapers) {
      reject(place, line, `A list can have ${maxListedPapers} papers. Add the others as another list.`)
    } else {
      const outcome = await addListed({ ...context, signal }, { projectId, line, values, lock })
      if (typeof outcome === 'string') counts = { ...counts, [outcome]: counts[outcome] + 1 }
      else reject(place, line, outcome.why)
    }
    counts = { ...counts, read: counts.read + 1 }
    await onPaper(counts, (at + 1) / lines.length)
  }
  return counts
}

type Outcome = 'created' | 'updated' | 'unchanged' | { why: string }

/** Adds a paper by its identifier or title. @returns why it cannot be found */
async function addListed (
  context: Context & { signal: AbortSignal | undefined },
  { projectId, line, values, lock }: Pick<ListImport, 'projectId' | 'values' | 'lock'> & { line: string }
): Promise<Outcome> {
  const { db, account } = context
  if (line.length > maxLineLength) return { why: `A line can have ${maxLineLength} characters.` }
  const identifier = typedIdentifier(line)
  if (identifier !== undefined) {
    const present = await rateItem(context, projectId, identifier, values)
    if (present !== undefined) return present
    const known = await findPaperByIdentifier(db, account.id, allVersions(identifier))
    if (known !== undefined) {
      const project = requireRecord(await findScoring(db, projectId))
      const [score] = await context.relevance.score(project, await learnedModel(db, account.id, projectId), [known])
      const item = itemOf({ id: known.id, record: known }, { projectId, relevance: score!, readyAt: context.now(), origin: 'import' })
      return await promoteCandidates(db, projectId, [{ ...item, ...values }], lock) > 0 ? 'created' : 'unchanged'
    }
  }
  const found = await findPaper(context, line, identifier)
  if ('why' in found) return found
  const { created } = await ingestFetched({
    db,
    now: context.now,
    entersFeed: () => true,
    score: async (scoring, records) => await context.relevance.score(scoring, await learnedModel(db, account.id, projectId), records)
  }, { project: { id: projectId, account_id: account.id }, records: [{ place: 1, record: found }], origin: 'import', values, lock })
  if (created > 0) return 'created'
  // The stored paper may lack some of them.
  for (const stored of identifiersOf(found)) {
    const rated = await rateItem(context, projectId, stored, values)
    if (rated !== undefined) return rated
  }
  return 'unchanged'
}

/** Gives the vote to a paper that the feed has without one. @returns undefined if the feed does not have it */
async function rateItem (
  { db, account, now }: Context,
  projectId: string,
  identifier: PastedIdentifier,
  values: Placement['values']
): Promise<Outcome | undefined> {
  const item = await findItemByIdentifier(db, account.id, projectId, allVersions(identifier))
  if (item === undefined) return undefined
  if (item.vote !== null || values?.vote == null) return 'unchanged'
  const feedback = { vote: values.vote, downvote_reason: null, updated_at: now().toISOString() }
  await setFeedback(db, account.id, item.item_id, feedback, learningDueAt(now()))
  return 'updated'
}

type FoundRecord = Exclude<Awaited<ReturnType<typeof lookUp>>, undefined>

/** Asks the sources for a paper by its identifier or title. @returns why it cannot be found */
export async function findPaper (
  context: Context & { signal?: AbortSignal | undefined },
  line: string,
  identifier = typedIdentifier(line)
): Promise<FoundRecord | { why: string }> {
  try {
    const found = identifier === undefined
      ? await lookUpTitle(context, line, context.now().toISOString().slice(0, 10))
      : await lookUp(context, identifier)
    if (found !== undefined) return found
    return {
      why: identifier === undefined
        ? 'No source has a paper with exactly this title. Check it, or use its DOI or PMID.'
        : 'No source has a paper with this identifier. Check it, or import the record from a file.'
    }
  } catch (error) {
    if (error instanceof ShortTitle) return { why: 'The title is too short to look up. Use the DOI or PMID.' }
    if (error instanceof AmbiguousTitle) return { why: 'Several papers have this title. Use the DOI or PMID instead.' }
    if (error instanceof SourcesDisabled) return { why: error.message }
    if (error instanceof SourceError) return { why: 'The sources could not be asked. Add it again later.' }
    throw error
  }
}

function identifiersOf ({ doi, external_ids: { arxiv, pmid, pmcid } }: FoundRecord): PastedIdentifier[] {
  return Object.entries({ doi, arxiv, pmid, pmcid })
    .flatMap(([kind, value]) => value == null ? [] : [{ kind: kind as PastedIdentifier['kind'], value }])
}
