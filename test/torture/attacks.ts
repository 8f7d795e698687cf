import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { widestQueries } from '../../bench/search/queries.js'
import { hostileQueries } from '../../bench/search/hostile.js'
import { column, writePdf } from '../support/pdf.js'
import { type Disturbance, password } from './bystander.js'
import { answer } from './service.js'

/*
 * The thread of one attack: an ordinary account sends as much as it can. It runs apart from the bystander, so its own work does not delay
 * the measured requests.
 */

/** Input of an attack. */
export interface AttackData {
  attack: 'batch' | 'unread' | 'projects' | 'uploads' | 'previews' | 'searches' | 'logins' | 'exports' | 'marks' | 'forms' | 'files' |
    'pipelines' | 'bodies'
  url: string
  key: string
  email: string
  paperId: string
  projectId: string
  /** The server of journal feeds. */
  feedOrigin: string
  seconds: number
}

const { attack, url, key, email, paperId, projectId, feedOrigin, seconds } = workerData as AttackData
const end = performance.now() + seconds * 1000
const result: Disturbance = { bytes: 0, statuses: {} }
const withKey = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }

/** Sends requests on several connections until the attack ends. */
async function flood (connections: number, request: (at: number) => { path: string, options: RequestInit }): Promise<void> {
  let sent = 0
  await Promise.all(Array.from({ length: connections }, async () => {
    while (performance.now() < end) {
      const { path, options } = request(sent++)
      const { status, text } = await answer(url + path, { signal: AbortSignal.timeout(60_000), ...options })
      result.bytes += text.length
      result.statuses[status] = (result.statuses[status] ?? 0) + 1
      if (status !== 200) await sleep(100)
    }
  }))
}

const toolCall = (id: number, name: string, args: object) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args }
})
const batchOf = (name: string, args: object) => JSON.stringify(Array.from({ length: 50 }, (_each, at) => toolCall(at, name, args)))
const sendBatches = async (body: string) =>
  await flood(6, () => ({ path: '/api/mcp', options: { method: 'POST', headers: withKey, body } }))

async function upload (): Promise<void> {
  const login = await answer(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password })
  })
  const headers = { authorization: `Bearer ${JSON.parse(login.text).access_token}`, 'content-type': 'application/pdf' }
  const body = Buffer.concat([
    writePdf([
      {
        texts: column([
          'Paper number one reports that vision came back in twelve',
          'of the fourteen mice that were treated, and in none of those'
        ])
      }
    ]),
    randomBytes(63 * 1024 * 1024)
  ])
  await flood(2, () => ({ path: `/api/papers/${paperId}/pdf`, options: { method: 'POST', headers, body } }))
}

/** Sends a request and does not read the response, until the service closes the connection. @returns the bytes that arrived anyway */
async function leaveUnread (body: string): Promise<number> {
  const { hostname, port, host } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  socket.pause()
  socket.write(
    `POST /api/mcp HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  )
  await sleep(Math.max(0, Math.min(35_000, end - performance.now())))
  const bytes = socket.bytesRead
  socket.destroy()
  return bytes
}

/** Sends ahead of the responses, on a new connection once the service closes one. */
async function sendAhead (begin: string, more: () => string | Buffer): Promise<void> {
  const { hostname, port } = new URL(url)
  while (performance.now() < end) {
    const socket = connect(Number(port), hostname)
    const closed = new Promise<void>(resolve => { socket.on('error', () => {}).once('close', () => resolve()) })
    socket.on('data', data => { result.bytes += data.length })
    const timer = setTimeout(() => socket.destroy(), Math.max(0, Math.min(2000, end - performance.now())))
    const send = () => { while (!socket.destroyed && socket.write(more())); }
    socket.on('drain', send).write(begin)
    send()
    await closed
    clearTimeout(timer)
  }
}

const pipelined = 'GET /login HTTP/1.1\r\nHost: a\r\nAccept: text/html\r\n\r\n'.repeat(1500)
const endlessForm =
  'POST /api/auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 900000000\r\n\r\n'
const chunk = Buffer.alloc(65_536, 'x')

/** Unicode normalization takes seconds for them. */
const marks = `a${'\u0301'.repeat(25_000)}${'\u0316'.repeat(25_000)}`
const promptMessages = [
  { method: 'prompts/get', params: { name: 'triage', arguments: { project_id: marks } } },
  {
    method: 'completion/complete',
    params: { ref: { type: 'ref/prompt', name: 'triage' }, argument: { name: 'project_id', value: marks } }
  }
].map((message, id) => JSON.stringify({ jsonrpc: '2.0', id, ...message }))

/** Forms that anyone may send: a megabyte of fields, and fifty multipart fields of a megabyte each. */
const manyFields = '&a=1'.repeat(250_000)
const manyParts = Array.from({ length: 50 }, (_each, at) =>
  `--x\r\nContent-Disposition: form-data; name="f${at}"\r\n\r\n${'x'.repeat(1_000_000)}\r\n`).join('') + '--x--\r\n'

/** Files that take long to parse, for their size. */
const hostileFiles = [
  `@article{a, title = {${'\\emph{'.repeat(2000)}x${'}'.repeat(2000)}}}`,
  `<opml><body><outline ${Array.from({ length: 250_000 }, (_each, at) => `a${at}="1"`).join(' ')}/></body></opml>`,
  `# Papers\n${'x\n'.repeat(490_000)}`
]

async function importFiles (): Promise<void> {
  const login = await answer(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password })
  })
  const headers = { authorization: `Bearer ${JSON.parse(login.text).access_token}` }
  await flood(2, at => {
    const body = new FormData()
    body.append('file', new Blob([hostileFiles[at % hostileFiles.length]!]), 'file.txt')
    return { path: `/api/projects/${projectId}/imports`, options: { method: 'POST', headers, body } }
  })
}

