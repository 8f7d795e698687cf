import { type Converted, NotConvertible } from '../converted.js'
import { writeMarkdown } from '../markdown/write.js'
import { articleOf } from './article.js'
import { descendants, firstChild, named } from '../dom/element.js'
import { readXml } from '../dom/read-xml.js'

/**
 * An article in TEI, as GROBID writes it, as Markdown.
 *
 * @throws NotConvertible damaged, not_this_format, no_text, too_large
 * @see https://grobid.readthedocs.io/en/latest/TEI-encoding-of-results/
 */
export function teiToMarkdown (text: string): Converted {
  const root = readXml(text.replace(/^\uFEFF/, ''))
  if (root.name !== 'TEI') throw new NotConvertible('not_this_format', `The document is no article in TEI: its outermost element is "${root.name.slice(0, 100)}".`)
  const blocks = articleOf(root)
  if (!blocks.some(block => block.kind !== 'heading')) throw new NotConvertible('no_text', 'No text was found in the article.')
  const [application] = descendants(firstChild(root, 'teiHeader'), named('application'))
  const converter = ['grobid', application?.attributes.version].filter(each => each !== undefined).join(' ').slice(0, 100)
  return { markdown: writeMarkdown(blocks), converter, pages: null, warnings: [] }
}
