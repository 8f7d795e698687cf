/** An element of XML or HTML. The depth of trees is bounded, so that recursion is safe. */
export interface Element {
  /** Without namespace prefix; lower case in HTML. */
  name: string
  /** With their prefixes: "xlink:href". */
  attributes: Readonly<Record<string, string>>
  children: Array<Element | string>
}

/** Bounds of a document: characters, elements, attributes, depth. Articles stay far below them. */
export const limits = { length: 20_000_000, elements: 1_000_000, attributes: 2_000_000, depth: 200 }

/** Appends text to an element; adjacent texts become one child. */
export function appendText ({ children }: Element, text: string): void {
  if (typeof children.at(-1) === 'string') children[children.length - 1] += text
  else children.push(text)
}

/** Tells elements from text. */
export const isElement = (node: Element | string): node is Element => typeof node !== 'string'

/** The child elements, optionally filtered by name. */
export const childElements = (element: Element | undefined, ...names: string[]): Element[] =>
  (element?.children ?? []).filter((node): node is Element => isElement(node) && (names.length === 0 || names.includes(node.name)))

/** The first child element of any of these names. */
export const firstChild = (element: Element | undefined, ...names: string[]): Element | undefined =>
  element?.children.find((node): node is Element => isElement(node) && names.includes(node.name))

/** Elements below this one that pass the test, in document order; the search does not descend into them. */
export function descendants (element: Element | undefined, test: (element: Element) => boolean): Element[] {
  return childElements(element).flatMap(each => test(each) ? [each] : descendants(each, test))
}

/** A test for elements of any of these names. */
export const hasName = (...names: string[]) => (element: Element): boolean => names.includes(element.name)

/** The number of columns or rows that a cell of a table covers, from its attribute. HTML allows 1000 columns and 65,534 rows. */
export const spanOf = (attribute: string | undefined, max = 1000): number =>
  Math.min(Math.max(1, Math.trunc(Number(attribute)) || 1), max)

/** All text below an element, unchanged. */
export function textContent (element: Element | undefined): string {
  return (element?.children ?? []).map(node => isElement(node) ? textContent(node) : node).join('')
}

/** All text below an element, on one line. */
export const plainTextOf = (element: Element | undefined): string => textContent(element).replace(/\s+/g, ' ').trim()

/** Whether an element has text anywhere below it. */
export const hasText = (element: Element | undefined): boolean =>
  (element?.children ?? []).some(node => isElement(node) ? hasText(node) : /\S/.test(node))

/** Whether an element has text as a direct child. */
export const hasOwnText = (element: Element): boolean => element.children.some(node => !isElement(node) && /\S/.test(node))
