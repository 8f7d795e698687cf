import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { workerData } from 'node:worker_threads'
import { widestQueries } from '../../bench/search/queries.js'
import { hostileQueries } from '../../bench/search/hostile.js'
import { column, writePdf } from '../support/pdf.js'
import { type AttackRequest, end, flood, pick, post, result, toolCall, withKey } from './attack-thread.js'
import type { AttackData } from './attacks.js'
import { chineseRecords, latexRecords, recordsWithReferences } from './heavy-records.js'

/* Attacks of an ordinary account. */

const { url, key, keys, paperId, paperIds, projectId, feedOrigin, foreignOrigin, ownAddress } = workerData as AttackData

const batchOf = (name: string, args: object) => JSON.stringify(Array.from({ length: 50 }, (_each, at) => toolCall(at, name, args)))
const sendBatches = async (body: string) => await flood(6, () => post('/api/mcp', body))

function upload (): Promise<void> {
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
  const headers = { ...withKey, 'content-type': 'application/pdf' }
  return flood(2, () => ({ path: `/api/papers/${paperId}/pdf`, options: { method: 'POST', headers, body } }))
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

/** Sends a request on a connection of its own, and closes that before the response. */
async function abandon (path: string): Promise<void> {
  const { port, host } = new URL(url)
  const socket = connect(Number(port), ownAddress)
  socket.on('error', () => {})
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${key}\r\n\r\n`)
  await sleep(10)
  socket.destroy()
}

/** Unicode normalization takes seconds for them. */
const marks = `a${'\u0301'.repeat(25_000)}${'\u0316'.repeat(25_000)}`
const promptMessages = [
  { method: 'prompts/get', params: { name: 'triage', arguments: { project_id: marks } } },
  {
    method: 'completion/complete',
    params: { ref: { type: 'ref/prompt', name: 'triage' }, argument: { name: 'project_id', value: marks } }
  }
].map((message, id) => JSON.stringify({ jsonrpc: '2.0', id, ...message }))

/** Files that take long to parse, for their size. */
const hostileFiles = [
  `@article{a, title = {${'\\emph{'.repeat(2000)}x${'}'.repeat(2000)}}}`,
  `<opml><body><outline ${Array.from({ length: 250_000 }, (_each, at) => `a${at}="1"`).join(' ')}/></body></opml>`,
  `# Papers\n${'x\n'.repeat(490_000)}`
]

function importOf (file: string): AttackRequest {
  const body = new FormData()
  body.append('file', new Blob([file]), 'file.txt')
  return { path: `/api/projects/${projectId}/imports`, options: { method: 'POST', headers: { authorization: withKey.authorization }, body } }
}

/** A preview of ten journal feeds of one host. */
const previewOf = (origin: string) => post('/api/projects/preview', {
  interest_description: 'Sleep',
  sources: Array.from({ length: 10 }, (_each, at) => ({ name: 'feed', query: `${origin}/${at}` }))
})

/** Previews of journal feeds at the foreign host, and full texts of papers whose PDFs are there. */
const askForeign = () =>
  flood(6, at => at % 2 === 0 ? previewOf(foreignOrigin) : { path: `/api/papers/${pick(paperIds, at >> 1)}/markdown` })

const queries = [...widestQueries.map(({ q }) => q), ...hostileQueries(200)]

/** Characters of a page of a text. */
const pageLength = 20_000
const longestText = 8_000_000

/** A call that is rejected for its argument, with almost the largest body that is read of a call without a slot. */
const largeCall = JSON.stringify(toolCall(1, 'projects_list', { unknown: 'x'.repeat(16_000) }))

/** Attacks by name. */
export const accountAttacks = {
  batch: () => sendBatches(batchOf('paper_markdown', { paper_id: paperId })),
  projects: () => sendBatches(batchOf('projects_list', {})),
  unread: () => Promise.all(Array.from({ length: 12 }, async () => {
    while (performance.now() < end) result.bytes += await leaveUnread(batchOf('paper_markdown', { paper_id: paperId }))
  })),
  uploads: upload,
  previews: () => flood(6, () => previewOf(feedOrigin)),
  searches: () =>
    flood(6, at => ({
      path: `/api/projects/${projectId}/feed/search?limit=100&q=${encodeURIComponent(pick(queries, at).toWellFormed())}`
    })),
  abandoned: () => Promise.all(Array.from({ length: 20 }, async (_each, at) => {
    while (performance.now() < end) {
      await abandon(`/api/projects/${projectId}/feed/search?limit=100&q=${encodeURIComponent(pick(queries, at++).toWellFormed())}`)
    }
  })),
  marks: () =>
    flood(6, at => at % 3 === 2
      ? {
          path: `/api/project-papers/${paperId}`,
          options: { method: 'PATCH', headers: withKey, body: JSON.stringify({ note: marks }) }
        }
      : post('/api/mcp', promptMessages[at % 3]!)),
  files: () => flood(2, at => importOf(pick(hostileFiles, at))),
  heavyTexts: () => flood(2, at => importOf((at % 2 === 0 ? chineseRecords : latexRecords)(at, 1000))),
  references: () => Promise.all([
    flood(1, at => importOf(recordsWithReferences(at, 20))),
    flood(3, at => ({ path: `/api/papers/${pick(paperIds, at)}/references` }))
  ]),
  exports: () => flood(6, () => ({ path: `/api/projects/${projectId}/feed/export?format=bibtex` })),
  text: () =>
    flood(20, at => ({ path: `/api/papers/${paperId}/markdown?offset=${(at * pageLength) % longestText}&max_chars=${pageLength}` })),
  keys: () => flood(20, at => ({ path: '/api/projects', options: { headers: { 'x-api-key': pick(keys, at) } } })),
  refusals: () => flood(400, at => post('/api/mcp', at % 2 === 0 ? largeCall : batchOf('paper_markdown', { paper_id: paperId }))),
  alerts: () => sleep(end - performance.now()),
  chunks: askForeign,
  silent: askForeign,
  endless: askForeign,
  failingFeeds: () => flood(6, () => post(`/api/projects/${projectId}/fetch`, ''))
}
