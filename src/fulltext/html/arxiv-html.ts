import { articleOf } from './article.js'
import { has } from './classes.js'
import { type Converted, NotConvertible } from '../converted.js'
import { writeMarkdown } from '../markdown/write.js'
import { descendants } from '../dom/element.js'
import { readHtml } from '../dom/read-html.js'

/**
 * A paper as arXiv makes it HTML of TeX, by LaTeXML, as Markdown; its formulas keep their TeX.
 *
 * @throws NotConvertible damaged, not_this_format, no_text, too_large
 * @see https://math.nist.gov/~BMiller/LaTeXML/manual/
 */
export function arxivHtmlToMarkdown (text: string): Converted {
  const [article] = descendants(readHtml(text), has('ltx_document'))
  if (article === undefined) throw new NotConvertible('not_this_format', 'The page holds no paper that was made of TeX.')
  const { blocks, warnings } = articleOf(article)
  // A title and an abstract are what the paper's record has already.
  if (!blocks.some(block => block.kind !== 'heading')) throw new NotConvertible('no_text', 'No text was found in the page.')
  return { markdown: writeMarkdown(blocks), converter: 'litfeed-arxiv-html 1', pages: null, warnings }
}
