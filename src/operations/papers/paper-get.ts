import { findPaper, findPaperInFeeds, findVersions } from '../../../db/queries/papers.js'
import { PaperInput, PaperResult } from '../../../schemas/paper.js'
import { operation } from '../operation.js'
import { paperOf } from '../../papers/records.js'
import { paperIdOf } from '../../papers/references.js'

/** @throws PaperNotFound, AmbiguousShortId */
export const paperGet = operation({
  name: 'paper_get',
  title: 'Get a paper',
  description: [
    'Gives one paper: title, authors, abstract, identifiers, links, venue, metadata, whether its full text is ready (markdown_ready), and which of the user\'s feeds have it.',
    'Use it for details or a citation, with an id or short_id from feed_get or feed_search.',
    'For the full text use paper_markdown. pdf_url is null unless a source states an open PDF.',
    'Example: {"paper_id": "3f9a1c20"}'
  ].join(' '),
  input: PaperInput,
  output: PaperResult,
  async handler (context, { paper_id }) {
    const id = await paperIdOf(context, paper_id)
    const [paper, projects, versions] = await Promise.all([findPaper(context.db, context.account.id, id), findPaperInFeeds(context.db, context.account.id, id), findVersions(context.db, context.account.id, id)])
    return { ...paperOf(paper!), projects, versions }
  }
})
