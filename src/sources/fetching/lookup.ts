import type { Db } from '../../../db/connection.js'
import { listDisabledSources } from '../../../db/queries/disabled-sources.js'
import type { Caller } from '../../../db/caller.js'
import { comparableForm } from '../../../schemas/normal-form.js'
import type { PaperRecord } from '../../../schemas/paper.js'
import { versionlessDoi } from '../../papers/doi-versions.js'
import { isOneFamily, nameReadings, normalizedTitle } from '../../papers/identity.js'
import { tokenize } from '../../search/tokenizer.js'
import type { Log } from '../../observability/log.js'
import type { PastedIdentifier, SoughtPaper } from '../../papers/pasted-identifier.js'
import { selectEnabled } from '../projects/disabled.js'
import { reportFailure } from '../requests/fetch-failure.js'
import type { SourceServices } from './incremental-fetch.js'
import { sources } from '../index.js'
import type { ParsedRecord } from '../formats/format.js'
import { type Source, type SourceContext, SourceError } from '../source.js'

/** Services of a look-up, and the account that asks. */
export interface LookupContext extends Caller {
  log: Log
  sources: SourceServices
  signal?: AbortSignal | undefined
  /** Whether a person waits for the paper. */
  isInteractive?: boolean
}

/**
 * Asks the enabled sources that know an identifier of this kind, the best first, until one has the paper.
 * @returns undefined if none has it
 * @throws SourceError if none has it and one could not answer, SourcesDisabled if all are disabled
 */
export const lookUp = (context: LookupContext, identifier: PastedIdentifier): Promise<PaperRecord | undefined> =>
  askInTurn(context, sourcesFor(identifier), async (source, sourceContext) => {
    const records = recordsOf(await source.lookup!.find(sourceContext, identifier))
    // A source may answer with a paper that was not asked for.
    return records.find(record => hasIdentifier(record, identifier)) ?? records.find(record => isVersionOf(record, identifier))
  })

/** The titles of the sources that would be asked for this paper, but are disabled. */
export async function listUnasked (db: Db, sought: SoughtPaper): Promise<string[]> {
  const disabled = new Set((await listDisabledSources(db)).map(({ name }) => name))
  return sourcesFor(sought).filter(({ name }) => disabled.has(name)).map(({ title }) => title)
}

/** The titles of the sources that know identifiers of this kind, the best first. */
export const listLookups = (identifier: PastedIdentifier): string[] => sourcesFor(identifier).map(({ title }) => title)

/** Days of papers of any age. */
const firstDay = '1800-01-01'
/** Titles with fewer words are shared by many works. */
const minTitleWords = 3

/** Words of a title, as titles are compared. */
export const countTitleWords = (title: string): number => normalizedTitle(title).split(' ').length

/** Whether a title has too few words to be looked up. */
export const isShortTitle = (title: string): boolean => countTitleWords(title) < minTitleWords

/** A title that several works have. */
export class AmbiguousTitle extends Error {}
/** A title of too few words to be looked up. */
export class ShortTitle extends Error {}

/**
 * Asks the enabled sources that can search titles, the best first, until one has the paper. Only a paper with exactly this title
 * counts, or with this title before its subtitle.
 * @returns undefined if none has it
 * @throws ShortTitle, AmbiguousTitle, SourceError if none has it and one could not answer, SourcesDisabled if all are disabled
 */
export async function lookUpTitle (
  context: LookupContext,
  title: string,
  today: string
): Promise<PaperRecord | undefined> {
  const words = normalizedTitle(title)
  if (isShortTitle(title)) throw new ShortTitle()
  return await askInTurn(context, sourcesFor({ kind: 'title' }), async (source, sourceContext) => {
    const search = { query: source.titleQuery!(tokenize(title).join(' ')), from: firstDay, to: today, cursor: null }
    // The best matches are on the first page.
    const first = await source.search(sourceContext, search)[Symbol.asyncIterator]().next()
    return chooseTitled(first.done === true ? [] : recordsOf(first.value.parsed), words)
  })
}

/** Asks the enabled ones of these sources until one has the paper. */
async function askInTurn (
  { db, log, account, signal, isInteractive, sources: { contextFor } }: LookupContext,
  asked: readonly Source[],
  find: (source: Source, context: SourceContext) => Promise<PaperRecord | undefined>
): Promise<PaperRecord | undefined> {
  let failure: SourceError | undefined
  for (const source of await selectEnabled(db, asked)) {
    try {
      const found = await find(source, contextFor(source, { signal, account: account.id, isInteractive }))
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

const recordsOf = (parsed: readonly ParsedRecord[]): PaperRecord[] => parsed.flatMap(each => 'record' in each ? [each.record] : [])

/** Among records of one work, prefers one with an abstract. @throws AmbiguousTitle if works of different authors have the title */
function chooseTitled (records: readonly PaperRecord[], words: string): PaperRecord | undefined {
  const equal = records.filter(({ title }) => normalizedTitle(title) === words)
  const titled = equal.length > 0
    ? equal
    : records.filter(({ title }) => title.includes(':') && normalizedTitle(title.slice(0, title.indexOf(':'))) === words)
  if (!haveOneDoi(titled) && !haveOneAuthor(titled.map(({ authors }) => authors[0]?.name ?? ''))) throw new AmbiguousTitle()
  return titled.find(({ abstract }) => abstract !== null) ?? titled[0]
}

function haveOneDoi (records: readonly PaperRecord[]): boolean {
  const dois = new Set(records.map(({ doi }) => doi === null ? null : versionlessDoi(doi)))
  return dois.size === 1 && !dois.has(null)
}

/** Whether names can have one family name, whatever their spelling and order: "Müller" and "Mueller", "Xiaoming Li" and "Li Xiaoming". */
function haveOneAuthor (names: readonly string[]): boolean {
  const inAnyOrder = names.map(name => ({ words: comparableForm(name).split(' ').sort().join(' '), families: familiesOf(name) }))
  const [first = [], ...others] = inAnyOrder
    .map(({ words }) => inAnyOrder.filter(each => each.words === words).flatMap(({ families }) => families))
  return others.length === 0 || first.some(family => others.every(families => families.some(other => isOneFamily(family, other))))
}

const familiesOf = (name: string): string[] => nameReadings(name).map(({ family }) => family)

/** Whether the DOI of a record is that of the same work in another version. */
const isVersionOf = ({ doi }: PaperRecord, { kind, value }: PastedIdentifier) =>
  kind === 'doi' && doi !== null && versionlessDoi(doi) === versionlessDoi(value)

const sourcesFor = ({ kind }: Pick<SoughtPaper, 'kind'>) => sources
  .filter(({ lookup, titleQuery }) => kind === 'title' ? titleQuery !== undefined : lookup?.kinds.includes(kind) === true)
  .sort((a, b) => b.precedence - a.precedence)

function hasIdentifier ({ doi, external_ids }: PaperRecord, { kind, value }: PastedIdentifier): boolean {
  return (kind === 'doi' ? doi : external_ids[kind]) === value
}
