import { exceedsLength } from '../../../schemas/json-length.js'
import { ResultTooLarge } from '../../errors/operation-errors.js'
import { joined, type JsonParts, PartsWriter } from '../../server/json-parts.js'
import { escaped, jsonPieces } from '../../server/json-pieces.js'
import { maxResponseLength } from '../../server/response-size.js'
import { createYielder } from '../../threads/yielder.js'

/** Characters of a result, which a response contains twice. */
export const maxResultLength = maxResponseLength / 2

/** A result that is serialized already, so a large object is not serialized again for every place that contains it. */
export class SerializedResult {
  /** Members of the result as JSON, without the braces. */
  readonly members: JsonParts

  constructor (members: JsonParts) {
    this.members = members
  }
}

/**
 * Serializes a tool result: the same JSON as text, for models, and as structured content, for programs. Large results are serialized piece
 * by piece, so that other requests run in between.
 * @param parameters of the tool, of which an error names those that page
 * @throws ResultTooLarge for more than the length of a response
 */
export async function toolResult (value: object, parameters: string[]): Promise<SerializedResult> {
  if (exceedsLength(value, maxResultLength)) throw new ResultTooLarge(parameters)
  const yieldIfDue = createYielder()
  const [json, text] = [new PartsWriter(), new PartsWriter()]
  for (const piece of piecesOf(value)) {
    json.add(piece)
    text.add(escaped(piece))
    // Escapes, which the estimate does not count, can make a text seven times as long.
    if (json.length + text.length > maxResponseLength) throw new ResultTooLarge(parameters)
    const pause = yieldIfDue()
    if (pause !== undefined) await pause
  }
  return new SerializedResult(joined('"content":[{"type":"text","text":"', text.parts, '"}],"structuredContent":', json.parts))
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
      for (const [at, entry] of member.entries()) {
        yield at === 0 ? '[\n' : ',\n'
        yield * jsonPieces(entry)
      }
      yield '\n]'
    } else yield * jsonPieces(member)
  }
  yield before === '{' ? '{}' : '}'
}

const isListOfObjects = (value: unknown): value is object[] => Array.isArray(value) && typeof value[0] === 'object'
