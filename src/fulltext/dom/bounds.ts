import { NotConvertible } from '../converted.js'
import { limits } from './element.js'

const tooDeep = `The document is nested deeper than ${limits.depth} elements, which no article is.`

/** Counted before a tree is made of the text, since a tree takes many times its text's memory. @throws NotConvertible */
export function boundText (text: string): void {
  if (text.length > limits.length) throw new NotConvertible('too_large', `The document is longer than ${limits.length / 1e6} million characters.`)
  if (occursMoreThan(text, '<', 2 * limits.elements)) throw new NotConvertible('too_large', `The document has more than ${limits.elements / 1e6} million elements.`)
  if (occursMoreThan(text, '=', limits.attributes)) throw new NotConvertible('too_large', `The document has more than ${limits.attributes / 1e6} million attributes.`)
}

/** @throws NotConvertible */
export function boundDepth (depth: number, cause?: unknown): void {
  if (depth > limits.depth) throw new NotConvertible('damaged', tooDeep, { cause })
}

function occursMoreThan (text: string, mark: string, times: number): boolean {
  let count = 0
  for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + 1)) if (++count > times) return true
  return false
}
