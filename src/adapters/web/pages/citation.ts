import { Type } from 'typebox'
import { CitationFormat } from '../../../../schemas/citation.js'
import { PaperReference } from '../../../../schemas/ids.js'
import { citationGet } from '../../../operations/papers/citation-get.js'
import { accountPage } from '../page.js'

/** One paper's reference to save. */
export const citationPage = accountPage({
  url: '/papers/:paper_id/citation',
  query: Type.Object({ paper_id: PaperReference, format: Type.Optional(CitationFormat) }),
  async show (context, { paper_id, ...input }) {
    const { media_type, file_name, text } = await citationGet.run(context, { ref: paper_id, ...input })
    return { file: { body: text, type: media_type, name: file_name } }
  }
})
