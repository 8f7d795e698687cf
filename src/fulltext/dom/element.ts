/** An element of XML or HTML. Trees are read with bounded depth, so that walking one by recursion is safe. */
export interface Element {
  /** Without namespace prefix; of HTML in small letters. */
  name: string
  /** With their prefixes: "xlink:href". */
  attributes: Readonly<Record<string, string>>
  children: Array<Element | string>
}

/** Bounds of a document that is read: characters, elements, attributes, depth. Articles stay far below them. */
export const limits = { length: 20_000_000, elements: 1_000_000, attributes: 2_000_000, depth: 200 }

export const isElement = (node: Element | string): node is Element => typeof node !== 'string'

/** The child elements, all or those of the given names. */
export const childElements = (element: Element | undefined, ...names: string[]): Element[] =>
  (element?.children ?? []).filter((node): node is Element => isElement(node) && (names.length === 0 || names.includes(node.name)))

export const firstChild = (element: Element | undefined, ...names: string[]): Element | undefined =>
  element?.children.find((node): node is Element => isElement(node) && names.includes(node.name))

/** Elements below this one, in the document's order, for which the test holds; there is no looking into those that it holds for. */
export function descendants (element: Element | undefined, test: (element: Element) => boolean): Element[] {
  return childElements(element).flatMap(each => test(each) ? [each] : descendants(each, test))
}

export const named = (...names: string[]) => (element: Element): boolean => names.includes(element.name)

/** The whole text as it stands. */
export function textContent (element: Element | undefined): string {
  return (element?.children ?? []).map(node => isElement(node) ? textContent(node) : node).join('')
}

/** The whole text on one line. */
export const plainTextOf = (element: Element | undefined): string => textContent(element).replace(/\s+/g, ' ').trim()

/** Whether text stands in it anywhere. */
export const hasText = (element: Element | undefined): boolean =>
  (element?.children ?? []).some(node => isElement(node) ? hasText(node) : /\S/.test(node))

/** Whether text stands directly in it. */
export const hasOwnText = (element: Element): boolean => element.children.some(node => !isElement(node) && /\S/.test(node))
