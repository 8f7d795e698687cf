import { type ConverterResult, NotConvertible } from '../converter-result.js'
import { writeMarkdown } from '../markdown/write.js'
import { articleOf } from './article.js'
import { descendants, firstChild, hasName } from '../dom/element.js'
import { readXml } from '../dom/read-xml.js'

/**
 * Converts GROBID's TEI to Markdown.
 *
 * @throws NotConvertible damaged, not_this_format, no_text, too_large
 * @see https://grobid.readthedocs.io/en/latest/TEI-encoding-of-results/
 */
export function teiToMarkdown (text: string): ConverterResult {
  const root = readXml(text.replace(/^\uFEFF/, ''))
  if (root.name !== 'TEI') throw new NotConvertible('not_this_format', 'The document is not a TEI article.')
  const blocks = articleOf(root)
  if (!blocks.some(block => block.kind !== 'heading')) throw new NotConvertible('no_text', 'No text was found in the article.')
  const [application] = descendants(firstChild(root, 'teiHeader'), hasName('application'))
  const converter = ['grobid', application?.attributes.version].filter(each => each !== undefined).join(' ').slice(0, 100)
  return { markdown: writeMarkdown(blocks), converter, pages: null, warnings: [] }
}
