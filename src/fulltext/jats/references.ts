import { type Block, emphasis, type Inline, isBlank, joined, paragraph } from '../markdown/document.js'
import { doiLink, link } from '../markdown/link.js'
import { numberedList } from '../markdown/lists.js'
import { childElements, descendants, type Element, firstChild, hasOwnText, isElement, hasName, plainTextOf } from '../dom/element.js'
import { headingOf } from './blocks.js'
import type { Conversion } from './conversion.js'
import { inlineNode, inlineOf } from './inline.js'

const isCitation = hasName('mixed-citation', 'element-citation', 'citation', 'nlm-citation')

const alternatives = ['name-alternatives', 'collab-alternatives', 'collab-name-alternatives']

/** The first of the forms of a name, such as those in two scripts. */
const formOf = (element: Element): Element =>
  alternatives.includes(element.name) ? firstChild(element, 'name', 'string-name', 'collab', 'collab-name') ?? element : element

/** The numbers that an article cites its references by, by their ids. */
export function citedNumbers (article: Element): Map<string, Set<string>> {
  const numbers = new Map<string, Set<string>>()
  for (const citation of descendants(article, hasName('xref'))) {
    const { rid, 'ref-type': type } = citation.attributes
    const text = plainTextOf(citation).replace(/^[[(]|[\])]$/g, '')
    if (rid === undefined || type !== 'bibr' || !/^\d+$/.test(text)) continue
    numbers.set(rid, (numbers.get(rid) ?? new Set()).add(text))
  }
  return numbers
}

/** Whether the references of a list are cited by their places in it, although they have no labels: then each needs its number. */
export function isCitedByPlace (list: Element, numbers: ReturnType<typeof citedNumbers>): boolean {
  const references = childElements(list, 'ref')
  if (references.some(each => plainTextOf(firstChild(each, 'label')) !== '')) return false
  const cited = references.flatMap(({ attributes: { id } }, at) =>
    [...numbers.get(id ?? '') ?? []].map(number => number === String(at + 1)))
  return cited.length > 0 && cited.every(isPlace => isPlace)
}

/**
 * A list of references with its nested lists.
 * @param isNumbered whether references without labels are numbered
 */
export function referencesOf (
  list: Element,
  level: number,
  conversion: Conversion,
  { otherwise = 'References', isNumbered = false } = {}
): Block[] {
  const items = childElements(list, 'ref').map(reference => ({
    label: plainTextOf(firstChild(reference, 'label')) || plainTextOf(firstChild(childElements(reference).find(isCitation), 'label')),
    blocks: [referenceOf(reference, conversion)].filter(content => !isBlank(content)).map(content => paragraph(...content))
  }))
  const before = childElements(list, 'p').map(each => paragraph(...inlineOf(each, conversion)))
  const blocks = [
    ...before,
    ...numberedList(items, isNumbered),
    ...childElements(list, 'ref-list').flatMap(each => referencesOf(each, level + 1, conversion, { otherwise: '' }))
  ]
  return blocks.length === 0
    ? []
    : [
        ...headingOf(
          { ...list, children: list.children.filter(node => !isElement(node) || node.name !== 'label') },
          level,
          conversion,
          otherwise
        ),
        ...blocks
      ]
}

function referenceOf (reference: Element, conversion: Conversion): Inline[] {
  const citations = childElements(reference).flatMap(each =>
    each.name === 'citation-alternatives'
      ? childElements(each).filter(isCitation).slice(0, 1)
      : isCitation(each) || each.name === 'note'
        ? [each]
        : []
  )
  return citations.flatMap((citation, at) => {
    const text =
      citation.name === 'note'
        ? inlineOf(citation, conversion)
        : hasOwnText(citation)
          ? writtenCitation(citation, conversion)
          : composedCitation(citation, conversion)
    return at === 0 ? text : [' ', ...text]
  })
}

/** A citation with punctuation. Its DOI moves to the end as a link. PubMed ids are removed, unless the text introduces them. */
function writtenCitation (citation: Element, conversion: Conversion): Inline[] {
  const dois = new Set<string>()
  const content: Inline[] = []
  for (const [at, node] of citation.children.entries()) {
    if (!isElement(node)) content.push(node)
    else if (node.name === 'pub-id' && node.attributes['pub-id-type'] === 'doi') {
      const last = content.at(-1)
      if (typeof last === 'string') content[content.length - 1] = last.replace(/(?:https?:\/\/)?(?:dx\.)?(?:doi\.org\/|doi:?)\s*$/i, '')
      dois.add(plainTextOf(node))
    } else if (node.name !== 'label' && (node.name !== 'pub-id' || leadsTo(content.at(-1)))) {
      // Elements without white space between them are separate words.
      if (content.length > 0 && isElement(citation.children[at - 1]!)) content.push(' ')
      content.push(
        ...(['person-group', 'name', 'string-name', ...alternatives].includes(node.name)
          ? [peopleOf(node)]
          : inlineNode(node, conversion))
      )
    }
  }
  return [...content, ...[...dois].flatMap(doi => [' ', doiLink(doi)])]
}

