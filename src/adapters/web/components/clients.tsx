import type { ComponentChildren } from 'preact'
import { isLoopback } from '../../../http/loopback.js'
import { Copy } from './copy.js'
import { Notice } from './notice.js'

interface Service {
  /** Address of the service, without a trailing slash. */
  base: string
  /** The key, or a placeholder. */
  key: string
}

interface Client { id: string, name: string, setup: (service: Service) => ComponentChildren }

const endpoint = ({ base }: Service) => `${base}/api/mcp`
const endpointWithKey = ({ base, key }: Service) => `${base}/api/mcp/?key=${key}`
/** Formats JSON with short objects on one line. */
const json = (value: object) => JSON.stringify(value, null, 2)
  .replace(/\{\n([^{}[\]]{1,70})\n\s*\}/g, (_whole, inner: string) => `{ ${inner.trim().replace(/\n\s+/g, ' ')} }`)

/** Warns that a hosted client cannot reach this service. */
const ReachabilityWarning = ({ base, client }: { base: string, client: string }) =>
  base.startsWith('https:') && !isLoopback(new URL(base).hostname)
    ? null
    : (
      <Notice kind='warn'>
        {client} runs on other machines and needs a public https address. This service is at <code>{base}</code>;
        set <code>BASE_URL</code> once it has a public address.
      </Notice>
      )

