import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { EventLoopDelay } from '../support/event-loop.js'
import { offline } from '../support/offline.js'
import { litfeed, shippedOptions, shippedVariables } from '../support/shipped-options.js'

/** Measures the event loop of a service. */
const probe = new URL('./event-loop-probe.js', import.meta.url).href

/** A PostgreSQL server on which trials create their own databases. */
export const postgresUrl = process.env.TORTURE_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'

/** Environment variables of a process. */
export type Environment = Record<string, string>

/** The environment of a litfeed process: offline, without limits of calls and projects, logging fatal errors only. */
export const environmentOf = (more: Environment): Environment => ({
  PATH: process.env.PATH!,
  HOST: '127.0.0.1',
  PORT: '0',
  LOG_LEVEL: process.env.TORTURE_LOG_LEVEL ?? 'fatal',
  RATE_LIMIT: '0',
  MAX_PROJECTS: '100000',
  JWT_SECRET: 'a secret of the trials, long enough to be one',
  ...offline,
  ...more
})

const cleanups: Array<() => unknown> = []

/** Registers a cleanup that runs after the part, whether it succeeded or not. */
export const atEnd = (undo: () => unknown): void => { cleanups.unshift(undo) }

/**
 * Runs the parts of a trial one after another, or the one that PART names. Reports a part that throws and continues with the next one. Ends
 * the process.
 */
export async function runParts (parts: Record<string, () => Promise<void>>): Promise<void> {
  const part = process.env.PART
  for (const [name, run] of Object.entries(parts)) {
    if (part !== undefined && part !== '' && part !== name) continue
    try {
      await run()
    } catch (error) {
      process.exitCode = 1
      process.stdout.write(`BROKEN  ${name}: ${(error as Error).stack}\n`)
    }
    for (const undo of cleanups.splice(0)) await undo()
  }
  process.exit()
}

/** Creates a directory; removes it after the part. */
export function temporaryDirectory (): string {
  const directory = mkdtempSync(join(tmpdir(), 'litfeed-torture-'))
  atEnd(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** Creates an empty PostgreSQL database; removes it after the part. @returns its URL */
export async function emptyDatabase (): Promise<string> {
  const name = `litfeed_torture_${randomBytes(6).toString('hex')}`
  await administer(`create database ${name}`)
  atEnd(async () => await administer(`drop database if exists ${name} with (force)`))
  const address = new URL(postgresUrl)
  address.pathname = `/${name}`
  return address.href
}

/** Runs a statement on the server. @returns its rows */
export async function administer (statement: string, connectionString = postgresUrl): Promise<any[]> {
  const client = new pg.Client({ connectionString })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

/** A running `litfeed serve`. */
export interface Service {
  child: ChildProcess
  url: string
  /** Milliseconds from the start of the process until it was ready. */
  took: number
  /** The delay of its event loop since the last call. */
  eventLoopDelay: () => Promise<EventLoopDelay>
  /** Its standard error. */
  complaints: () => string
  kill: () => Promise<void>
  stop: () => Promise<void>
}

/** Starts `litfeed serve` and waits until it is ready. @throws Error if it exits or is not ready in time */
export async function serve (environment: Environment, { timeoutMs = 180_000 } = {}): Promise<Service> {
  const began = performance.now()
  const child = spawn(process.execPath, [...shippedOptions, '--import', probe, litfeed, 'serve'], {
    env: { ...shippedVariables, ...environmentOf(environment) },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc']
  })
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill(signal)
    await once(child, 'exit')
  }
  atEnd(async () => await end('SIGKILL'))
  let complaints = ''
  let printed = ''
  child.stderr!.on('data', chunk => { complaints += chunk })
  child.stdout!.on('data', chunk => { printed += chunk })
  if (process.env.TORTURE_LOG_LEVEL !== undefined) child.stdout!.pipe(process.stderr)
  for (;;) {
    const url = /Litfeed is at (http:\/\/[^/\s]+)/.exec(printed)?.[1]
    if (url !== undefined && (await answer(`${url}/readyz`)).status === 200) {
      return {
        child,
        url,
        took: performance.now() - began,
        async eventLoopDelay () {
          const delay = once(child, 'message')
          child.send('event loop delay')
          return (await delay)[0]
        },
        complaints: () => complaints,
        kill: async () => await end('SIGKILL'),
        stop: async () => await end('SIGTERM')
      }
    }
    if (child.exitCode !== null) throw new Error(`litfeed serve exited with ${child.exitCode}: ${complaints}`)
    if (performance.now() - began > timeoutMs) {
      throw new Error(`litfeed serve was not ready within ${timeoutMs} ms: ${printed}${complaints}`)
    }
    await sleep(10)
  }
}

/** Runs a litfeed command. @returns its exit code, output and duration in milliseconds */
export async function command (
  args: string[],
  environment: Environment
): Promise<{ code: number, stdout: string, stderr: string, took: number }> {
  const began = performance.now()
  const child = spawn(process.execPath, [litfeed, ...args], { env: environmentOf(environment), stdio: ['ignore', 'pipe', 'pipe'] })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', chunk => { stdout += chunk })
  child.stderr.on('data', chunk => { stderr += chunk })
  const [code] = await once(child, 'close')
  return { code, stdout, stderr, took: performance.now() - began }
}

/** Runs a litfeed command. @returns its JSON output @throws Error if it fails */
export async function json (args: string[], environment: Environment): Promise<any> {
  const { code, stdout, stderr } = await command([...args, '--json'], environment)
  if (code !== 0) throw new Error(`litfeed ${args.join(' ')}: ${stderr}`)
  return JSON.parse(stdout)
}

/** A response, and the milliseconds that it took. */
export interface Answered {
  /** 0 if no response arrived. */
  status: number
  took: number
  text: string
}

/** Sends a request and never throws. The default timeout is ten seconds. */
export async function answer (url: string, options: RequestInit = {}): Promise<Answered> {
  const began = performance.now()
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(10_000), ...options })
    const text = await response.text()
    return { status: response.status, took: performance.now() - began, text }
  } catch (error) {
    return { status: 0, took: performance.now() - began, text: String((error as Error).cause ?? error) }
  }
}

/** Creates an account with a key and, if a service is given, a session. */
export async function account (
  environment: Environment,
  service?: Service
): Promise<{ email: string, password: string, key: string, headers: Record<string, string> }> {
  const { email, password } = await json(['user', 'create', '--email', `torture${randomBytes(4).toString('hex')}@example.org`], environment)
  const { api_key: key } = await json(['key', 'rotate', '--email', email], environment)
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (service !== undefined) {
    const login = await answer(`${service.url}/api/auth/login`, { method: 'POST', headers, body: JSON.stringify({ email, password }) })
    headers.authorization = `Bearer ${JSON.parse(login.text).access_token}`
  }
  return { email, password, key, headers }
}

/** Calls a function at a steady rate, whether or not earlier calls have completed. @returns all results */
export async function steadily<T> (perSecond: number, seconds: number, call: (at: number) => Promise<T>): Promise<T[]> {
  const calls: Array<Promise<T>> = []
  const began = performance.now()
  for (let at = 0; at < perSecond * seconds; at++) {
    const pause = began + at * 1000 / perSecond - performance.now()
    if (pause > 1) await sleep(pause)
    calls.push(call(at))
  }
  return await Promise.all(calls)
}
