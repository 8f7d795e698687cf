import { occursMoreThan } from '../../input/occurs-more-than.js'
import { NotConvertible } from '../converter-result.js'
import { limits } from './element.js'

const tooDeep = `The document is nested more than ${limits.depth} elements deep; articles are not.`

/** Checks the size before parsing, because a tree needs many times the memory of its text. @throws NotConvertible */
export function boundText (text: string): void {
  if (text.length > limits.length) {
    throw new NotConvertible('too_large', `The document is longer than ${limits.length / 1e6} million characters.`)
  }
  if (occursMoreThan(text, '<', 2 * limits.elements)) {
    throw new NotConvertible('too_large', `The document has more than ${limits.elements / 1e6} million elements.`)
  }
  if (occursMoreThan(text, '=', limits.attributes)) {
    throw new NotConvertible('too_large', `The document has more than ${limits.attributes / 1e6} million attributes.`)
  }
}

/** Checks the depth of nesting. @throws NotConvertible */
export function boundDepth (depth: number): void {
  if (depth > limits.depth) throw new NotConvertible('damaged', tooDeep)
}
