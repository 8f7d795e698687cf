import { Type } from 'typebox'
import { citationGet } from '../../../operations/papers/citation-get.js'
import { downloadPage } from '../page.js'

/** A paper's citation as a download. */
export const citationPage = downloadPage({
  url: '/papers/:paper_id/citation',
  operations: [citationGet],
  query: Type.Object({ paper_id: citationGet.input.properties.ref, format: citationGet.input.properties.format }),
  async show (context, { paper_id, ...input }) {
    const { media_type, file_name, text } = await citationGet.run(context, { ref: paper_id, ...input })
    return { file: { body: text, type: media_type, name: file_name } }
  }
})
