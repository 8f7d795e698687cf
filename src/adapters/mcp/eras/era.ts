import type { Methods } from '../method.js'
import { joined, type JsonParts } from '../../../server/json-parts.js'
import { SerializedResult } from '../serialized-result.js'

/** A generation of the protocol: its methods, the envelope of its results, and the status for an unknown method. */
export interface Era {
  readonly methods: Methods
  /** HTTP status of the response to an unknown method. */
  readonly unknownMethodStatus: number
  /** Serializes a method's result for this era. */
  write: (method: string, result: object) => JsonParts
}

/** Serializes results. A frozen result is the same on every call, so its text is cached. */
export function writer (addEnvelope: (method: string, result: object) => object): Era['write'] {
  const textCache = new WeakMap<object, string>()
  return (method, result) => {
    if (result instanceof SerializedResult) {
      const envelope = JSON.stringify(addEnvelope(method, {})).slice(1)
      return joined('{', result.members, envelope === '}' ? envelope : `,${envelope}`)
    }
    const cachedText = textCache.get(result)
    if (cachedText !== undefined) return joined(cachedText)
    const text = JSON.stringify(addEnvelope(method, result))
    if (Object.isFrozen(result)) textCache.set(result, text)
    return joined(text)
  }
}
