import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import http from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { crossrefStandIn } from '../dist/test/support/stand-ins/crossref.js'
import { standIn } from '../dist/test/support/stand-ins/server.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const litfeed = join(root, 'dist/src/cli/index.js')
const samples = ['arxiv.xml', 'pubmed.nbib', 'pubmed.xml', 'references.bib', 'references.json', 'references.ris'].map(name =>
  join(root, 'samples', name)
)
const run = promisify(execFile)

export const topic = 'sleep'
export const failing = 'pubmed'
const emailOf = client => `${client.replaceAll(' ', '-')}@example.org`

/** Starts Litfeed on an embedded database in a folder, with stand-ins for the outside services: PubMed is down, the others know little. */
export async function startService (dataDir, dois) {
  const down = await standIn(undefined, () => ({ status: 503, body: 'Down for maintenance' }))
  const empty = await standIn(undefined, () => ({ status: 404, body: 'Not found' }))
  const arxiv = await standIn(undefined, ({ url }) =>
    url.pathname.startsWith('/html/') ? { headers: { 'content-type': 'text/html' }, body: article() } : { status: 404, body: 'Not found' }
  )
  const crossref = await crossrefStandIn(
    undefined,
    dois.map((doi, at) => ({
      title: `Theta rhythms and recall, study ${at}`,
      abstract: 'Theta rhythms predict recall.',
      date: '2026-11-12',
      doi
    }))
  )
  const environment = {
    PATH: process.env.PATH,
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    PORT: '0',
    RATE_LIMIT: '0',
    REGISTRATION: 'open',
    LOG_LEVEL: 'warn',
    PUBMED_URL: down.url,
    ARXIV_URL: empty.url,
    ARXIV_HTML_URL: arxiv.url,
    PMC_URL: empty.url,
    EUROPEPMC_URL: empty.url,
    BIORXIV_URL: empty.url,
    OPENALEX_URL: empty.url,
    CROSSREF_URL: crossref.url
  }
  const service = spawn(process.execPath, [litfeed, 'serve'], { env: environment, stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  for await (const chunk of service.stdout) {
    printed += chunk
    if (printed.includes('No account yet')) break
  }
  service.stdout.resume()
  const address = /Litfeed is at (\S+)\//.exec(printed)[1]

  async function call (method, path, body, token) {
    const response = await fetch(address + path, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' })
      },
      body: JSON.stringify(body)
    })
    const answer = await response.json()
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
    return answer
  }

  async function untilKnownDown (feed, key) {
    for (let tries = 0; tries < 240; tries++) {
      const { coverage } = await call('GET', feed, undefined, key)
      if (coverage.failing.some(({ message }) => message.includes('(unavailable)'))) return
      await sleep(500)
    }
    throw new Error(`${failing} is not reported as down`)
  }

  return {
    address,
    /**
     * Creates an account with the sample papers, planted ones and a key that may act, so that the clients do not disturb each other.
     * `isReady` waits until the service knows that a source is down.
     */
    async account (client) {
      const credentials = { email: emailOf(client), password: 'a password for the clients' }
      await call('POST', '/api/auth/register', credentials)
      const { access_token: token } = await call('POST', '/api/auth/login', credentials)
      const { id } = await call('POST', '/api/projects', {
        name: `Sleep and memory (${client})`,
        interest_description: 'How sleep spindles consolidate memory',
        positive_keywords: ['sleep spindles', 'memory consolidation'],
        sources: [{ name: failing, query: '' }]
      }, token)
      const planted = join(dataDir, 'planted.jsonl')
      writeFileSync(planted, plantedPapers().map(paper => JSON.stringify(paper)).join('\n'))
      await run(process.execPath, [litfeed, 'import', ...samples, planted, '--project', id], { env: environment })
      const { api_key: key } = await call('POST', '/api/keys', { name: client, scope: 'act' }, token)
      return { key, isReady: async () => await untilKnownDown(`/api/projects/${id}/feed?limit=1`, key) }
    },
    async stop () {
      service.kill('SIGTERM')
      await once(service, 'exit')
      for (const each of [down, empty, arxiv, crossref]) await each.close()
    }
  }
}

/** Papers with long records and a full text, which score best. */
const plantedPapers = () =>
  Array.from({ length: 4 }, (_, at) => ({
    title: `Sleep spindles and memory consolidation: evidence from ${at + 2} laboratories`,
    abstract:
      ('Sleep spindles support memory consolidation. We recorded sleep spindles of 120 sleepers over two nights. Spindle density rose by ' +
        '12 % (95 % CI 4 to 20). ').repeat(
        9
      ),
    authors: Array.from({ length: 8 }, (_, author) => ({ name: `Given Family ${author}` })),
    published_date: '2026-11-10',
    external_ids: { arxiv: `2611.0990${at}` },
    source: { name: 'arxiv' }
  }))

/** A page as arXiv serves it, of about 90,000 characters, with a table and a formula. */
function article () {
  const paragraph = at =>
    `<div class="ltx_para"><p class="ltx_p">Paragraph ${at} reports on spindles. ${'Spindle density rose with the time since learning. '.repeat(14)}</p></div>`
  const table =
    '<figure class="ltx_table"><table class="ltx_tabular"><tbody><tr class="ltx_tr"><td class="ltx_td">Group</td><td ' +
    'class="ltx_td">Density</td></tr><tr class="ltx_tr"><td class="ltx_td">Sleep</td><td class="ltx_td">2.1</td></tr></tbody></table>' +
    '</figure>'
  const sections = Array.from(
    { length: 12 },
    (_, at) =>
      `<section class="ltx_section"><h2 class="ltx_title ltx_title_section">${at + 1} Part ${at + 1}</h2>${Array.from({ length: 10 }, (_, each) => paragraph(each)).join('')}${table}</section>`
  )
  return `<!DOCTYPE html><html lang="en"><body><article class="ltx_document"><h1 class="ltx_title ltx_title_document">Sleep spindles</h1>${sections.join('')}</article></body></html>`
}

/** A proxy in front of the MCP endpoint that tells the current run what the service sent. */
export function mcpProxy (address, current) {
  return http.createServer((request, response) => {
    forward(request, response).catch(error => { response.writeHead(502).end(String(error)) })
  })

  async function forward (request, response) {
    const body = await buffer(request)
    const { host, connection, 'content-length': length, ...headers } = request.headers
    const answer = await fetch(address + request.url, {
      method: request.method,
      headers,
      ...(body.length === 0 ? {} : { body }),
      redirect: 'manual'
    })
    const text = await answer.text()
    note(current(), body, text)
    response
      .writeHead(
        answer.status,
        Object.fromEntries(
          [...answer.headers].filter(
            ([name]) => !/^(?:connection|content-length|content-encoding|transfer-encoding|keep-alive)$/.test(name)
          )
        )
      )
      .end(text)
  }
}

function note (run, body, text) {
  if (run === undefined || !/"method":\s*"tools\//.test(body)) return
  const { result } = JSON.parse(text)
  if (result?.tools !== undefined) Object.assign(run, { toolsListChars: JSON.stringify(result).length, listed: result.tools })
  else run.sent.push(result)
}
