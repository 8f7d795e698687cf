import { findCitations } from '../../../db/queries/citations.js'
import { listCitedLikes } from '../../../db/queries/signals.js'
import { PaperInput, PaperReferencesResult } from '../../../schemas/paper.js'
import { citedIdsOf, isDoi, type WorkIds, workIdsOf } from '../../papers/cited-ids.js'
import { versionlessDoi } from '../../papers/doi-versions.js'
import { resolvePaperId } from '../../papers/references.js'
import { operation } from '../operation.js'

/** In one order, whichever source was fetched first. */
const doisFirst = (ids: readonly string[]): string[] => [...ids.filter(isDoi), ...ids.filter(id => !isDoi(id))]

/** @throws PaperNotFound, AmbiguousShortId */
export const paperReferences = operation({
  name: 'paper_references',
  title: 'References of a paper',
  description:
    'Returns the works that a paper cites, by identifiers, how often it is cited, and the papers among them that you starred or upvoted.',
  input: PaperInput,
  output: PaperReferencesResult,
  scope: 'read',
  async handler (context, { paper_id }) {
    const { db, account, key } = context
    const id = await resolvePaperId(context, paper_id)
    const stated = await findCitations(db, account.id, id)
    const references = doisFirst(stated?.cited ?? [])
    const own = new Set(stated === undefined ? [] : workIdsOf(stated).map(versionlessDoi))
    const cited = new Set(references.map(versionlessDoi))
    const isOneOf = (ids: ReadonlySet<string>, work: WorkIds) => workIdsOf(work).some(each => ids.has(versionlessDoi(each)))
    const liked = (await listCitedLikes(db, account.id, citedIdsOf(references), key?.projectIds))
      .filter(each => each.paper_id !== id && isOneOf(cited, each) && !isOneOf(own, each))
      .map(({ project_id, paper_id, title, vote }) => ({ project_id, paper_id, title, vote }))
    return { references, cited_by: stated?.cited_by ?? null, liked }
  }
})
