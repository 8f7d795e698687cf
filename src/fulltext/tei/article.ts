import { type Block, heading, isBlank, paragraph, strong } from '../markdown/document.js'
import { childElements, descendants, type Element, firstChild, hasName, plainTextOf } from '../dom/element.js'
import { blockOf, blocksOf } from './blocks.js'
import { inlineOf } from './inline.js'
import { referencesOf } from './references.js'

const headings: Record<string, string> = {
  acknowledgement: 'Acknowledgements',
  funding: 'Funding',
  availability: 'Data availability',
  annex: 'Appendix',
  conflict: 'Conflicts of interest',
  contribution: 'Author contributions'
}

/** The article's blocks: title, abstract, keywords, body, figures, notes, back matter, references. */
export function articleOf (root: Element): Block[] {
  const header = firstChild(root, 'teiHeader')
  const text = firstChild(root, 'text')
  const body = firstChild(text, 'body')
  const isNote = hasName('note')
  return [
    ...titleOf(header),
    ...abstractOf(header),
    ...keywordsOf(header),
    ...childElements(body).filter(each => !isNote(each)).flatMap(each => blockOf(each)),
    ...childElements(firstChild(text, 'back')).flatMap(backMatterOf),
    ...notesOf(childElements(body, 'note')),
    ...referencesOf(text)
  ]
}

function titleOf (header: Element | undefined): Block[] {
  const title = inlineOf(descendants(header, hasName('titleStmt')).flatMap(each => childElements(each, 'title'))[0])
  return isBlank(title) ? [] : [heading(1, ...title)]
}

function abstractOf (header: Element | undefined): Block[] {
  const blocks = blocksOf(descendants(header, hasName('abstract'))[0], 1)
  return blocks.length === 0 ? [] : [heading(2, 'Abstract'), ...blocks]
}

function keywordsOf (header: Element | undefined): Block[] {
  const words = descendants(header, hasName('keywords'))
    .flatMap(each => descendants(each, hasName('term')))
    .map(plainTextOf)
    .filter(word => word !== '')
  return words.length === 0 ? [] : [paragraph(strong('Keywords:'), ` ${words.join(', ')}`)]
}

/** Headings for typed parts whose own heading GROBID missed. */
function backMatterOf (part: Element): Block[] {
  if (part.name !== 'div' || descendants(part, hasName('listBibl')).length > 0) return []
  const blocks = blocksOf(part)
  const title = headings[part.attributes.type ?? '']
  return blocks.length === 0 || blocks[0]!.kind === 'heading' || title === undefined ? blocks : [heading(2, title), ...blocks]
}

function notesOf (notes: Element[]): Block[] {
  const blocks = notes.filter(note => note.attributes.place === 'foot').map(note => {
    const mark = note.attributes.n ?? ''
    return paragraph(...(mark === '' ? [] : [{ kind: 'superscript' as const, content: [mark] }, ' ']), ...inlineOf(note))
  })
  return blocks.length === 0 ? [] : [heading(2, 'Footnotes'), ...blocks]
}
