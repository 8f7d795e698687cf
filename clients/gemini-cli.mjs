/** Gemini CLI. */
export const geminiCli = {
  name: 'Gemini CLI',
  package: '@google/gemini-cli',
  bin: 'gemini',
  prepare: ({ modelUrl, mcpUrl, key, request }) => ({
    files: {
      '.gemini/settings.json': {
        security: { auth: { selectedType: 'gemini-api-key' } },
        general: { disableAutoUpdate: true },
        privacy: { usageStatisticsEnabled: false },
        mcpServers: { litfeed: { httpUrl: mcpUrl, headers: { Authorization: `Bearer ${key}` }, trust: true } }
      }
    },
    env: { GEMINI_API_KEY: 'stand-in', GOOGLE_GEMINI_BASE_URL: modelUrl, GEMINI_CLI_TRUST_WORKSPACE: 'true' },
    args: ['--prompt', request, '--model', 'gemini-2.5-pro', '--approval-mode', 'yolo']
  })
}
