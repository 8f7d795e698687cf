import { type Block, emphasis, heading, type Inline, isBlank, joined, paragraph } from '../markdown/document.js'
import { doiLink } from '../markdown/link.js'
import { childElements, descendants, type Element, firstChild, hasName, plainTextOf } from '../dom/element.js'

/** The references: the printed text if GROBID kept it, otherwise assembled from fields. */
export function referencesOf (text: Element | undefined): Block[] {
  const items = descendants(text, hasName('biblStruct'))
    .map(reference => readRawReference(reference) ?? composeReference(reference))
    .filter(content => !isBlank(content))
  return items.length === 0
    ? []
    : [heading(2, 'References'), { kind: 'list', ordered: true, items: items.map(content => [paragraph(...content)]) }]
}

function readRawReference (reference: Element): Inline[] | undefined {
  const raw = plainTextOf(descendants(reference, each => each.name === 'note' && each.attributes.type === 'raw_reference')[0])
  // The Markdown list has its own numbers.
  return raw === '' ? undefined : [raw.replace(/^(?:\[\d{1,4}\]|\(\d{1,4}\)|\d{1,4}\.)\s+/, '')]
}

/** authors (year). title. *journal*, volume(issue), pages. doi. */
function composeReference (reference: Element): Inline[] {
  const analytic = firstChild(reference, 'analytic')
  const monograph = firstChild(reference, 'monogr')
  const imprint = firstChild(monograph, 'imprint')
  const authors = [...new Set(descendants(reference, hasName('persName')).map(nameOf))].filter(name => name !== '').join(', ')
  const year = /\d{4}/.exec(firstChild(imprint, 'date')?.attributes.when ?? plainTextOf(firstChild(imprint, 'date')))?.[0] ?? ''
  const scope = (unit: string) => {
    const element = childElements(imprint, 'biblScope').find(({ attributes }) => attributes.unit === unit)
    return plainTextOf(element) || [element?.attributes.from, element?.attributes.to].filter(each => each !== undefined).join('–')
  }
  const journal = plainTextOf(firstChild(monograph, 'title'))
  const volume = scope('volume') + (scope('issue') === '' ? '' : `(${scope('issue')})`)
  const pages = scope('page')
  const place: Inline[] = [
    ...(journal === '' ? [] : [emphasis(journal)]),
    ...[volume, pages].filter(each => each !== '').flatMap((each, at) => at === 0 && journal === '' ? [each] : [`, ${each}`])
  ]
  const sentences: Inline[][] = [
    [authors + (year === '' ? '' : `${authors === '' ? '' : ' '}(${year})`)],
    [plainTextOf(firstChild(analytic, 'title'))],
    place
  ].filter(each => !isBlank(each))
  const doi = plainTextOf(descendants(reference, each => each.name === 'idno' && each.attributes.type === 'DOI')[0])
  return [...joined(sentences.map(each => [...each, '.']), ' '), ...(doi === '' ? [] : [' ', doiLink(doi)])]
}

function nameOf (person: Element): string {
  const forenames = childElements(person, 'forename')
    .map(plainTextOf)
    .filter(each => each !== '')
    .map(each => each.length === 1 ? `${each}.` : each)
  return [...forenames, plainTextOf(firstChild(person, 'surname'))].filter(each => each !== '').join(' ')
}
