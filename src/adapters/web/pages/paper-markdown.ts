import { PaperInput } from '../../../../schemas/paper.js'
import { NotFound } from '../../../errors/operation-errors.js'
import { paperGet } from '../../../operations/papers/paper-get.js'
import { paperMarkdown } from '../../../operations/papers/paper-markdown.js'
import { downloadPage } from '../page.js'

/** A paper's full text as a Markdown download. */
export const paperMarkdownPage = downloadPage({
  url: '/papers/:paper_id/markdown',
  operations: [paperGet, paperMarkdown],
  query: PaperInput,
  async show (context, { paper_id }) {
    const { slug } = await paperGet.run(context, { paper_id })
    const { markdown } = await paperMarkdown.run(context, { paper_id })
    if (markdown === undefined) throw new NotFound('The text of this paper is not ready. Open the paper to see its progress.')
    return { file: { body: markdown, type: 'text/markdown; charset=utf-8', name: `${slug}.md` } }
  }
})
