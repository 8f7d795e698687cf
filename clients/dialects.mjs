/**
 * The APIs of models that clients speak. Each reads a request and writes the next step of the script as that API streams it:
 * `tools(body)`: the tools offered, as { name, schema, … }; `results(body)`: the texts of tool results by call id; `call` and `say`: the
 * events of an answer; `search`: a search for tools that the client keeps back until then.
 */
const textOf = content => typeof content === 'string' ? content : (content ?? []).map(({ text }) => text ?? '').join('\n')
const event = data => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
const data = object => `data: ${JSON.stringify(object)}\n\n`

const anthropic = {
  path: /^\/v1\/messages$/,
  tools: ({ tools = [] }) => tools.map(({ name, input_schema }) => ({ name, schema: input_schema })),
  results: ({ messages }) => new Map(messages.flatMap(({ content }) => Array.isArray(content) ? content : [])
    .filter(({ type }) => type === 'tool_result').map(({ tool_use_id, content }) => [tool_use_id, textOf(content)])),
  call: ({ id, name, arguments: input }) => anthropic.message({ type: 'tool_use', id, name, input }, 'tool_use'),
  say: text => anthropic.message({ type: 'text', text }, 'end_turn'),
  search: ({ id, query }) => anthropic.call({ id, name: 'ToolSearch', arguments: { query, max_results: 30 } }),
  message: (block, stop_reason) => {
    const message = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'stand-in',
      content: [block],
      stop_reason,
      stop_sequence: null,
      usage: { input_tokens: 10, output_tokens: 10 }
    }
    const isTool = block.type === 'tool_use'
    return {
      whole: message,
      events: [
        { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
        { type: 'content_block_start', index: 0, content_block: isTool ? { ...block, input: {} } : { ...block, text: '' } },
        {
          type: 'content_block_delta',
          index: 0,
          delta: isTool ? { type: 'input_json_delta', partial_json: JSON.stringify(block.input) } : { type: 'text_delta', text: block.text }
        },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 10 } },
        { type: 'message_stop' }
      ].map(event)
    }
  }
}

const responses = {
  path: /^\/v1\/responses$/,
  // Codex groups the tools of a server in a namespace, and gives some models those that a search found.
  tools: ({ tools = [], input }) =>
    [...tools, ...input.flatMap(item => item.type === 'tool_search_output' ? item.tools : [])].flatMap(tool =>
      (tool.tools ?? [tool]).map(each => ({
        name: each.name ?? each.type,
        schema: each.parameters,
        ...(tool.tools === undefined ? {} : { namespace: tool.name })
      }))
    ),
  results: ({ input }) =>
    new Map(input.filter(({ type }) => type === 'function_call_output').map(({ call_id, output }) => [call_id, textOf(output)])),
  call: ({ id, name, arguments: args, offered }) =>
    responses.item({
      type: 'function_call',
      id: `fc_${id}`,
      call_id: id,
      name,
      ...(offered.namespace === undefined ? {} : { namespace: offered.namespace }),
      arguments: JSON.stringify(args)
    }),
  say: text =>
    responses.item({ type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text, annotations: [] }] }),
  search: ({ id, query }) =>
    responses.item({
      type: 'tool_search_call',
      id: `ts_${id}`,
      call_id: id,
      execution: 'client',
      status: 'completed',
      arguments: { query, limit: 30 }
    }),
  item: item => {
    const response = {
      id: 'resp_1',
      object: 'response',
      status: 'completed',
      output: [item],
      usage: { input_tokens: 10, input_tokens_details: null, output_tokens: 10, output_tokens_details: null, total_tokens: 20 }
    }
    return {
      whole: response,
      events: [
        { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
        { type: 'response.output_item.added', output_index: 0, item },
        { type: 'response.output_item.done', output_index: 0, item },
        { type: 'response.completed', response }
      ].map(event)
    }
  }
}

const chat = {
  path: /^\/v1\/chat\/completions$/,
  tools: ({ tools = [] }) => tools.map(({ function: { name, parameters } }) => ({ name, schema: parameters })),
  results: ({ messages }) =>
    new Map(messages.filter(({ role }) => role === 'tool').map(({ tool_call_id, content }) => [tool_call_id, textOf(content)])),
  call: ({ id, name, arguments: args }) =>
    chat.choice(
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ index: 0, id, type: 'function', function: { name, arguments: JSON.stringify(args) } }]
      },
      'tool_calls'
    ),
  say: text => chat.choice({ role: 'assistant', content: text }, 'stop'),
  choice: (message, finish_reason) => {
    const completion = {
      id: 'chat_1',
      created: 1,
      model: 'stand-in',
      usage: { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 }
    }
    return {
      whole: { ...completion, object: 'chat.completion', choices: [{ index: 0, message, finish_reason }] },
      events: [
        ...[
          [message, null],
          [{}, finish_reason]
        ].map(([delta, reason]) =>
          data({ ...completion, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: reason }] })
        ),
        'data: [DONE]\n\n'
      ]
    }
  }
}

const gemini = {
  path: /^\/v1beta\/models\/[^/]+:(?:stream)?[gG]enerateContent$/,
  isStream: url => url.pathname.includes(':stream'),
  tools: ({ tools = [] }) =>
    tools.flatMap(({ functionDeclarations = [] }) =>
      functionDeclarations.map(({ name, parametersJsonSchema, parameters }) => ({ name, schema: parametersJsonSchema ?? parameters }))
    ),
  results: ({ contents }) =>
    new Map(
      contents
        .flatMap(({ parts = [] }) => parts)
        .filter(part => part.functionResponse !== undefined)
        .map(({ functionResponse: { id, response } }, at) => [id ?? `call_${at + 1}`, JSON.stringify(response)])
    ),
  call: ({ id, name, arguments: args }) => gemini.candidate({ functionCall: { id, name, args } }),
  say: text => gemini.candidate({ text }),
  candidate: part => {
    const whole = {
      candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 10, totalTokenCount: 20 },
      modelVersion: 'stand-in'
    }
    return { whole, events: [data(whole)] }
  }
}

/** Every dialect. */
export const dialects = [anthropic, responses, chat, gemini]
