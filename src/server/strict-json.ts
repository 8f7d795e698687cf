/** Why a text is not taken as JSON: it is none, or it is JSON that two readers may understand differently. */
export class JsonRefused extends Error {
  readonly isJson: boolean
  constructor (isJson: boolean, message: string) {
    super(message)
    this.isJson = isJson
  }
}

/** Nothing that is asked of the service needs more. */
const deepest = 64
const string = /"(?:[^"\\]|\\.)*"/g

/**
 * Reads JSON from a stranger. What RFC 8259 leaves to the reader is refused: names that come twice in one object, since a proxy may have looked
 * at the other one; `__proto__`, which code further on could take for a prototype; and nesting that some reader's stack does not hold.
 * @throws JsonRefused
 */
export function parseJson (text: string): unknown {
  const value = parse(text)
  if (typeof value !== 'object' || value === null) return value
  let members = 0
  let level: object[] = [value]
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > deepest) throw new JsonRefused(true, `The JSON is nested more than ${deepest} levels deep.`)
    const below: object[] = []
    for (const each of level) {
      const values: unknown[] = Array.isArray(each) ? each : Object.values(each)
      if (!Array.isArray(each)) {
        if (Object.hasOwn(each, '__proto__')) throw new JsonRefused(true, 'The JSON has a member __proto__; send it without.')
        members += values.length
      }
      for (const value of values) if (typeof value === 'object' && value !== null) below.push(value)
    }
    level = below
  }
  // Outside of strings, JSON has a colon for each member as it was written; a name that came twice is one member now.
  if (members !== text.replace(string, '').split(':').length - 1) throw new JsonRefused(true, 'The JSON has an object with the same name twice; send each once.')
  return value
}

function parse (text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new JsonRefused(false, 'The body is not JSON.')
  }
}
