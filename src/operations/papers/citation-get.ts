import { findPaper } from '../../../db/queries/papers.js'
import { CitationResult } from '../../../schemas/citation.js'
import { citationFormat, plainList } from '../../papers/citations/formats.js'
import { operation } from '../operation.js'
import { paperOf } from '../../papers/records.js'
import { recordCitation } from '../../papers/record-citation.js'
import { resolvePaperId } from '../../papers/references.js'
import { requireRecord } from '../../errors/deleted-records.js'
import { CitationInput, citationTitles } from '../../papers/citations/schemas.js'

/** @throws PaperNotFound, AmbiguousShortId */
export const citationGet = operation({
  name: 'citation_get',
  title: 'Cite a paper',
  description: `Returns the reference of a feed item's paper as ${citationTitles}.`,
  input: CitationInput,
  output: CitationResult,
  scope: 'read',
  async handler (context, { ref, format }) {
    const { db, account, key } = context
    const paper = requireRecord(await findPaper(db, account.id, await resolvePaperId(context, ref), key?.projectIds))
    const { type, extension, write, list: { begin, end } = plainList } = citationFormat(format)
    await recordCitation(context, paper.id)
    return { media_type: type, file_name: `${paper.slug}.${extension}`, text: `${begin}${write(paperOf(paper), new Map())}${end}` }
  }
})