const leadsTo = (before: Inline | undefined): boolean => typeof before === 'string' && /[:[(]\s*$/.test(before)

/** Names with their own separators, or else with commas. */
function peopleOf (people: Element): string {
  const element = formOf(people)
  if (element.name === 'name') return personOf(element)
  const parts = element.children.map(node => isElement(node) ? peopleOf(node) : node)
  return element.children.every(node => isElement(node)) && childElements(element).length > 1
    ? parts.join(element.name === 'string-name' ? ' ' : ', ')
    : parts.join('')
}

function personOf (name: Element): string {
  if (hasOwnText(name)) return plainTextOf(name)
  const part = (...names: string[]) => plainTextOf(firstChild(name, ...names))
  return [part('prefix'), part('surname'), part('given-names'), part('suffix')].filter(each => each !== '').join(' ')
}

/** A structured citation: authors (year). title. *source*, volume(issue), pages. publisher. doi. */
function composedCitation (citation: Element, conversion: Conversion): Inline[] {
  const part = (...names: string[]): string => plainTextOf(descendants(citation, hasName(...names))[0])
  const marked = (...names: string[]): Inline[] => inlineOf(descendants(citation, hasName(...names))[0], conversion)
  const groups = childElements(citation, 'person-group')
  const isOthers = (group: Element) => /editor|translator|compiler/.test(group.attributes['person-group-type'] ?? '')
  const authors = [
    ...groups.filter(group => !isOthers(group)).map(listed),
    listed({ ...citation, children: childElements(citation, 'name', 'string-name', 'collab', 'etal', 'anonymous', ...alternatives) })
  ]
    .filter(each => each !== '')
    .join(', ')
  const editors = groups
    .filter(isOthers)
    .map(listed)
    .filter(each => each !== '')
    .join(', ')
  const title = [marked('article-title'), marked('chapter-title'), marked('part-title'), marked('data-title')].filter(
    each => !isBlank(each)
  )
  const source = marked('source')
  const volume = part('volume') + (part('issue') === '' ? '' : `(${part('issue')})`)
  const last = part('lpage')
  const pages = part('page-range') || (part('fpage') + (last === '' || last === part('fpage') ? '' : `–${last}`)) || part('elocation-id')
  const year = part('year')
  const sentences: Inline[][] = [
    [authors + (year === '' ? '' : authors === '' ? `(${year})` : ` (${year})`)],
    ...title,
    [
      ...(editors === '' ? [] : [`In: ${editors} (eds.) `]),
      ...joined(
        [isBlank(source) ? [] : [emphasis(...source)], [volume], [pages]].filter(each => !isBlank(each)),
        ', '
      )
    ],
    [part('edition')],
    [[part('publisher-loc'), part('publisher-name')].filter(each => each !== '').join(': ')],
    ...['conf-name', 'institution', 'patent', 'version', 'comment', 'date-in-citation'].map(name => marked(name))
  ]
  const address = childElements(citation, 'ext-link', 'uri')
    .slice(0, 1)
    .flatMap(each => link(each.attributes['xlink:href'], inlineOf(each, conversion)))
  const doi = plainTextOf(childElements(citation, 'pub-id').find(each => each.attributes['pub-id-type'] === 'doi'))
  const text = sentences.filter(each => !isBlank(each)).flatMap((each, at) => [...(at === 0 ? [] : [' ']), ...ended(each)])
  return [...text, ...(isBlank(address) ? [] : [' ', ...address]), ...(doi === '' ? [] : [' ', doiLink(doi)])]
}

function ended (sentence: Inline[]): Inline[] {
  const last = sentence.at(-1)
  return typeof last === 'string' && /[.?!]\s*$/.test(last) ? sentence : [...sentence, '.']
}

const listed = (group: Element): string => childElements(group).map(formOf).map(each => {
  if (each.name === 'name') return personOf(each)
  if (each.name === 'etal') return plainTextOf(each) || 'et al.'
  return ['string-name', 'collab', 'anonymous'].includes(each.name) ? peopleOf(each).trim() || 'Anonymous' : ''
}).filter(each => each !== '').join(', ')
