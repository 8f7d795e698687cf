import { type OperationError, Unavailable } from '../../../errors/operation-errors.js'
import { INVALID_PARAMS, ProtocolError } from '../errors.js'
import type { Method } from '../method.js'
import { findTool, tools, type Tool } from '../tools.js'
import { refuseCursor } from './paging.js'

const list = Object.freeze({
  tools: tools.map(({ operation: { name, title, description, input, output }, annotations }) =>
    ({ name, title, description, inputSchema: input, outputSchema: output, annotations }))
})

export const listTools: Method = (_call, { cursor }) => {
  refuseCursor(cursor)
  return list
}

export const callTool: Method = async (call, { name, arguments: given = {} }) => {
  const tool = typeof name === 'string' ? findTool(name) : undefined
  if (tool === undefined) throw new ProtocolError(INVALID_PARAMS, `There is no tool ${typeof name === 'string' ? name.slice(0, 64) : 'without a name'}. Tools: ${tools.map(({ operation }) => operation.name).join(', ')}.`)
  try {
    const result = await run(call, tool, given)
    call.countToolCall(tool.operation.name, 'ok')
    return { content: [{ type: 'text', text: JSON.stringify(result) }], structuredContent: result }
  } catch (cause) {
    const told = call.told(cause)
    call.countToolCall(tool.operation.name, told.code)
    // A database that is away is the endpoint's trouble, and told by HTTP.
    if (told instanceof Unavailable) throw told
    return failure(told)
  }
}

async function run ({ context, countCall }: Parameters<Method>[0], { operation }: Tool, given: unknown): Promise<object> {
  await countCall()
  return await operation.run(context, given) as object
}

/** A domain error: text alone, because clients hold structuredContent against the tool's output schema. */
const failure = (error: OperationError): object => ({ isError: true, content: [{ type: 'text', text: `${error.code}: ${error.message}` }] })
