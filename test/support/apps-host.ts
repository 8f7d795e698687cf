import { existsSync, readFileSync } from 'node:fs'
import { type Server, createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Browser, Frame, Page } from 'playwright-core'
import type { Test } from 'tap'
import { packageRoot } from '../../src/settings/version.js'

/** Modules of the reference host, by the names that they import each other by. */
const modules = {
  '@modelcontextprotocol/ext-apps/app-bridge': '@modelcontextprotocol/ext-apps/dist/src/app-bridge.js',
  '@modelcontextprotocol/client': '@modelcontextprotocol/client/dist/index.mjs',
  '@modelcontextprotocol/client/_shims': '@modelcontextprotocol/client/dist/shimsBrowser.mjs',
  '@modelcontextprotocol/core': '@modelcontextprotocol/core/dist/index.mjs',
  '@modelcontextprotocol/core/internal': '@modelcontextprotocol/core/dist/internal.mjs',
  'zod/v4': 'zod/v4/index.js',
  eventsource: 'eventsource/dist/index.js',
  'eventsource-parser': 'eventsource-parser/dist/index.js',
  'eventsource-parser/stream': 'eventsource-parser/dist/stream.js',
  'pkce-challenge': 'pkce-challenge/dist/index.browser.js',
  jose: 'jose/dist/webapi/index.js'
}

/** A page that connects as an MCP client, calls a tool, and shows its view in the reference bridge, as web hosts do. */
const hostPage = (sandbox: string) => `<!doctype html><meta charset="utf-8"><title>Host</title>
<script type="importmap">${JSON.stringify({ imports: Object.fromEntries(Object.entries(modules).map(([name, path]) => [name, `/modules/${path}`])) })}</script>
<style>body { margin: 0 } iframe { width: 100%; border: 0; display: block }</style>
<script type="module">
import { AppBridge, PostMessageTransport, getToolUiResourceUri } from '@modelcontextprotocol/ext-apps/app-bridge'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
window.show = async ({ url, era, args, theme, capabilities = {}, result }) => {
  document.querySelector('iframe')?.remove()
  Object.assign(window, { calls: [], opened: [], told: '', delay: undefined })
  const extensions = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } }
  const client = new Client({ name: 'host', version: '1' }, { capabilities: { extensions }, ...(era === 'modern' ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {}) })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  const callTool = client.callTool.bind(client)
  client.callTool = async (...all) => { window.calls.push(all[0]); await window.delay; return await callTool(...all) }
  const request = client.request.bind(client)
  client.request = async (...all) => { if (all[0].method === 'tools/call') { window.calls.push(all[0].params); await window.delay } return await request(...all) }
  const tool = (await client.listTools()).tools.find(({ name }) => name === 'feed_brief')
  const uri = getToolUiResourceUri(tool)
  const [content] = (await client.readResource({ uri })).contents
  const iframe = document.createElement('iframe')
  iframe.setAttribute('sandbox', 'allow-scripts allow-same-origin allow-forms')
  document.body.append(iframe)
  const ready = new Promise(resolve => window.addEventListener('message', ({ source, data }) => { if (source === iframe.contentWindow && data?.method === 'ui/notifications/sandbox-proxy-ready') resolve() }))
  iframe.src = ${JSON.stringify(sandbox)}
  await ready
  const all = { openLinks: {}, serverTools: {}, updateModelContext: { text: {} }, ...capabilities }
  for (const name of Object.keys(all)) if (all[name] === null) delete all[name]
  const bridge = new AppBridge(client, { name: 'Host', version: '1' }, all, { hostContext: { theme, locale: 'en' } })
  window.bridge = bridge
  bridge.onopenlink = async ({ url }) => { window.opened.push(url); return {} }
  bridge.onupdatemodelcontext = async ({ content }) => { window.told = content[0].text; return {} }
  bridge.onsizechange = ({ height }) => { iframe.style.height = height + 'px' }
  const initialized = new Promise(resolve => { bridge.oninitialized = resolve })
  await bridge.connect(new PostMessageTransport(iframe.contentWindow, iframe.contentWindow))
  await bridge.sendSandboxResourceReady({ html: content.text, csp: content._meta.ui.csp })
  await initialized
  await bridge.sendToolInput({ arguments: args })
  await bridge.sendToolResult(result ?? await callTool({ name: 'feed_brief', arguments: args }))
  return { uri, mimeType: content.mimeType, csp: content._meta.ui.csp, length: content.text.length, era: client.getNegotiatedProtocolVersion?.() }
}
window.hostReady = true
</script>`

