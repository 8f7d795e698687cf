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
/** Commas and brackets outside of strings. Parsing a megabyte of tiny values blocks the process for a fifth of a second. */
const maxSeparators = 20_000
const string = /"(?:[^"\\]|\\.)*"/g

/**
 * Parses untrusted JSON and rejects what RFC 8259 leaves to the parser: duplicate names, since a proxy may have checked the other one;
 * `__proto__`, which later code could use as a prototype; deep nesting, which can exhaust a stack; and too many values.
 * @throws StrictJsonError
 */
export function parseJson (text: string): unknown {
  if (hasTooManySeparators(text)) {
    throw new StrictJsonError(
      true,
      `The JSON has more than ${maxSeparators.toLocaleString('en')} commas and brackets; send fewer values, on at most ${maxDepth} levels.`
    )
  }
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

/** Stops at the limit, so that the longest body costs no more than one at the limit. */
function hasTooManySeparators (text: string): boolean {
  // Counting those in strings, too, is faster, and enough for most bodies.
  if (!exceedsSeparators(text)) return false
  let count = 0
  for (let from = 0; ;) {
    const begin = text.indexOf('"', from)
    const end = begin === -1 ? text.length : begin
    for (let at = from; at < end; at++) if (isSeparator(text.charCodeAt(at)) && ++count > maxSeparators) return true
    if (begin === -1) return false
    let close = text.indexOf('"', begin + 1)
    while (close !== -1 && isEscaped(text, close)) close = text.indexOf('"', close + 1)
    if (close === -1) return false
    from = close + 1
  }
}

const isSeparator = (code: number) => code === 44 || code === 91 || code === 123

/** Whether an odd number of backslashes precede a character. */
function isEscaped (text: string, at: number): boolean {
  let backslashes = 0
  while (text.charCodeAt(at - 1 - backslashes) === 92) backslashes++
  return backslashes % 2 === 1
}

function exceedsSeparators (text: string): boolean {
  let count = 0
  for (const separator of [',', '[', '{']) {
    for (let at = text.indexOf(separator); at !== -1; at = text.indexOf(separator, at + 1)) {
      if (++count > maxSeparators) return true
    }
  }
  return false
}

function parse (text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new StrictJsonError(false, 'The body is not valid JSON. Check its quotes, commas and brackets.')
  }
}
