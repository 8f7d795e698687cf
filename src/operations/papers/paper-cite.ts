import { findPaper } from '../../../db/queries/papers.js'
import { PaperCiteResult } from '../../../schemas/citation.js'
import { requireRecord } from '../../errors/deleted-records.js'
import { citationFormat } from '../../papers/citations/formats.js'
import { PaperCiteInput } from '../../papers/citations/schemas.js'
import { paperOf } from '../../papers/records.js'
import { recordCitation } from '../../papers/record-citation.js'
import { resolveReadablePaperId } from '../../papers/references.js'
import { operation } from '../operation.js'

/** @throws PaperNotFound, AmbiguousShortId */
export const paperCite = operation({
  name: 'paper_cite',
  title: 'Cite a paper',
  description: [
    'Returns the reference of a paper in one format.',
    'Use it for a bibliography or a citation in a text, and copy it as it is; paper_get has the fields one by one.',
    'For many papers, the user can export the feed on its page.',
    'Example: {"paper_id": "3f9a1c20", "format": "text"}'
  ].join(' '),
  input: PaperCiteInput,
  output: PaperCiteResult,
  scope: 'read',
  async handler (context, { paper_id, format }) {
    const { db, account, key } = context
    const id = await resolveReadablePaperId(context, paper_id)
    const paper = requireRecord(await findPaper(db, account.id, id, key?.projectIds))
    await recordCitation(context, paper.id)
    // A bibliography needs neither, and they would be most of what a model reads.
    const { abstract: _abstract, metadata: { keywords: _keywords, ...metadata }, ...cited } = paperOf(paper)
    const citation = citationFormat(format).write({ ...cited, abstract: null, metadata }, new Map()).trimEnd()
    return { paper_id: paper.id, format, citation }
  }
})
