import { type Block, heading, isBlank, joined, paragraph } from '../markdown/document.js'
import { numberedList } from '../markdown/lists.js'
import { descendants, type Element, plainTextOf } from '../dom/element.js'
import { hasClass } from './classes.js'
import type { Conversion } from './conversion.js'
import { inlineOf } from './inline.js'

/** Back links from an entry to its citations, which only work on the page. */
const isCitedAt = (element: Element): boolean => hasClass('ltx_bib_cited')(element) || /^Cited by:/.test(plainTextOf(element))

/** The bibliography, one item per entry. Removes natbib's labels of authors and years, which repeat the entry. */
export function referencesOf (bibliography: Element, level: number, conversion: Conversion): Block[] {
  const items = descendants(bibliography, hasClass('ltx_bibitem')).map(item => {
    const label = plainTextOf(descendants(item, hasClass('ltx_tag_bibitem'))[0])
    const pieces = descendants(item, hasClass('ltx_bibblock'))
      .filter(each => !isCitedAt(each))
      .map(each => inlineOf(each, conversion))
      .filter(each => !isBlank(each))
    return { label: /^[[(]?\d+[\])]?\.?$/.test(label) ? label : '', blocks: pieces.length === 0 ? [] : [paragraph(...joined(pieces, ' '))] }
  })
  const list = numberedList(items, false)
  if (list.length === 0) return []
  const title = inlineOf(descendants(bibliography, hasClass('ltx_title_bibliography'))[0], conversion)
  return [heading(level, ...(isBlank(title) ? ['References'] : title)), ...list]
}