/** The proxy between host and view, on an origin of its own. */
const sandboxPage = `<!doctype html><meta charset="utf-8"><title>Sandbox</title><style>body { margin: 0; height: 100vh } iframe { width: 100%; height: 100%; border: 0; display: block }</style><script>
addEventListener('DOMContentLoaded', () => {
  const inner = document.createElement('iframe')
  inner.setAttribute('sandbox', 'allow-scripts allow-same-origin allow-forms')
  inner.title = 'View'
  document.body.append(inner)
  addEventListener('message', ({ source, data }) => {
    if (source === inner.contentWindow) return parent.postMessage(data, '*')
    if (source !== parent) return
    if (data.method !== 'ui/notifications/sandbox-resource-ready') return inner.contentWindow.postMessage(data, '*')
    inner.contentDocument.open()
    inner.contentDocument.write(data.params.html)
    inner.contentDocument.close()
  })
  parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-proxy-ready', params: {} }, '*')
})
</script>`

/** Policy that hosts enforce for a view that declares no domains. */
const sandboxPolicy =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-src 'self'"

/** The message of the error by which tests let the host's calls fail. */
const deliberateError = 'offline'

/** Content of a host page. `capabilities` null leaves one of the host out; `result` stands in for the tool's. */
export interface Showing {
  url: string
  era?: 'legacy' | 'modern'
  args?: object
  theme?: 'light' | 'dark'
  capabilities?: Record<string, null>
  result?: object
}

/** A web host of views, built on the reference bridge. */
export interface AppsHost {
  /** Origin of its pages, which the service must allow. */
  origin: string
  /** Shows, in place of the one before, the view of `feed_brief`. `facts` is what the host saw of its resource. */
  show: (browser: Browser, showing: Showing) => Promise<{ page: Page, card: Frame, facts: any }>
}

/** Starts the host and its sandbox; stops both when the test ends, which fails it if a page reported an error. */
export async function appsHost (t: Test): Promise<AppsHost> {
  const complaints: string[] = []
  // The first to be added runs last: an error ends teardown.
  t.teardown(() => { if (complaints.length > 0) throw new Error(`Pages of the host reported errors: ${complaints.join(' · ')}`) })
  const listen = async (answer: (path: string) => { type: string, body: string | Buffer, policy?: string } | undefined) => {
    const server: Server = createServer(({ url }, response) => {
      const found = answer(url!.replace(/[?#].*$/, ''))
      if (found === undefined) response.writeHead(404).end()
      else {
        response
          .writeHead(200, {
            'content-type': found.type,
            ...(found.policy === undefined ? {} : { 'content-security-policy': found.policy })
          })
          .end(found.body)
      }
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    t.teardown(() => { server.close(); server.closeAllConnections() })
    return (server.address() as AddressInfo).port
  }
  const sandboxPort = await listen(path => path === '/' ? { type: 'text/html', body: sandboxPage, policy: sandboxPolicy } : undefined)
  const hostPort = await listen(path => {
    if (path === '/') return { type: 'text/html', body: hostPage(`http://127.0.0.1:${sandboxPort}/`) }
    const file = new URL(`node_modules/${path.replace('/modules/', '')}`, packageRoot)
    return path.startsWith('/modules/') && /\.m?js$/.test(path) && existsSync(file)
      ? { type: 'text/javascript', body: readFileSync(file) }
      : undefined
  })
  let page: Page | undefined
  const origin = `http://localhost:${hostPort}`
  async function open (browser: Browser): Promise<Page> {
    const context = await browser.newContext({ reducedMotion: 'reduce', viewport: { width: 720, height: 900 } })
    context.setDefaultTimeout(120_000)
    const page = await context.newPage()
    page.on('pageerror', ({ message }) => { if (message !== deliberateError) complaints.push(message) })
    page.on('console', message => {
      // The client asks for a stream, which the service does not have.
      const isStream = message.text().includes('status of 405') && message.location().url.includes('/api/mcp?')
      if (message.type() === 'error' && !isStream && !message.text().includes('favicon')) complaints.push(message.text())
    })
    page.on('request', request => {
      if (!/^http:\/\/(127\.0\.0\.1|localhost):/.test(request.url())) complaints.push(`requested ${request.url()}`)
    })
    await page.goto(`${origin}/`)
    await page.waitForFunction(() => (globalThis as any).hostReady === true)
    return page
  }
  return {
    origin,
    async show (browser, { args = {}, ...showing }) {
      page ??= await open(browser)
      const facts = await page.evaluate(async options => await (globalThis as any).show(options), { ...showing, args })
      return { page, card: page.frames().at(-1)!, facts }
    }
  }
}
