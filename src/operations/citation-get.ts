import { findItem } from '../../db/queries/feed.js'
import { CitationInput, CitationResult } from '../../schemas/citation.js'
import { citationFormats } from '../citations/formats.js'
import { operation } from './operation.js'
import { paperOf } from './records.js'
import { itemIdOf } from './references.js'

/** @throws PaperNotFound, AmbiguousShortId, AmbiguousReference */
export const citationGet = operation({
  name: 'citation_get',
  title: 'Cite a paper',
  description: 'Gives the reference of a feed item\'s paper as BibTeX or RIS.',
  input: CitationInput,
  output: CitationResult,
  async run (context, { ref, format = 'bibtex' }) {
    const item = (await findItem(context.db, context.account.id, await itemIdOf(context, ref)))!
    const { type, extension, write } = citationFormats[format]
    return { media_type: type, file_name: `${item.slug}.${extension}`, text: write(paperOf(item), new Set()) }
  }
})
