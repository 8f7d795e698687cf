/** Rejected JSON: malformed (`isJson` false), or ambiguous between parsers. */
export class StrictJsonError extends Error {
  readonly isJson: boolean
  constructor (isJson: boolean, message: string) {
    super(message)
    this.isJson = isJson
  }
}

/** More than any request needs. */
const maxDepth = 64
const string = /"(?:[^"\\]|\\.)*"/g

/**
 * Parses untrusted JSON and rejects what RFC 8259 leaves to the parser: duplicate names, since a proxy may have checked the other one;
 * `__proto__`, which later code could use as a prototype; and deep nesting, which can exhaust a stack.
 * @throws StrictJsonError
 */
export function parseJson (text: string): unknown {
  const value = parse(text)
  if (typeof value !== 'object' || value === null) return value
  let members = 0
  let level: object[] = [value]
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > maxDepth) throw new StrictJsonError(true, `The JSON is nested more than ${maxDepth} levels deep; send fewer levels.`)
    const nextLevel: object[] = []
    for (const each of level) {
      const values: unknown[] = Array.isArray(each) ? each : Object.values(each)
      if (!Array.isArray(each)) {
        if (Object.hasOwn(each, '__proto__')) throw new StrictJsonError(true, 'The JSON has a member __proto__; remove it.')
        members += values.length
      }
      for (const value of values) if (typeof value === 'object' && value !== null) nextLevel.push(value)
    }
    level = nextLevel
  }
  // Outside strings, the text has one colon per member, while the parsed value has lost the duplicates.
  if (members !== text.replace(string, '').split(':').length - 1) {
    throw new StrictJsonError(true, 'The JSON has an object with a duplicate name; send each name once.')
  }
  return value
}

function parse (text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new StrictJsonError(false, 'The body is not valid JSON. Check its quotes, commas and brackets.')
  }
}
