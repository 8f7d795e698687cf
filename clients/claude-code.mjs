/** Claude Code. It reads no settings but those in HOME and of these variables. */
export const claudeCode = {
  name: 'Claude Code',
  package: '@anthropic-ai/claude-code',
  bin: 'claude',
  prepare: ({ modelUrl, mcpUrl, key, request }) => ({
    files: { 'mcp.json': { mcpServers: { litfeed: { type: 'http', url: mcpUrl, headers: { Authorization: `Bearer ${key}` } } } } },
    env: {
      ANTHROPIC_BASE_URL: modelUrl,
      ANTHROPIC_API_KEY: 'stand-in',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1'
    },
    args: [
      '-p', request, '--mcp-config', 'mcp.json', '--strict-mcp-config', '--allowedTools', 'mcp__litfeed', '--model', 'claude-sonnet-4-5'
    ]
  })
}
