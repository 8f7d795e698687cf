import { type Static, Type } from 'typebox'
import { Nullable } from '../../../schemas/nullable.js'
import { Unavailable } from '../../errors/operation-errors.js'
import type { Context, LoopbackResponse } from '../context.js'
import { operation } from '../operation.js'

const McpTryInput = Type.Object(
  { key: Type.String({ minLength: 1, maxLength: 300, writeOnly: true, description: 'The MCP key to test.' }) },
  { additionalProperties: false }
)

export const McpTryResult = Type.Object({
  works: Type.Boolean({ description: 'Whether the endpoint accepts the key and responds without an error.' }),
  status: Type.Integer({ description: 'HTTP status of the response.' }),
  milliseconds: Type.Number({ description: 'Duration of both calls.' }),
  tools: Type.Array(Type.String(), { description: 'Names of the endpoint\'s tools.' }),
  answer: Type.String({ description: 'The response, as JSON.' }),
  problem: Nullable(Type.String(), 'What is wrong and what to do; null if everything works.')
})
export type McpTryResult = Static<typeof McpTryResult>

/** Calls the MCP endpoint as a client does: over HTTP, with the key in its header, through every check. */
export const mcpTry = operation({
  name: 'mcp_try',
  title: 'Test the MCP endpoint',
  description: 'Lists the tools and calls projects_list for one project with a key, and returns the response.',
  input: McpTryInput,
  output: McpTryResult,
  handler: async (context: Pick<Context, 'account' | 'request' | 'sharedWork'>, { key }) =>
    await context.sharedWork.connectionTests(context.account.id, async () => await testEndpoint(context, key))
})

/** @throws Unavailable */
async function testEndpoint ({ request }: Pick<Context, 'request'>, key: string): Promise<McpTryResult> {
  if (request === undefined) throw new Unavailable('The service is still starting.')
  const call = (id: number, method: string, params: object) => request({
    method: 'POST',
    path: '/api/mcp',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', authorization: `Bearer ${key}` },
    body: JSON.stringify({ jsonrpc: '2.0', id, method, params })
  })
  const started = performance.now()
  const listed = await call(1, 'tools/list', {})
  const called = listed.status === 200 ? await call(2, 'tools/call', { name: 'projects_list', arguments: { limit: 1 } }) : listed
  const milliseconds = Math.round((performance.now() - started) * 10) / 10
  const answer = parseObject(called.body) as Answer
  const problem = problemOf(called.status, answer)
  return {
    works: problem === null,
    status: called.status,
    milliseconds,
    tools: toolsOf(listed),
    answer: JSON.stringify(answer.result?.structuredContent ?? answer, null, 2),
    problem
  }
}

/** A response of JSON-RPC, as far as it is read. */
interface Answer {
  error?: { message?: string }
  result?: { isError?: boolean, content?: Array<{ text?: string }>, structuredContent?: unknown }
}

function problemOf (status: number, { error, result }: Answer): string | null {
  if (status === 401) return 'The key is wrong or was replaced. Check that you copied all of it, or create a new one.'
  if (status === 200 && error === undefined && result?.isError !== true) return null
  return error?.message ?? result?.content?.[0]?.text ?? `The endpoint answered with status ${status}.`
}

function toolsOf ({ body }: LoopbackResponse): string[] {
  const { result } = parseObject(body) as { result?: { tools?: Array<{ name: string }> } }
  return (result?.tools ?? []).map(({ name }) => name)
}

function parseObject (body: string): object {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
