import type { ComponentChildren } from 'preact'
import { Copy } from './copy.js'
import { Notice } from './notice.js'

interface Service {
  /** Address of the service, without a slash at its end. */
  base: string
  /** The key, where it may be shown. */
  key: string
}

interface Client { id: string, name: string, setup: (service: Service) => ComponentChildren }

const endpoint = ({ base }: Service) => `${base}/api/mcp`
const endpointWithKey = ({ base, key }: Service) => `${base}/api/mcp/?key=${key}`
/** Indented, with short objects on one line. */
const json = (value: object) => JSON.stringify(value, null, 2)
  .replace(/\{\n([^{}[\]]{1,70})\n\s*\}/g, (_whole, inner: string) => `{ ${inner.trim().replace(/\n\s+/g, ' ')} }`)

const isLoopback = (base: string) => /^(localhost|127\.|\[::1\])/.test(new URL(base).host)

/** Said where a client that runs elsewhere cannot reach the service. */
const Reachable = ({ base, who }: { base: string, who: string }) =>
  base.startsWith('https:') && !isLoopback(base)
    ? null
    : <Notice kind='warn'>{who} runs on other machines and needs a public https address. This service is at <code>{base}</code>; set <code>BASE_URL</code> once it has a public address.</Notice>

/** How each client is set up, in the order in which people ask for them. docs/clients.md says the same. */
export const clients: readonly Client[] = [
  {
    id: 'claude',
    name: 'Claude',
    setup: service => (
      <>
        <Reachable base={service.base} who='Claude' />
        <p>On claude.ai or in the desktop app, open <b>Settings</b>, <b>Connectors</b>, <b>Add custom connector</b>, and give it this address:</p>
        <Copy text={endpointWithKey(service)} label='Claude’s connector address' />
        <p class='hint'>The address holds your key. Where request headers can be set, use the address without it and the header <code>Authorization: Bearer</code> with the key.</p>
      </>
    )
  },
  {
    id: 'claude-code',
    name: 'Claude Code',
    setup: service => (
      <>
        <p>In a terminal:</p>
        <Copy lines text={`claude mcp add --transport http litfeed ${endpoint(service)} \\\n  --header "Authorization: Bearer ${service.key}"`} label='the command for Claude Code' />
        <p class='hint'>Add <code>--scope user</code> to have it in every folder. <code>/mcp</code> shows whether it is connected.</p>
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
        <p>Put this into <code>~/.cursor/mcp.json</code>, or <code>.cursor/mcp.json</code> in one project:</p>
        <Copy lines label='the settings for Cursor' text={json({ mcpServers: { litfeed: { url: endpoint(service), headers: { Authorization: `Bearer ${service.key}` } } } })} />
        <p class='hint'>Keep the file out of version control: it holds your key.</p>
      </>
    )
  },
  {
    id: 'chatgpt',
    name: 'ChatGPT',
    setup: service => (
      <>
        <Reachable base={service.base} who='ChatGPT' />
        <p>Open <b>Settings</b>, <b>Connectors</b>, <b>Advanced</b> and turn on <b>Developer mode</b>. Then <b>Create</b> a connector with this address and no authentication:</p>
        <Copy text={endpointWithKey(service)} label='ChatGPT’s connector address' />
      </>
    )
  },
  {
    id: 'mcp-remote',
    name: 'mcp-remote',
    setup: service => (
      <>
        <p>For clients that only start local programs, such as the Claude desktop app’s <code>claude_desktop_config.json</code>. Requires Node.js:</p>
        <Copy
          lines label='the settings with mcp-remote'
          text={json({ mcpServers: { litfeed: { command: 'npx', args: ['-y', 'mcp-remote', endpointWithKey(service), ...(service.base.startsWith('http:') && !isLoopback(service.base) ? ['--allow-http'] : [])] } } })}
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
          text={`curl -s ${endpoint(service)} \\\n  -H 'Authorization: Bearer ${service.key}' \\\n  -H 'Content-Type: application/json' \\\n  -d '{"jsonrpc":"2.0","id":1,"method":"tools/call",\n       "params":{"name":"projects_list","arguments":{}}}'`}
        />
      </>
    )
  }
]

/** One client at a time, chosen without scripts: each choice shows its part by the stylesheet. */
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
