import { html } from 'ghtml'
import type { ServiceContext } from '../../operations/operation.js'
import { readiness } from '../../operations/readiness.js'
import { layout } from '../layout.js'

/** What this is, whether it is well, and how to connect. */
export async function home (context: ServiceContext): Promise<string> {
  const { ready, database } = await readiness.run(context, {})
  const state = ready ? 'The service is well.' : database ? 'The database is at another version than this program.' : 'The database cannot be reached at the moment.'
  const address = `${context.baseUrl()}/api/mcp`
  const keyed = `${address}/?key=YOUR_KEY`
  const clients = [
    { name: 'Claude (connectors), ChatGPT and other clients that take only an address', how: 'Add a custom connector or MCP server with this address:', text: keyed },
    { name: 'Claude Code', how: 'Run once:', text: `claude mcp add --transport http litfeed ${address} --header "Authorization: Bearer YOUR_KEY"` },
    { name: 'VS Code', how: 'In .vscode/mcp.json:', text: JSON.stringify({ servers: { litfeed: { type: 'http', url: address, headers: { Authorization: 'Bearer YOUR_KEY' } } } }, null, 2) },
    { name: 'Cursor', how: 'In .cursor/mcp.json:', text: JSON.stringify({ mcpServers: { litfeed: { url: address, headers: { Authorization: 'Bearer YOUR_KEY' } } } }, null, 2) },
    { name: 'curl', how: 'To see that it answers:', text: `curl -s ${address} -H 'Authorization: Bearer YOUR_KEY' -H 'Content-Type: application/json' \\\n  -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'` }
  ]
  return layout('Litfeed', html`<h1>Litfeed</h1>
<p class="lead">Your standing research interests, each with a feed of papers, for you and for your AI assistant through one MCP endpoint.</p>
<p class="state ${ready ? 'well' : 'unwell'}" role="status">${state}</p>
<h2>Connect a client</h2>
<p>You need your MCP key. Make one with <code>litfeed key rotate --email you@example.org</code>; it is shown once.</p>
<dl>
!${clients.map(({ name, how, text }) => html`<div><dt>${name}</dt><dd>${how}<pre tabindex="0">${text}</pre></dd></div>`)}
</dl>
<h2>What an assistant can do with it</h2>
<p>List your projects, read what is new in a feed, search a whole feed by words, authors, DOI, PMID or arXiv id, look a paper up, read its full text, and give you the address of a feed for your reader or reference manager.</p>
`)
}
