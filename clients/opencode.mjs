/** opencode, with a provider that speaks OpenAI's chat completions. */
export const opencode = {
  name: 'opencode',
  package: 'opencode-ai',
  bin: 'opencode',
  prepare: ({ modelUrl, mcpUrl, key, request }) => ({
    files: {
      'opencode.json': {
        provider: {
          'stand-in': {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${modelUrl}/v1`, apiKey: 'stand-in' },
            models: { model: { tool_call: true, limit: { context: 200_000, output: 8000 } } }
          }
        },
        mcp: { litfeed: { type: 'remote', url: mcpUrl, headers: { Authorization: `Bearer ${key}` } } },
        autoupdate: false,
        share: 'disabled'
      }
    },
    env: { OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1' },
    args: ['run', '--model', 'stand-in/model', request]
  })
}
