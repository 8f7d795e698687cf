import { splitText } from '../../threads/split-text.js'
import { timeSlices } from '../../threads/time-slice.js'

/** A result that is serialized already, so a large object is not serialized again for every place that contains it. */
export class SerializedResult {
  /** Members of the result as JSON, without the braces. */
  readonly members: string

  constructor (members: string) {
    this.members = members
  }
}

/** Characters of a text that are serialized at once. */
const pieceLength = 65_536

/**
 * Serializes a tool result: the same JSON as text, for models, and as structured content, for programs. Large results are serialized piece
 * by piece, so that other requests run in between.
 */
export async function toolResult (value: object): Promise<SerializedResult> {
  const endOfSlice = timeSlices()
  let json = ''
  let text = ''
  for (const piece of piecesOf(value)) {
    json += piece
    text += escaped(piece)
    const pause = endOfSlice()
    if (pause !== undefined) await pause
  }
  return new SerializedResult(`"content":[{"type":"text","text":"${text}"}],"structuredContent":${json}`)
}

/**
 * The JSON of an object, with each entry of its lists on a line of its own: some clients cut a result by lines, and show nothing of one
 * long line.
 */
function * piecesOf (value: object): Iterable<string> {
  let before = '{'
  for (const [name, member] of Object.entries(value) as Array<[string, unknown]>) {
    if (member === undefined) continue
    yield `${before}${JSON.stringify(name)}:`
    before = ','
    if (isListOfObjects(member)) {
      for (const [at, entry] of member.entries()) yield `${at === 0 ? '[\n' : ',\n'}${JSON.stringify(entry)}`
      yield '\n]'
    } else if (typeof member === 'string') {
      yield '"'
      for (const piece of splitText(member, pieceLength)) yield escaped(piece)
      yield '"'
    } else yield JSON.stringify(member)
  }
  yield before === '{' ? '{}' : '}'
}

const isListOfObjects = (value: unknown): value is object[] => Array.isArray(value) && typeof value[0] === 'object'

/** A part of a text as it is between the quotation marks of JSON. */
const escaped = (part: string): string => JSON.stringify(part).slice(1, -1)