/** Setup instructions for MCP clients, most used first. docs/clients.md has the same. */
export const clients: readonly Client[] = [
  {
    id: 'claude',
    name: 'Claude',
    setup: service => (
      <>
        <ReachabilityWarning base={service.base} client='Claude' />
        <p>
          On claude.ai or in the desktop app, open <b>Settings</b>, <b>Connectors</b>, <b>Add custom connector</b>, and give it this
          address:
        </p>
        <Copy text={endpointWithKey(service)} label='Claude’s connector address' />
        <p class='hint'>
          The address holds your key. Where request headers can be set, use the address without it and the header{' '}
          <code>Authorization: Bearer</code> with the key.
        </p>
      </>
    )
  },
  {
    id: 'claude-code',
    name: 'Claude Code',
    setup: service => (
      <>
        <p>In a terminal:</p>
        <Copy
          lines
          text={`claude mcp add --transport http litfeed ${endpoint(service)} \\\n  --header "Authorization: Bearer ${service.key}"`}
          label='the command for Claude Code'
        />
        <p class='hint'>
          Add <code>--scope user</code> to have it in every folder. <code>/mcp</code> shows whether it is connected.
        </p>
      </>
    )
  },
  {
    id: 'gemini-cli',
    name: 'Gemini CLI',
    setup: service => (
      <>
        <p>In a terminal:</p>
        <Copy
          lines
          text={[
            'gemini mcp add --scope user --transport http \\',
            `  --header "Authorization: Bearer ${service.key}" \\`,
            `  litfeed ${endpoint(service)}`
          ].join('\n')}
          label='the command for Gemini CLI'
        />
        <p class='hint'>
          Gemini CLI uses servers only in folders that you trust. <code>gemini mcp list</code> shows whether it is connected.
        </p>
      </>
    )
  },
  {
    id: 'codex',
    name: 'Codex',
    setup: service => (
      <>
        <p>In a terminal:</p>
        <Copy
          lines
          text={[
            `export LITFEED_KEY=${service.key}`,
            `codex mcp add litfeed --url ${endpoint(service)} \\`,
            '  --bearer-token-env-var LITFEED_KEY'
          ].join('\n')}
          label='the commands for Codex'
        />
        <p class='hint'>Codex reads the key from the environment each time it starts: put the first line into your shell’s profile.</p>
      </>
    )
  },
  {
    id: 'opencode',
    name: 'opencode',
    setup: service => (
      <>
        <p>Put this into <code>~/.config/opencode/opencode.json</code>, or <code>opencode.json</code> in one project:</p>
        <Copy
          lines
          label='the settings for opencode'
          text={json({
            $schema: 'https://opencode.ai/config.json',
            mcp: { litfeed: { type: 'remote', url: endpoint(service), headers: { Authorization: `Bearer ${service.key}` } } }
          })}
        />
        <p class='hint'>
          <code>opencode mcp list</code> shows whether it is connected. From version 2 on, servers are under <code>mcp.servers</code>.
        </p>
      </>
    )
  },
  {
    id: 'cline',
    name: 'Cline',
    setup: service => (
      <>
        <p>
          In the extension, open <b>MCP Servers</b>, <b>Configure</b>, <b>Configure MCP Servers</b>, and add:
        </p>
        <Copy
          lines
          label='the settings for Cline'
          text={json({
            mcpServers: { litfeed: { type: 'streamableHttp', url: endpoint(service), headers: { Authorization: `Bearer ${service.key}` } } }
          })}
        />
        <p>Or in a terminal:</p>
        <Copy
          lines
          text={[
            `cline mcp add litfeed ${endpoint(service)} --transport streamable-http \\`,
            `  --header "Authorization: Bearer ${service.key}" --yes`
          ].join('\n')}
          label='the command for Cline'
        />
      </>
    )
  },
  {
    id: 'vscode',
    name: 'VS Code',
    setup: service => (
      <>
        <p>Put this into <code>.vscode/mcp.json</code>, or open your own with the command <b>MCP: Open User Configuration</b>:</p>
        <Copy
          lines label='the settings for VS Code' text={json({
            inputs: [{ id: 'litfeed-key', type: 'promptString', description: 'Litfeed key', password: true }],
            servers: { litfeed: { type: 'http', url: endpoint(service), headers: { Authorization: 'Bearer $' + '{input:litfeed-key}' } } }
          })}
        />
        <p>VS Code asks for the key when it first connects, and keeps it out of the file:</p>
        <Copy text={service.key} label='the key for VS Code' />
      </>
    )
  },
  {
    id: 'cursor',
    name: 'Cursor',
    setup: service => (
      <>
        <p>
          Put this into <code>~/.cursor/mcp.json</code>, or <code>.cursor/mcp.json</code> in one project:
        </p>
        <Copy
          lines
          label='the settings for Cursor'
          text={json({ mcpServers: { litfeed: { url: endpoint(service), headers: { Authorization: `Bearer ${service.key}` } } } })}
        />
        <p class='hint'>Keep the file out of version control: it holds your key.</p>
      </>
    )
  },
  {
    id: 'chatgpt',
    name: 'ChatGPT',
    setup: service => (
      <>
        <ReachabilityWarning base={service.base} client='ChatGPT' />
        <p>
          Open <b>Settings</b>, <b>Connectors</b>, <b>Advanced</b> and turn on <b>Developer mode</b>. Then <b>Create</b> a connector with
          this address and no authentication:
        </p>
        <Copy text={endpointWithKey(service)} label='ChatGPT’s connector address' />
        <p>Without Developer mode, ChatGPT uses only search and fetch. This address offers those two, over all projects:</p>
        <Copy text={`${endpoint(service)}/?tools=chatgpt&key=${service.key}`} label='ChatGPT’s address for search and fetch' />
      </>
    )
  },
  {
    id: 'langchain',
    name: 'LangChain',
    setup: service => (
      <>
        <p>With <code>@langchain/mcp-adapters</code>:</p>
        <Copy
          lines label='the code for LangChain'
          text={[
            "import { MultiServerMCPClient } from '@langchain/mcp-adapters'",
            '',
            'const client = new MultiServerMCPClient({',
            '  mcpServers: {',
            '    litfeed: {',
            "      transport: 'http',",
            `      url: '${endpoint(service)}',`,
            `      headers: { Authorization: 'Bearer ${service.key}' }`,
            '    }',
            '  }',
            '})',
            'const tools = await client.getTools()'
          ].join('\n')}
        />
      </>
    )
  },
  {
    id: 'mcp-remote',
    name: 'mcp-remote',
    setup: service => (
      <>
        <p>
          For clients that only start local programs, such as the Claude desktop app’s <code>claude_desktop_config.json</code>. Requires
          Node.js:
        </p>
        <Copy
          lines
          label='the settings with mcp-remote'
          text={json({
            mcpServers: {
              litfeed: {
                command: 'npx',
                args: [
                  '-y',
                  'mcp-remote',
                  endpointWithKey(service),
                  ...(service.base.startsWith('http:') && !isLoopback(new URL(service.base).hostname) ? ['--allow-http'] : [])
                ]
              }
            }
          })}
        />
      </>
    )
  },
  {
    id: 'curl',
    name: 'curl',
    setup: service => (
      <>
        <p>A single call to check the connection:</p>
        <Copy
          lines label='the command with curl'
          text={[
            `curl -s ${endpoint(service)} \\`,
            `  -H 'Authorization: Bearer ${service.key}' \\`,
            "  -H 'Content-Type: application/json' \\",
            '  -d \'{"jsonrpc":"2.0","id":1,"method":"tools/call",',
            '       "params":{"name":"projects_list","arguments":{}}}\''
          ].join('\n')}
        />
      </>
    )
  }
]

/** Setup instructions with a client switcher, which works without scripts: the style sheet shows the selected client. */
export const ClientSetup = ({ service }: { service: Service }) => (
  <div class='clients'>
    <fieldset class='client-choice'>
      <legend class='unseen'>Client</legend>
      {clients.map(({ id, name }, at) => (
        <label key={id}><input type='radio' name='client' value={id} checked={at === 0} autocomplete='off' /><span>{name}</span></label>
      ))}
    </fieldset>
    {clients.map(({ id, name, setup }) => (
      <section key={id} class='client stack' data-client={id} aria-label={name}>{setup(service)}</section>
    ))}
  </div>
)
