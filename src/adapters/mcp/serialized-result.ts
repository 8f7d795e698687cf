/** A result that is serialized already, so a large object is not serialized again for every place that contains it. */
export class SerializedResult {
  /** Members of the result as JSON, without the braces. */
  readonly members: string

  constructor (members: string) {
    this.members = members
  }
}

/** Serializes a tool result: the same JSON as text, for models, and as structured content, for programs. */
export function toolResult (value: object): SerializedResult {
  const json = writeLines(value)
  return new SerializedResult(`"content":[{"type":"text","text":${JSON.stringify(json)}}],"structuredContent":${json}`)
}

/**
 * Serializes an object with each entry of its lists on a line of its own: some clients cut a result by lines, and show nothing of one long
 * line.
 */
function writeLines (value: object): string {
  const members = Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    const json = isListOfObjects(member) ? `[\n${member.map(entry => JSON.stringify(entry)).join(',\n')}\n]` : JSON.stringify(member)
    return json === undefined ? [] : [`${JSON.stringify(name)}:${json}`]
  })
  return `{${members.join(',')}}`
}

const isListOfObjects = (value: unknown): value is object[] => Array.isArray(value) && typeof value[0] === 'object'
