import { findCitations } from '../../../db/queries/citations.js'
import { listCitedLikes } from '../../../db/queries/signals.js'
import { PaperInput, PaperReferencesResult } from '../../../schemas/paper.js'
import { paperIdOf } from '../../papers/references.js'
import { operation } from '../operation.js'

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
    const [stated, liked] = await Promise.all([
      findCitations(db, account.id, id),
      listCitedLikes(db, account.id, id, key?.projectIds)
    ])
    return { references: stated?.cited ?? [], cited_by: stated?.cited_by ?? null, liked }
  }
})
