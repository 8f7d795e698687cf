const quoted = text => JSON.stringify(text)

/** Codex, with the approval policy that `codex exec` has by itself, and a model that it knows: it gives others much less of a result. */
export const codex = {
  name: 'Codex',
  package: '@openai/codex',
  bin: 'codex',
  prepare: ({ modelUrl, mcpUrl, key, request }) => ({
    files: {
      '.codex/config.toml': [
        'model = "gpt-5.5"',
        'model_provider = "stand-in"',
        '[model_providers.stand-in]',
        'name = "Stand-in"',
        `base_url = ${quoted(`${modelUrl}/v1`)}`,
        'wire_api = "responses"',
        '[mcp_servers.litfeed]',
        `url = ${quoted(mcpUrl)}`,
        'bearer_token_env_var = "LITFEED_KEY"'
      ].join('\n')
    },
    env: { LITFEED_KEY: key },
    args: ['exec', '--skip-git-repo-check', '--sandbox', 'read-only', request]
  })
}
