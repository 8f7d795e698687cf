import { type ConverterResult, NotConvertible } from '../converter-result.js'
import { articleOf } from './article.js'
import { writeMarkdown } from '../markdown/write.js'
import { descendants, firstChild, hasText } from '../dom/element.js'
import { readXml } from '../dom/read-xml.js'

/**
 * Converts a JATS article to Markdown, also inside the envelopes of PubMed Central and OAI-PMH.
 *
 * @throws NotConvertible damaged, not_this_format, no_text, too_large
 * @see https://jats.nlm.nih.gov/
 */
export function jatsToMarkdown (text: string): ConverterResult {
  const root = readXml(text.replace(/^\uFEFF/, ''))
  const [article] = descendants(
    { name: '', attributes: {}, children: [root] },
    each => each.name === 'article' && firstChild(each, 'front', 'body') !== undefined
  )
  if (article === undefined) throw new NotConvertible('not_this_format', 'The document is not a JATS article.')
  if (!hasText(firstChild(article, 'body'))) {
    throw new NotConvertible(
      'no_text',
      'The document has no text of the article, only data about it: its publisher does not give the text as XML.'
    )
  }
  const { blocks, warnings } = articleOf(article)
  const markdown = writeMarkdown(blocks)
  if (markdown === '') throw new NotConvertible('no_text', 'No text was found in the article.')
  return { markdown, converter: 'litfeed-jats 1', pages: null, warnings }
}