const queries = [...widestQueries.map(({ q }) => q), ...hostileQueries(200)]

const attacks: Record<AttackData['attack'], () => Promise<unknown>> = {
  batch: () => sendBatches(batchOf('paper_markdown', { paper_id: paperId })),
  projects: () => sendBatches(batchOf('projects_list', {})),
  unread: () => Promise.all(Array.from({ length: 12 }, async () => {
    while (performance.now() < end) result.bytes += await leaveUnread(batchOf('paper_markdown', { paper_id: paperId }))
  })),
  uploads: upload,
  previews: () =>
    flood(6, () => ({
      path: '/api/projects/preview',
      options: {
        method: 'POST',
        headers: withKey,
        body: JSON.stringify({
          interest_description: 'Sleep',
          sources: Array.from({ length: 10 }, (_each, at) => ({ name: 'feed', query: `${feedOrigin}/${at}` }))
        })
      }
    })),
  searches: () =>
    flood(6, at => ({
      path: `/api/projects/${projectId}/feed/search?limit=100&q=${encodeURIComponent(queries[at % queries.length]!.toWellFormed())}`,
      options: { headers: { authorization: `Bearer ${key}` } }
    })),
  logins: () =>
    flood(60, at => ({
      path: '/api/auth/login',
      options: {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': `10.0.${(at >> 8) & 255}.${at & 255}` },
        body: JSON.stringify({ email: `nobody${at}@example.org`, password: 'a wrong password' })
      }
    })),
  marks: () =>
    flood(6, at => at % 3 === 2
      ? {
          path: `/api/project-papers/${paperId}`,
          options: { method: 'PATCH', headers: withKey, body: JSON.stringify({ note: marks }) }
        }
      : { path: '/api/mcp', options: { method: 'POST', headers: withKey, body: promptMessages[at % 3]! } }),
  forms: () =>
    flood(20, at => at % 2 === 0
      ? {
          path: '/login',
          options: { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: manyFields }
        }
      : {
          path: '/unsubscribe/token',
          options: { method: 'POST', headers: { 'content-type': 'multipart/form-data; boundary=x' }, body: manyParts }
        }),
  files: importFiles,
  pipelines: () => Promise.all(Array.from({ length: 6 }, () => sendAhead(pipelined, () => pipelined))),
  bodies: () => Promise.all(Array.from({ length: 20 }, () => sendAhead(endlessForm, () => chunk))),
  exports: () =>
    flood(6, () => ({
      path: `/api/projects/${projectId}/feed/export?format=bibtex`,
      options: { headers: { authorization: `Bearer ${key}` } }
    }))
}

await attacks[attack]()
parentPort!.postMessage(result)
