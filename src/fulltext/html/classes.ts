import type { Element } from '../dom/element.js'

/** LaTeXML states the meaning of an element in its classes; the tag name is presentation. */
const classesOf = ({ attributes }: Element): string[] => (attributes.class ?? '').split(/\s+/)

/** Whether an element has one of the classes. */
export const hasClass = (...names: string[]) => (element: Element): boolean => {
  const classes = classesOf(element)
  return names.some(name => classes.includes(name))
}

/** Whether an element is a cell of a table. */
export const isCell = hasClass('ltx_td', 'ltx_th')

/** A copy of an element without the child elements that pass the test. */
export const withoutChildren = (element: Element, test: (element: Element) => boolean): Element =>
  ({ ...element, children: element.children.filter(node => typeof node === 'string' || !test(node)) })
