import type { Methods } from '../method.js'

/** A generation of the protocol: which methods there are, how a result is dressed, what an unknown method costs. */
export interface Era {
  readonly methods: Methods
  /** HTTP status of the answer to a method that is not served. */
  readonly unknownMethodStatus: number
  /** The text of a method's result as this era sends it. */
  write: (method: string, result: object) => string
}

/** Writes results; the text of a frozen one, the same on every call, is made once. */
export function writer (dress: (method: string, result: object) => object): Era['write'] {
  const texts = new WeakMap<object, string>()
  return (method, result) => {
    const known = texts.get(result)
    if (known !== undefined) return known
    const text = JSON.stringify(dress(method, result))
    if (Object.isFrozen(result)) texts.set(result, text)
    return text
  }
}
