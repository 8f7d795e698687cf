import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { litfeed, runCommand, temporaryDirectory } from '../../bench/process.js'
import { offline } from '../support/offline.js'

/** PostgreSQL that databases may be made on; without it, trials of several processes are left out. */
export const serverUrl = process.env.TORTURE_DATABASE_URL ?? process.env.TEST_DATABASE_URL
const secret = 'a secret of the trials, long enough to be one'

export interface Served { child: ChildProcess, port: number, url: string, printed: () => string, stop: () => Promise<number | null> }

export function environmentOf (databaseUrl: string | undefined, more: Record<string, string> = {}): Record<string, string> {
  return { DATA_DIR: temporaryDirectory(), PORT: '0', RATE_LIMIT: '0', LOG_LEVEL: 'info', ...offline, ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl, JWT_SECRET: secret }), ...more }
}

/** Starts a process of the service, and waits until it listens. */
export async function serve (environment: Record<string, string>): Promise<Served> {
  const child = spawn(process.execPath, [litfeed, 'serve'], { env: { PATH: process.env.PATH, ...environment }, stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  // The log of an hour is not kept: what is waited for comes at the start and at the end.
  child.stdout.on('data', chunk => { printed = (printed + chunk).slice(-20_000) })
  while (!printed.includes('Litfeed is at')) await once(child.stdout, 'data')
  const [, url, port] = /Litfeed is at (http:\/\/127\.0\.0\.1:(\d+))\//.exec(printed)!
  return {
    child,
    port: Number(port),
    url: url!,
    printed: () => printed,
    async stop () {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      return (await exited)[0] as number | null
    }
  }
}

export interface Reader { email: string, password: string, key: string, token: string, project: string }

/** An account with a key, an access token and a project that has the samples in it. */
export async function reader (environment: Record<string, string>, { url }: Served, { email = 'you@example.org', files = [] as string[], sources = [] as string[] } = {}): Promise<Reader> {
  const { password } = await runCommand(['user', 'create', '--email', email], environment)
  const { api_key: key } = await runCommand(['key', 'rotate', '--email', email], environment)
  const { id: project } = await runCommand(['project', 'create', '--email', email, '--name', 'Trial', '--interest', 'How sleep consolidates memory', ...sources.flatMap(source => ['--source', source])], environment)
  if (files.length > 0) await runCommand(['import', ...files, '--project', project], environment)
  const { access_token: token } = await send(url, 'POST', '/api/auth/login', undefined, { email, password })
  return { email, password, key, token, project }
}

/** One call over REST. @throws where it is not answered well */
export async function send (url: string, method: string, path: string, credential?: string, body?: object): Promise<any> {
  const response = await fetch(url + path, {
    method,
    headers: { ...(credential === undefined ? {} : { authorization: `Bearer ${credential}` }), ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${text.slice(0, 200)}`)
  return text === '' ? undefined : JSON.parse(text)
}

/** One call of a tool. */
export const callTool = async (url: string, key: string, name: string, args: object): Promise<any> =>
  (await send(url, 'POST', '/api/mcp', key, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })).result.structuredContent

/** The value of a metric, summed over its labels that match. */
export async function metric (url: string, name: string, labels = ''): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return text.split('\n').filter(line => (line.startsWith(`${name}{`) || line.startsWith(`${name} `)) && line.includes(labels)).reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0)
}
