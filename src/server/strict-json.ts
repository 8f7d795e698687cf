/** Rejected JSON: malformed (`isJson` false), or ambiguous between parsers. */
export class StrictJsonError extends Error {
  readonly isJson: boolean
  constructor (isJson: boolean, message: string) {
    super(message)
    this.isJson = isJson
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Decodes a body of JSON, without a byte order mark at its start. Source: RFC 8259, section 8.1.
 * @throws StrictJsonError if it is not UTF-8: replacement characters would be stored in place of what was sent
 */
export function decodeJson (body: Uint8Array): string {
  try {
    return utf8.decode(body)
  } catch {
    throw new StrictJsonError(false, 'The body is not valid UTF-8. Encode the JSON as UTF-8.')
  }
}

/** More than any request needs. */
const maxDepth = 64
/** Commas and brackets outside of strings. Parsing a megabyte of tiny values blocks the process for a fifth of a second. */
const maxSeparators = 20_000
/** Members of all objects. The largest operation takes 110; thousands of distinct names cost parsers and copies tens of milliseconds. */
const defaultMaxMembers = 500

/**
 * Parses untrusted JSON and rejects what RFC 8259 leaves to the parser: duplicate names, since a proxy may have checked the other one;
 * `__proto__`, which later code could use as a prototype; deep nesting, which can exhaust a stack; and too many values or members.
 * @throws StrictJsonError
 */
export function parseJson (text: string, maxMembers = defaultMaxMembers): unknown {
  const { separators, colons } = countOutsideStrings(text)
  if (separators > maxSeparators) {
    throw new StrictJsonError(
      true,
      `The JSON has more than ${maxSeparators.toLocaleString('en')} commas and brackets; send fewer values, on at most ${maxDepth} levels.`
    )
  }
  // Outside strings, the text has one colon per member.
  if (colons > maxMembers) {
    throw new StrictJsonError(
      true,
      `The JSON has more than ${maxMembers.toLocaleString('en')} members; send only the arguments that the call needs.`
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
  // The parsed value has lost the duplicates, the text has not.
  if (members !== colons) {
    throw new StrictJsonError(true, 'The JSON has an object with a duplicate name; send each name once.')
  }
  return value
}

const [quote, backslash, colon, comma, bracket, brace] = [...'"\\:,[{'].map(character => character.charCodeAt(0))

/**
 * Counts commas and opening brackets, and colons, outside strings. Reads each character once, whatever quotes and escapes there are, and
 * stops at one separator too many.
 */
function countOutsideStrings (text: string): { separators: number, colons: number } {
  let [separators, colons] = [0, 0]
  for (let at = 0; at < text.length && separators <= maxSeparators; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = closingQuote(text, at + 1)
    else if (code === colon) colons++
    else if (code === comma || code === bracket || code === brace) separators++
  }
  return { separators, colons }
}

/** Where the string that begins at a place ends; the end of the text if it does not. */
function closingQuote (text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) return at
    if (code === backslash) at++
  }
  return text.length
}

function parse (text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new StrictJsonError(false, 'The body is not valid JSON. Check its quotes, commas and brackets.')
  }
}
