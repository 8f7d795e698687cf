import { Type } from 'typebox'
import type { KeyedCaller } from '../../../db/caller.js'
import { findItemByIdentifier, findItemBySourceId } from '../../../db/queries/identifiers.js'
import { PaperAddInput } from '../../../schemas/feed.js'
import { Uuid } from '../../../schemas/ids.js'
import { Nullable } from '../../../schemas/nullable.js'
import type { PaperRecord } from '../../../schemas/paper.js'
import { shortText } from '../../../schemas/short-text.js'
import { singleAddition } from '../../../schemas/snapshot.js'
import { dayOf } from '../../../schemas/utc-time.js'
import { InvalidArguments } from '../../errors/operation-errors.js'
import { PermanentFailure } from '../../jobs/failures.js'
import { enqueueSummaries } from '../../jobs/new-jobs.js'
import { ingestFetched } from '../../papers/ingest-fetched.js'
import { namedPaper, typedIdentifier } from '../../papers/identifier-in-text.js'
import { allVersions, formatIdentifier, identifiersOf, type NamedPaper, type SoughtPaper } from '../../papers/pasted-identifier.js'
import { findTitledItem } from '../../papers/titled-items.js'
import { openProjectScoring } from '../../relevance/project-scoring.js'
import { signalReader } from '../../relevance/signals.js'
import { SourcesDisabled } from '../../sources/projects/disabled.js'
import { AmbiguousTitle, countTitleWords, listUnasked, lookUp, lookUpTitle } from '../../sources/fetching/lookup.js'
import { findOnPage, UnusablePage } from '../../sources/documents/paper-page.js'
import type { Context } from '../context.js'
import { operation } from '../operation.js'
import { requireProject } from '../require-project.js'

/**
 * The failure of a job when no source has the paper. It names the sources that could not be asked, so that it does not hold for them.
 * @param disabled titles of the sources that administrators disabled
 */
export function paperNotInSources (disabled: readonly string[], { kind }: Pick<SoughtPaper, 'kind'> = { kind: 'doi' }): string {
  const [sought, next] = kind === 'title'
    ? ['exactly this title', 'Check the title, or use the DOI or PMID.']
    : ['this identifier', 'Check the identifier, or import the record from a file.']
  return disabled.length === 0
    ? `No source has a paper with ${sought}. ${next}`
    : `No enabled source has a paper with ${sought}. An administrator disabled ${disabled.join(', ')}. ${next}`
}

/** The failure of a job when works of several authors have the title. */
export const ambiguousTitle = 'Several papers have this title. Use the DOI or PMID instead.'

/** Whether a job failed for good because of what the sources have, or which are enabled, rather than because one did not answer. */
export const isAnswered = (failure: string): boolean =>
  failure === ambiguousTitle || /^No (?:enabled )?source has |^An administrator of this service disabled /.test(failure)

/** How the failure of a job begins whose paper a source has, but whose record of it cannot be used. */
const unusableRecord = 'A source has this paper, but '
const invalidRecord = `${unusableRecord}its record is invalid. Import the record from a file, or use another identifier.`
const unknownInFeed = `${unusableRecord}several papers in the feed have its title. Find it with feed_search.`

/** Whether a job failed because the record of the source cannot be used. */
export const isUnusable = (failure: string): boolean => failure.startsWith(unusableRecord)

/** The maximum of an identifier in a paper's record. */
const maxIdentifierLength = 512
/** The maximum of a title, as in lists of papers. */
const maxTitleLength = 600
/** The maximum of an address, which is part of a job's key. */
const maxAddressLength = 2000
/** One word of ASCII is an address or an identifier with an error. */
const asciiWord = /^[!-~]*$/
/** Few titles have fewer words, and many texts that are no titles do. */
const minTitleWords = 5

/** @throws InvalidArguments for a text that is no identifier, no address of a page on the Internet, and no title of five words or more */
export function readNamedPaper ({ allowsAddress }: Pick<Context, 'allowsAddress'>, text: string): NamedPaper {
  const named = namedPaper(text)
  if (named?.kind === 'page' && !allowsAddress(named.value)) {
    throw new InvalidArguments(
      `identifier is the address ${JSON.stringify(shortText(text, 80))}, which is not on the public Internet. ` +
        'Send the DOI, PMID, PMCID or arXiv id of the paper.',
      { userMessage: 'This address is not on the public Internet. Enter the paper’s DOI, PMID, PMCID or arXiv id.' }
    )
  }
  if (named !== undefined && named.value.length <= (named.kind === 'page' ? maxAddressLength : maxIdentifierLength)) return named
  const title = text.trim().replace(/\s+/g, ' ')
  const contained = named === undefined ? typedIdentifier(text) : undefined
  const isText = named === undefined && contained === undefined && title.length <= maxTitleLength && !asciiWord.test(title)
  // Numbers are no words: "ISBN 978-3-16-148410-0" is no title.
  if (isText && countTitleWords(title.replace(/\d+/g, '')) >= minTitleWords) return { kind: 'title', value: title }
  throw new InvalidArguments(
    `identifier is ${JSON.stringify(shortText(text, 80))}. ` +
      (contained === undefined ? '' : `Send its ${formatIdentifier(contained)} alone, or one paper per call. `) +
      'Allowed: a DOI, PMID, PMCID or arXiv id, plain or as a URL, such as 10.1000/xyz123, PMID 12345678, PMC1234567 or ' +
      'https://arxiv.org/abs/2401.01234, the URL of a page that states one, or the whole title of five words or more.',
    { userMessage: 'This is not a DOI, PMID, PMCID or arXiv id, the address of a page, or a title of at least five words.' }
  )
}

