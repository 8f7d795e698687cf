import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { workerData } from 'node:worker_threads'
import { type AttackRequest, count, end, flood, login, pick, post, result, send, signIn } from './attack-thread.js'
import type { AttackData } from './attacks.js'

/* Attacks of clients that nobody knows, or that only sign in. */

const { url, key, projectId, ownAddress } = workerData as AttackData
const { hostname, port } = new URL(url)

/** One of 65,536 addresses, as a trusted proxy states it. */
const from = (at: number) => ({ 'x-forwarded-for': `10.0.${(at >> 8) & 255}.${at & 255}` })

/** Sends ahead of the responses, on a new connection once the service closes one. */
async function sendAhead (begin: string, more: () => string | Buffer): Promise<void> {
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

/** Forms that anyone may send: a megabyte of fields, and fifty multipart fields of a megabyte each. */
const manyFields = '&a=1'.repeat(250_000)
const manyParts = Array.from({ length: 50 }, (_each, at) =>
  `--x\r\nContent-Disposition: form-data; name="f${at}"\r\n\r\n${'x'.repeat(1_000_000)}\r\n`).join('') + '--x--\r\n'

/** Each session refreshes its tokens again and again. */
async function refresh (): Promise<void> {
  const sessions = []
  // One after the other, as strangers have ten attempts at a time.
  for (let at = 0; at < 20; at++) sessions.push(await signIn())
  await Promise.all(sessions.map(async ({ refresh_token: token }) => {
    while (performance.now() < end) {
      const { status, text } = await send(post('/api/auth/refresh', { refresh_token: token }, {}))
      if (status === 200) token = JSON.parse(text).refresh_token
      else await sleep(100)
    }
  }))
}

const unknownId = '00000000-0000-4000-8000-000000000000'
const hash = '0123456789abcdef'.repeat(4)
const wrongSecret = (at: number) => String(at).padStart(32, 'x')

/** Keys with the prefix of a real one and with an unknown one, an access token and a refresh token, all wrong. */
const wrongSecrets: ReadonlyArray<(at: number) => AttackRequest> = [
  at => ({ path: '/api/projects', options: { headers: { 'x-api-key': `svcmcp_${key.split('_')[1]}_${wrongSecret(at)}` } } }),
  at => post(`/api/mcp?key=svcmcp_${String(at).padStart(10, 'y')}_${wrongSecret(at)}`, {}, {}),
  at => ({ path: '/api/auth/me', options: { headers: { authorization: `Bearer eyJhbGciOiJIUzI1NiJ9.eyJhdCI6${at}.${wrongSecret(at)}` } } }),
  at => post('/api/auth/refresh', { refresh_token: `svcrt_${unknownId}_${wrongSecret(at)}${hash.slice(32)}` }, {})
]

/** Every link that works without signing in, with a wrong token. */
const wrongLinks: ReadonlyArray<(at: number) => string> = [
  at => `/unsubscribe/svcun_${unknownId}_${wrongSecret(at)}`,
  () => `/unsubscribe/svcun_${unknownId}_${hash.slice(32)}`,
  at => `/shared?token=svcsh_${wrongSecret(at)}`,
  at => `/shared/export?format=bibtex&token=svcsh_${wrongSecret(at)}`,
  at => `/api/shared/atom?token=svcsh_${wrongSecret(at)}`,
  at => `/api/feed/atom/${projectId}?token=${wrongSecret(at)}`,
  () => `/api/feed/atom/${unknownId}?token=${hash}`,
  () => `/snapshots/${hash}`,
  () => `/snapshots/${hash}/archive`
]

const long = (text: string) => text.repeat(Math.ceil(14_000 / text.length))

/** Requests whose path or one of whose headers almost fills the 16 KiB that Node.js reads, and one that exceeds them. */
const longRequests: readonly AttackRequest[] = [
  ...[`/${long('x')}`, `/api/${long('x/')}`, `/api/papers/${long('10.1234/')}`, `/login?next=${long('%2F')}`, `/unsubscribe/${long('%20')}`,
    `/api/mcp?key=${long('svcmcp_')}`, `/api/projects?${long('&a=%5B')}`, `/${long('..%2f')}`, `/${long('svcmcp_a_b')}`
  ].map(path => ({ path, options: { headers: {} } })),
  ...Object.entries({
    accept: long('text/html;q=0.1, '),
    'accept-language': long('de;q=0.1, '),
    authorization: `Bearer ${long('a.')}`,
    cookie: long('a=b; '),
    'if-none-match': long('"a", '),
    origin: `https://${long('a.')}example.org`,
    traceparent: long('00-'),
    'x-api-key': `svcmcp_${long('a')}`,
    'x-forwarded-for': long('10.0.0.1, '),
    'x-request-id': long('a'),
    'x-unknown': long('a') + long('b')
  }).map(([name, value]) => ({ path: '/api/shared/atom?token=x', options: { headers: { [name]: value.trim() } } }))
]

/** Connections of one network, and as many of this machine's as leave some of all connections to others. */
const [networkConnections, localConnections] = [3000, 1500]
const openings = [
  '',
  'G',
  'POST /api/mcp HTTP/1.1\r\nHost: x\r\nX-Slow: ',
  `POST /api/mcp HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{`
]

/** A connection that is open for so long was accepted, and one that was closed is opened again after it. */
const acceptedMs = 5000

/** Holds connections that are idle or send a byte a second, and opens each again that the service closes. */
async function holdConnections (): Promise<void> {
  const open = new Set<Socket>()
  let most = 0
  const hold = async (at: number, host: string, held?: Set<Socket>) => {
    // The system keeps a few hundred at a time that the service has not accepted yet.
    await sleep(at)
    while (performance.now() < end) {
      const socket = connect(Number(port), host).resume().on('error', () => {})
      const closed = new Promise<void>(resolve => { socket.once('close', () => resolve()) })
      const opening = pick(openings, at)
      socket.write(opening)
      const drip = opening === '' ? undefined : setInterval(() => socket.write(' '), 1000)
      let kept: NodeJS.Timeout | undefined
      socket.once('connect', () => { kept = setTimeout(() => { held?.add(socket) }, acceptedMs) })
      const timer = setTimeout(() => socket.destroy(), Math.max(0, end - performance.now()))
      await closed
      for (const each of [drip, kept, timer]) clearTimeout(each)
      held?.delete(socket)
      count('closed')
      await sleep(Math.max(0, Math.min(acceptedMs, end - performance.now())))
    }
  }
  const watch = setInterval(() => { most = Math.max(most, open.size) }, 100)
  await Promise.all([
    ...Array.from({ length: networkConnections }, async (_each, at) => await hold(at, ownAddress, open)),
    ...Array.from({ length: localConnections }, async (_each, at) => await hold(at, hostname))
  ])
  clearInterval(watch)
  result.statuses.kept = most
}

/** Attacks by name. */
export const anonymousAttacks = {
  logins: () =>
    flood(60, at => post('/api/auth/login', { email: `nobody${at}@example.org`, password: 'a wrong password' }, from(at))),
  rightLogins: () => flood(6, login),
  refreshes: refresh,
  wrongKeys: () => flood(60, at => pick(wrongSecrets, at)(at)),
  links: () => flood(60, at => ({ path: pick(wrongLinks, at)(at), options: { headers: at % 3 === 0 ? {} : from(at) } })),
  paths: () => flood(20, at => pick(longRequests, at)),
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
  pipelines: () => Promise.all(Array.from({ length: 6 }, () => sendAhead(pipelined, () => pipelined))),
  bodies: () => Promise.all(Array.from({ length: 20 }, () => sendAhead(endlessForm, () => chunk))),
  connections: holdConnections
}
