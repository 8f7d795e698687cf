import { findCitations } from '../../../db/queries/citations.js'
import { findPaper, findPaperInFeeds, findVersions } from '../../../db/queries/papers.js'
import { PaperGetInput, PaperResult } from '../../../schemas/paper.js'
import { requireRecord } from '../../errors/deleted-records.js'
import { operation } from '../operation.js'
import { briefPaper } from '../../papers/brief.js'
import { paperOf } from '../../papers/records.js'
import { resolveReadablePaperId } from '../../papers/references.js'

/** @throws PaperNotFound, AmbiguousShortId */
export const paperGet = operation({
  name: 'paper_get',
  title: 'Get a paper',
  description: [
    'Returns a paper\'s record, with abstract and links.',
    'paper_markdown has its full text, or fetches it.',
    'pdf_url is null unless a source states an open PDF.',
    'Example: {"paper_id": "3f9a1c20"}'
  ].join(' '),
  input: PaperGetInput,
  output: PaperResult,
  scope: 'read',
  async handler (context, { paper_id, detail }) {
    const { db, account, key } = context
    const id = await resolveReadablePaperId(context, paper_id)
    const [paper, projects, versions, citations] = await Promise.all([
      findPaper(db, account.id, id, key?.projectIds),
      findPaperInFeeds(db, account.id, id, key?.projectIds),
      findVersions(db, account.id, id, key?.projectIds),
      findCitations(db, account.id, id)
    ])
    const record = paperOf(requireRecord(paper))
    return { ...(detail === 'brief' ? briefPaper(record) : record), cited_by: citations?.cited_by ?? null, projects, versions }
  }
})
