import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const litfeed = fileURLToPath(new URL('../src/cli/index.js', import.meta.url))
export const temporaryDirectory = (): string => mkdtempSync(join(tmpdir(), 'litfeed-bench-'))

/** PostgreSQL to measure on as well; a database that may be filled. */
export const postgresUrl = process.env.BENCH_DATABASE_URL

/** Starts a program and waits until it has printed what says that it is ready. */
export async function startProcess (script: string, args: string[], environment: Record<string, string>, ready: string): Promise<{ child: ChildProcess, printed: string }> {
  const child = spawn(process.execPath, [script, ...args], { env: { PATH: process.env.PATH, ...environment }, stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  while (!printed.includes(ready)) {
    const [chunk] = await once(child.stdout!, 'data') as [Buffer]
    printed += chunk.toString()
  }
  child.stdout!.resume()
  return { child, printed }
}

export async function stopProcess (child: ChildProcess): Promise<void> {
  child.kill('SIGTERM')
  await once(child, 'exit')
}

/** Runs a command to its end. @returns what it printed, as JSON */
export async function runCommand (args: string[], environment: Record<string, string>): Promise<any> {
  const child = spawn(process.execPath, [litfeed, ...args, '--json'], { env: { PATH: process.env.PATH, ...environment }, stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  child.stdout.on('data', chunk => { printed += chunk })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`litfeed ${args.join(' ')} ended with ${code}`)
  return JSON.parse(printed)
}
