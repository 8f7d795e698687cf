import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { type Disturbance, password } from './bystander.js'
import { answer } from './service.js'

/*
 * What the threads of attacks share. An attack runs apart from the bystander, so its own work does not delay the measured requests.
 */

/** Input of every attack. */
export interface AttackInput {
  url: string
  /** A key of the attacker that may act. */
  key: string
  email: string
  seconds: number
}

const { url, key, email, seconds } = workerData as AttackInput

/** When the attack ends, on the monotonic clock. */
export const end = performance.now() + seconds * 1000

/** What the attacker received, for the trial. */
export const result: Disturbance = { bytes: 0, statuses: {} }

/** Counts something that the attacker saw, such as the status of a response. */
export function count (status: number | string, bytes = 0): void {
  result.bytes += bytes
  result.statuses[status] = (result.statuses[status] ?? 0) + 1
}

const jsonType = { 'content-type': 'application/json' }

/** Headers of a call with the attacker's key. */
export const withKey = { authorization: `Bearer ${key}`, ...jsonType }

/** A request to the service. Its headers have the attacker's key unless its options state others. */
export interface AttackRequest { path: string, options?: RequestInit }

/** A POST of JSON. The default headers have the attacker's key. */
export const post = (path: string, body: unknown, headers: Record<string, string> = withKey): AttackRequest => ({
  path,
  options: { method: 'POST', headers: { ...jsonType, ...headers }, body: typeof body === 'string' ? body : JSON.stringify(body) }
})

/** Sends a request and counts its response. @returns its status and text */
export async function send ({ path, options }: AttackRequest): Promise<{ status: number, text: string }> {
  const { status, text } = await answer(url + path, {
    headers: withKey,
    signal: AbortSignal.timeout(120_000),
    redirect: 'manual',
    ...options
  })
  count(status, text.length)
  return { status, text }
}

/** Sends requests on several connections until the attack ends. A connection waits a tenth of a second after an error. */
export async function flood (connections: number, request: (at: number) => AttackRequest | Promise<AttackRequest>): Promise<void> {
  let sent = 0
  await Promise.all(Array.from({ length: connections }, async () => {
    while (performance.now() < end) {
      const { status } = await send(await request(sent++))
      if (status >= 400 || status === 0) await sleep(100)
    }
  }))
}

/** A login of the attacker with the right password. */
export const login = (): AttackRequest => post('/api/auth/login', { email, password }, {})

/** Signs the attacker in. @returns the tokens */
export async function signIn (): Promise<{ access_token: string, refresh_token: string }> {
  const { path, options } = login()
  return JSON.parse((await answer(url + path, options)).text)
}

/** A call of a tool over MCP. */
export const toolCall = (id: number, name: string, args: object) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args }
})

/** Cyclic choice, so that every value gets its turn. */
export const pick = <T>(values: readonly T[], at: number): T => values[at % values.length]!

/** Runs the attack that the trial names, and sends it the result. */
export async function runAttack (attacks: Readonly<Record<string, () => Promise<unknown>>>): Promise<void> {
  await attacks[(workerData as { attack: string }).attack]!()
  parentPort!.postMessage(result)
}
