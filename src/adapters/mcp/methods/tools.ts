import { ItemsOfBriefs } from '../../../../schemas/brief.js'
import { BriefItem, FeedItem } from '../../../../schemas/feed.js'
import type { KeyScope } from '../../../../schemas/key.js'
import { Paper } from '../../../../schemas/paper.js'
import { RequestAbandoned, ResultTooLarge } from '../../../errors/operation-errors.js'
import { validator } from '../../../input/validator.js'
import { INVALID_PARAMS, ProtocolError } from '../errors.js'
import type { Call, Method } from '../method.js'
import { tolerantInput } from '../../../operations/tolerant-input.js'
import { type Extent, publishedInput, publishedOutput } from '../published-schema.js'
import { mayShowCards } from '../client-info.js'
import { maxResultLength, toolResult } from '../serialized-result.js'
import { listedTools, type ToolSet, toolLists } from '../tool-sets.js'
import { briefCards } from '../resources.js'
import { findTool, toolInput, tools, type Tool } from '../tools.js'
import { refuseCursor } from './paging.js'

const listName = (set: ToolSet | undefined, scope: KeyScope, showsCards: boolean) => `${set} ${scope} ${showsCards}`

/** Extension tools are listed after the core tools, which describe the records. */
const extents: Record<Tool['group'], Extent | undefined> = {
  core: undefined,
  extension: {
    maxDepth: 2,
    described: new Map(
      [
        [FeedItem, 'As in feed_get.'],
        [BriefItem, 'As in feed_get.'],
        ...Object.values(ItemsOfBriefs).map(item => [item, 'As in feed_get; of all feeds also with project_id, project_name.']),
        [Paper, 'As in paper_get.']
      ].map(([schema, where]) => [JSON.stringify(schema), where as string] as const)
    )
  },
  chatgpt: undefined
}

/** Made once, so that their texts are too. */
const lists = new Map(toolLists.flatMap(({ set, scope, tools }) => [true, false].map(showsCards =>
  [listName(set, scope, showsCards), Object.freeze({ tools: tools.map(tool => publishedTool(tool, showsCards ? scope : undefined)) })])))

/** @param cardScope scope of the key whose card is named; undefined for clients that show none */
function publishedTool (tool: Tool, cardScope: KeyScope | undefined): object {
  const { operation: { name, title, description, output }, annotations, group, outputDepth, maxResultChars, hasCard } = tool
  const _meta = {
    ...(maxResultChars === undefined ? {} : { 'anthropic/maxResultSizeChars': maxResultChars }),
    ...(hasCard === undefined || cardScope === undefined ? {} : { ui: { resourceUri: briefCards[cardScope].uri } })
  }
  return {
    name,
    title,
    description,
    inputSchema: publishedInput(toolInput(tool)),
    outputSchema: publishedOutput(output, outputDepth === undefined ? extents[group] : { maxDepth: outputDepth }),
    annotations,
    ...(Object.keys(_meta).length === 0 ? {} : { _meta })
  }
}

/** `tools/list`: the tools that the key and the tool set of the call allow. */
export const listTools: Method = ({ context: { key }, toolSet }, { cursor, _meta }) => {
  refuseCursor(cursor)
  return lists.get(listName(toolSet, key?.scope ?? 'read', mayShowCards(_meta)))!
}

/** `tools/call`. @throws ProtocolError for an unknown tool; errors of the operation are results */
export const callTool: Method = async (call, { name, arguments: toolArguments }) => {
  const tool = typeof name === 'string' ? findTool(name) : undefined
  if (tool === undefined) {
    throw new ProtocolError(
      INVALID_PARAMS,
      `Tool ${typeof name === 'string' ? name.slice(0, 64) : 'without a name'} is unknown. Tools: ` +
        `${listedTools(call.toolSet, call.context.key?.scope ?? 'read').map(({ operation }) => operation.name).join(', ')}.`
    )
  }
  try {
    const output = await run(call, tool, toolArguments ?? {})
    if (endsWithClient(tool) && call.isAbandoned()) throw new RequestAbandoned()
    const result = await toolResult(output, Object.keys(tool.operation.input.properties))
    call.countToolCall(tool.operation.name, 'ok')
    return result
  } catch (thrown) {
    const error = call.toPublicError(thrown)
    call.countToolCall(tool.operation.name, error.code)
    if (error instanceof ResultTooLarge) call.onOversized?.()
    throw error
  }
}

/** The inputs of the tools that take less than their operations, with their validators. */
const narrowed = new Map(tools.filter(({ omitted }) => omitted !== undefined).map(tool => {
  const input = toolInput(tool)
  return [tool, { input, check: validator(input, tool.operation.name) }]
}))

/** Whether a call ends when its client has gone: not if it stores something, as the acknowledgement of a brief. */
const endsWithClient = ({ annotations: { readOnlyHint, idempotentHint } }: Tool): boolean => readOnlyHint && idempotentHint

async function run ({ context, readContext, countCall }: Call, tool: Tool, toolArguments: unknown): Promise<object> {
  const { operation } = tool
  await countCall()
  operation.authorize(context)
  const { input: schema = operation.input, check } = narrowed.get(tool) ?? {}
  const input = tolerantInput(schema, toolArguments)
  check?.(input)
  return await operation.run({ ...endsWithClient(tool) ? readContext : context, maxResultLength }, input) as object
}
