import { Type } from 'typebox'
import { findItemByIdentifier } from '../../../db/queries/identifiers.js'
import { ownsProject } from '../../../db/queries/projects.js'
import { PaperAddInput } from '../../../schemas/feed.js'
import { InvalidArguments, ProjectNotFound } from '../../errors/operation-errors.js'
import { PermanentFailure } from '../../jobs/failures.js'
import { enqueueSummaries } from '../../jobs/new-jobs.js'
import { ingestFetched } from '../../papers/ingest-fetched.js'
import { allVersions, type PastedIdentifier, pastedIdentifier } from '../../papers/pasted-identifier.js'
import { learnedModel } from '../../relevance/learned-model.js'
import { signalReader } from '../../relevance/signals.js'
import { SourcesDisabled } from '../../sources/disabled.js'
import { lookUp } from '../../sources/lookup.js'
import type { Context } from '../context.js'
import { operation } from '../operation.js'

/** The failure of a job when no source has the paper. */
export const paperNotInSources = 'No source has a paper with this identifier. Check it, or import the record from a file.'

/** The maximum of an identifier in a paper's record. */
const maxIdentifierLength = 512

/** @throws InvalidArguments for a text that is no identifier */
export function readIdentifier (text: string): PastedIdentifier {
  const identifier = pastedIdentifier(text, { digitsArePmid: true })
  if (identifier !== undefined && identifier.value.length <= maxIdentifierLength) return identifier
  throw new InvalidArguments(
    `identifier is ${JSON.stringify(text.slice(0, 80))}. Allowed: a DOI, PMID, PMCID or arXiv id, as such or as an address, such as ` +
      '10.1000/xyz123, PMID 12345678, PMC1234567 or https://arxiv.org/abs/2401.01234.',
    { userMessage: 'This is not a DOI, PMID, PMCID or arXiv id.' }
  )
}

export interface LookupContext extends Context { signal?: AbortSignal }

/**
 * Asks the sources for a paper and adds it to a project.
 * @throws ProjectNotFound, PermanentFailure if no source has it or all are disabled, SourceError
 */
export const paperLookup = operation({
  name: 'paper_lookup',
  title: 'Look up a paper',
  description: 'Asks the sources for a paper by its identifier and adds it to a project.',
  input: PaperAddInput,
  output: Type.Object({ item_id: Type.Union([Type.String(), Type.Null()]) }),
  async handler (context: LookupContext, { project_id, identifier: written }) {
    const { db, account, now, relevance } = context
    const identifier = readIdentifier(written)
    if (!await ownsProject(db, account.id, project_id)) throw new ProjectNotFound(project_id)
    const record = await lookUp(context, identifier).catch((cause: unknown) => {
      throw cause instanceof SourcesDisabled ? new PermanentFailure(cause.message, { cause }) : cause
    })
    if (record === undefined) throw new PermanentFailure(paperNotInSources)
    const project = { id: project_id, account_id: account.id }
    const { created } = await ingestFetched({
      db,
      now,
      // The user asked for it: it stays whatever its score.
      entersFeed: () => true,
      score: async (scoring, records) => {
        const signals = await signalReader(db, account.id, project_id)
        return await relevance.score(scoring, await learnedModel(db, account.id, project_id), await signals.ofRecords(records))
      }
    }, { project, records: [{ place: 1, record }], origin: 'import' })
    await enqueueSummaries(context, project, created)
    return { item_id: (await findItemByIdentifier(db, account.id, project_id, allVersions(identifier)))?.item_id ?? null }
  }
})
