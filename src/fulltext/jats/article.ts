import { type Block, heading, isBlank, joined, paragraph, strong } from '../markdown/document.js'
import { childElements, descendants, type Element, firstChild, hasText, isElement, hasName, plainTextOf } from '../dom/element.js'
import { blockOf, sectionContent, sectionOf } from './blocks.js'
import { type Conversion, startConversion } from './conversion.js'
import { inlineOf } from './inline.js'
import { citedNumbers, isCitedByPlace, referencesOf } from './references.js'

/** The article's blocks: title, abstracts, keywords, body, back matter, references. Reviews and responses are omitted. */
export function articleOf (article: Element): { blocks: Block[], warnings: string[] } {
  const conversion = startConversion(article)
  const meta = firstChild(firstChild(article, 'front'), 'article-meta') ?? firstChild(article, 'front-stub')
  const front = [...titleOf(meta, conversion), ...abstractsOf(meta, conversion), ...keywordsOf(meta)]
  const body = sectionContent(firstChild(article, 'body')!, 2, conversion)
  const back = firstChild(article, 'back')
  const numbers = citedNumbers(article)
  const references = [firstChild(article, 'body'), back]
    .flatMap(part => descendants(part, hasName('ref-list')))
    .flatMap(list => referencesOf(list, 2, conversion, { isNumbered: isCitedByPlace(list, numbers) }))
  const matter = [
    ...childElements(back).flatMap(each => backMatterOf(each, conversion)),
    ...statementsOf(firstChild(article, 'front'), { meta, back }, conversion)
  ]
  // Floats that the text never refers to.
  const rest = [...conversion.floats.values()].flatMap(float => blockOf(float, 3, conversion))
  const floats = rest.length === 0 ? [] : [heading(2, 'Figures and tables'), ...rest]
  const footnotes = conversion.footnotes.length === 0 ? [] : [heading(2, 'Footnotes'), ...conversion.footnotes.flat()]
  return { blocks: [...front, ...body, ...floats, ...matter, ...footnotes, ...references], warnings: [...conversion.warnings] }
}

function titleOf (meta: Element | undefined, conversion: Conversion): Block[] {
  const group = firstChild(meta, 'title-group') ?? meta
  const title = inlineOf(withoutNotes(firstChild(group, 'article-title')), conversion)
  const subtitle = inlineOf(withoutNotes(firstChild(group, 'subtitle')), conversion)
  if (isBlank(title)) return []
  return [
    heading(
      1,
      ...title,
      ...(isBlank(subtitle) ? [] : [/[:.?!]\s*$/.test(plainTextOf(firstChild(group, 'article-title'))) ? ' ' : ': ', ...subtitle])
    )
  ]
}

/** Removes a title's note marks, because their notes are omitted. */
const withoutNotes = (title: Element | undefined): Element | undefined =>
  title === undefined
    ? undefined
    : { ...title, children: title.children.filter(node => !isElement(node) || !['fn', 'xref'].includes(node.name)) }

const headings: Record<string, string> = {
  graphical: 'Graphical abstract',
  summary: 'Summary',
  'author-highlights': 'Highlights',
  'plain-language-summary': 'Plain-language summary',
  'executive-summary': 'Summary',
  teaser: 'Summary',
  toc: 'Summary',
  short: 'Summary'
}

/** Selects abstracts: no scanned pages, and other languages only without one in the article's language. */
function abstractsOf (meta: Element | undefined, conversion: Conversion): Block[] {
  const own = childElements(meta, 'abstract')
  return (own.length > 0 ? own : childElements(meta, 'trans-abstract'))
    .filter(each => hasText(each) && !each.attributes['abstract-type']?.startsWith('scanned'))
    .flatMap(abstract => {
      const blocks = sectionContent(abstract, 3, conversion)
      return blocks.length === 0
        ? []
        : [
            ...sectionOf(
              { ...abstract, children: childElements(abstract, 'title') },
              2,
              conversion,
              headings[abstract.attributes['abstract-type'] ?? ''] ?? 'Abstract'
            ),
            ...blocks
          ]
    })
}

