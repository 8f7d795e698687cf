import { findCitations } from '../../../db/queries/citations.js'
import { type CitedIds, listCitedLikes } from '../../../db/queries/signals.js'
import { PaperInput, PaperReferencesResult } from '../../../schemas/paper.js'
import { doiVersions, idsIn } from '../../papers/identifiers.js'
import { paperIdOf } from '../../papers/references.js'
import { operation } from '../operation.js'

const isDoi = (id: string): boolean => id.startsWith('10.')

/** In one order, whichever source was fetched first. */
const doisFirst = (ids: readonly string[]): string[] => [...ids.filter(isDoi), ...ids.filter(id => !isDoi(id))]

/** References by kind. A DOI stands for all versions of its work, of which one may be stored. */
function citedIdsOf (references: readonly string[]): CitedIds {
  const dois = references.filter(isDoi)
  return {
    dois: dois.flatMap(doiVersions),
    arxivIds: dois.map(doi => idsIn([doi]).arxiv).filter(id => id !== null),
    pmids: references.filter(id => /^\d/.test(id) && !isDoi(id)),
    openalexIds: references.filter(id => id.startsWith('W'))
  }
}

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
    const id = await paperIdOf(context, paper_id)
    const stated = await findCitations(db, account.id, id)
    const references = doisFirst(stated?.cited ?? [])
    const liked = (await listCitedLikes(db, account.id, citedIdsOf(references), key?.projectIds)).filter(each => each.paper_id !== id)
    return { references, cited_by: stated?.cited_by ?? null, liked }
  }
})
