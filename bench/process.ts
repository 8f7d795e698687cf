import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { litfeed, shippedOptions, shippedVariables } from '../test/support/shipped-options.js'
/** Creates a directory, which the benchmark leaves behind. */
export const temporaryDirectory = (): string => mkdtempSync(join(tmpdir(), 'litfeed-bench-'))

/** A PostgreSQL database that benchmarks may fill; undefined measures the embedded database only. */
export const postgresUrl = process.env.BENCH_DATABASE_URL

/** Starts a script with the options of the service, and waits until its standard output contains `ready`. */
export async function startProcess (
  script: string,
  args: string[],
  environment: Record<string, string>,
  ready: string
): Promise<{ child: ChildProcess, printed: string }> {
  const child = spawn(process.execPath, [...shippedOptions, script, ...args], {
    env: { PATH: process.env.PATH, ...shippedVariables, ...environment },
    stdio: ['ignore', 'pipe', 'inherit']
  })
  let printed = ''
  while (!printed.includes(ready)) {
    const [chunk] = await once(child.stdout!, 'data') as [Buffer]
    printed += chunk.toString()
  }
  child.stdout!.resume()
  return { child, printed }
}

/** Sends SIGTERM and waits for the exit. */
export async function stopProcess (child: ChildProcess): Promise<void> {
  child.kill('SIGTERM')
  await once(child, 'exit')
}

/** Runs a litfeed command. @returns its JSON output @throws Error on a nonzero exit code */
export async function runCommand (args: string[], environment: Record<string, string>): Promise<any> {
  const child = spawn(process.execPath, [...shippedOptions, litfeed, ...args, '--json'], {
    env: { PATH: process.env.PATH, ...shippedVariables, ...environment },
    stdio: ['ignore', 'pipe', 'inherit']
  })
  let printed = ''
  child.stdout.on('data', chunk => { printed += chunk })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`litfeed ${args.join(' ')} exited with ${code}`)
  return JSON.parse(printed)
}