/**
 * Asks the sources for a paper and adds it to a project. The identifier is read from the paper's page, if that is what the call names.
 * @throws ProjectNotFound, PermanentFailure if no source has it, several papers have its title, its record cannot be used, all sources are
 * disabled or the page states no identifier, SourceError
 */
export const paperLookup = operation({
  name: 'paper_lookup',
  title: 'Look up a paper',
  description: 'Asks the sources for a paper by its identifier or title and adds it to a project.',
  input: Type.Object({
    ...PaperAddInput.properties,
    visible_projects: Type.Optional(Nullable(Type.Array(Uuid), 'Those whose own papers it may use; null: all of the account.'))
  }, { additionalProperties: false }),
  output: Type.Object({ item_id: Type.String() }),
  async handler (context: Context, { project_id, identifier: written, visible_projects: visibleProjects }) {
    const { db, account } = context
    const named = readNamedPaper(context, written)
    await requireProject(context, project_id)
    const sought = named.kind === 'page' ? await readPage(context, named.value) : named
    const present = await findInFeed(context, project_id, sought)
    if (present !== undefined) return { item_id: present.item_id }
    const disabled = await listUnasked(db, sought)
    const record = await askSources(context, sought)
    if (record === undefined) throw new PermanentFailure(paperNotInSources(disabled, sought))
    const project = { id: project_id, account_id: account.id }
    const openScoring = async () => await openProjectScoring(context, project_id, {
      withSignals: async (_settings, records) => await (await signalReader(db, account.id, project_id)).ofRecords(records)
    })
    // The user asked for it: it stays whatever its score.
    const records = [{ place: 1, record }]
    const { created, rejected: [rejection] } = await ingestFetched(context, {
      project, visibleProjects, openScoring, records, origin: 'import', foundBy: singleAddition
    })
    if (rejection !== undefined) {
      // The reason quotes the record, which strangers wrote.
      context.log.warn({ source: record.source.name, reason: rejection.reason }, 'The record of a paper to add is invalid.')
      throw new PermanentFailure(invalidRecord)
    }
    await enqueueSummaries(context, project, created)
    const item = await findAdded(context, project_id, sought, record)
    if (item === undefined) throw new PermanentFailure(unknownInFeed)
    return { item_id: item.item_id }
  }
})

/** The item of a record that was ingested. The stored paper may lack the identifier that was looked up, if another one is its own. */
async function findAdded (context: Context, projectId: string, sought: SoughtPaper, record: PaperRecord) {
  const { source: { name: source }, source_paper_id: id, title } = record
  for (const each of [sought, ...identifiersOf(record)]) {
    const item = await findInFeed(context, projectId, each)
    if (item !== undefined) return item
  }
  const { db, account } = context
  const ofSource = id === null ? undefined : await findItemBySourceId(db, account.id, projectId, { source, id })
  // A paper is also found by its title without the subtitle.
  return ofSource ?? await findInFeed(context, projectId, { kind: 'title', value: title })
}

/** The item of a feed whose paper has the identifier, or exactly the title. */
export const findInFeed = async (context: KeyedCaller, projectId: string, sought: SoughtPaper) => sought.kind === 'title'
  ? await findTitledItem(context, projectId, sought.value)
  : await findItemByIdentifier(context.db, context.account.id, projectId, allVersions(sought), context.key?.projectIds)

/** @throws PermanentFailure if all sources are disabled, or several papers have the title; SourceError */
async function askSources (context: Context, sought: SoughtPaper) {
  try {
    return sought.kind === 'title' ? await lookUpTitle(context, sought.value, dayOf(context.now())) : await lookUp(context, sought)
  } catch (cause) {
    if (cause instanceof AmbiguousTitle) throw new PermanentFailure(ambiguousTitle, { cause })
    throw cause instanceof SourcesDisabled ? new PermanentFailure(cause.message, { cause }) : cause
  }
}

/** @throws PermanentFailure if the page states no identifier */
async function readPage ({ sources, signal }: Context, address: string) {
  try {
    return await findOnPage(sources.pages, address, signal)
  } catch (cause) {
    throw cause instanceof UnusablePage ? new PermanentFailure(cause.message, { cause }) : cause
  }
}