function keywordsOf (meta: Element | undefined): Block[] {
  const words = childElements(meta, 'kwd-group').filter(group => !/abbr/.test(group.attributes['kwd-group-type'] ?? ''))
    .flatMap(group => descendants(group, hasName('kwd', 'compound-kwd')).map(each => plainTextOf(each))).filter(each => each !== '')
  return words.length === 0 ? [] : [paragraph(strong('Keywords:'), ' ', ...joined([...new Set(words)].map(word => [word]), ', '))]
}

/** Statements about the article that some publishers keep in its front, by where they stand: a path of names, and types of the last. */
const statements: ReadonlyArray<[heading: string, path: readonly string[], types?: RegExp]> = [
  ['Funding', ['funding-group', 'funding-statement']],
  ['Funding', ['author-notes', 'fn'], /^financial-disclosure$/i],
  ['Competing interests', ['author-notes', 'fn'], /^(?:coi-statement|conflict)$/i],
  ['Author contributions', ['author-notes', 'fn'], /^con$/i]
]

/** Characters of a statement by which a repetition is recognized. */
const maxComparedLength = 80

/** The statements that the back does not repeat. */
function statementsOf (
  front: Element | undefined,
  { meta, back }: { meta: Element | undefined, back: Element | undefined },
  conversion: Conversion
): Block[] {
  let known = plainTextOf(back)
  const isNew = (element: Element) =>
    hasText(element) && !known.includes(plainTextOf(childElements(element, 'p')[0] ?? element).slice(0, maxComparedLength))
  const stated = statements.flatMap(([title, path, types]) =>
    path.reduce((parents, name) => parents.flatMap(each => childElements(each, name)), meta === undefined ? [] : [meta])
      .filter(each => (types?.test(each.attributes['fn-type'] ?? '') ?? true) && isNew(each))
      .map(each => ({ title, content: statementOf(each, conversion) })))
  const ofTitle = new Map<string, Block[]>()
  for (const { title, content } of stated) ofTitle.set(title, [...ofTitle.get(title) ?? [], ...content])
  // Notes without a title are about the typesetting.
  const notes = childElements(front, 'notes').filter(each => firstChild(each, 'title') !== undefined && isNew(each))
  known += notes.map(plainTextOf).join(' ')
  return [
    ...[...ofTitle].flatMap(([title, content]) => content.length === 0 ? [] : [heading(2, title), ...content]),
    ...notes.flatMap(each => backMatterOf(each, conversion)),
    ...dataAvailabilityOf(meta, isNew, conversion)
  ]
}

function statementOf (element: Element, conversion: Conversion): Block[] {
  const paragraphs = childElements(element, 'p')
  return (paragraphs.length === 0 ? [element] : paragraphs).map(each => paragraph(...inlineOf(each, conversion)))
}

/** The statement that PLOS repeats as custom metadata, unless the notes or the back have it. */
function dataAvailabilityOf (meta: Element | undefined, isNew: (element: Element) => boolean, conversion: Conversion): Block[] {
  const stated = descendants(firstChild(meta, 'custom-meta-group'), hasName('custom-meta'))
    .find(each => /^data availability$/i.test(plainTextOf(firstChild(each, 'meta-name'))))
  const value = firstChild(stated, 'meta-value')
  return value === undefined || !isNew(value)
    ? []
    : [heading(2, 'Data availability'), paragraph(...inlineOf(value, conversion))]
}

const backHeadings: Record<string, string> = { ack: 'Acknowledgements', glossary: 'Abbreviations', 'fn-group': 'Notes', app: 'Appendix' }

function backMatterOf (element: Element, conversion: Conversion): Block[] {
  switch (element.name) {
    case 'ref-list': case 'bio': case 'title': case 'label': return []
    case 'app-group': return childElements(element).flatMap(each => backMatterOf(each, conversion))
    case 'sec': case 'notes': case 'ack': case 'app': case 'glossary': case 'fn-group': {
      const content = sectionContent(element, 3, conversion)
      return content.length === 0
        ? []
        : [
            ...sectionOf({ ...element, children: childElements(element, 'title', 'label') }, 2, conversion, backHeadings[element.name]),
            ...content
          ]
    }
    default: return blockOf(element, 3, conversion)
  }
}
