import { articleOf } from './article.js'
import { hasClass } from './classes.js'
import { type ConverterResult, NotConvertible } from '../converter-result.js'
import { writeMarkdown } from '../markdown/write.js'
import { descendants } from '../dom/element.js'
import { readHtml } from '../dom/read-html.js'

/**
 * Converts arXiv's HTML, which LaTeXML makes from TeX, to Markdown. Formulas keep their TeX.
 *
 * @throws NotConvertible damaged, not_this_format, no_text, too_large
 * @see https://math.nist.gov/~BMiller/LaTeXML/manual/
 */
export function arxivHtmlToMarkdown (text: string): ConverterResult {
  const [article] = descendants(readHtml(text), hasClass('ltx_document'))
  if (article === undefined) throw new NotConvertible('not_this_format', 'The page contains no paper converted from TeX.')
  const { blocks, warnings } = articleOf(article)
  // The paper's record already has the title and the abstract.
  if (!blocks.some(block => block.kind !== 'heading')) throw new NotConvertible('no_text', 'No text was found in the page.')
  return { markdown: writeMarkdown(blocks), converter: 'litfeed-arxiv-html 1', pages: null, warnings }
}
