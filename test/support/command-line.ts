import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { PassThrough, type Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { runProgram } from '../../src/cli/program.js'
import { secretsIn } from './leaks.js'
import { offline } from './offline.js'
import { testSecret } from './service.js'
import { v8Flags } from './v8-flags.js'

const litfeed = fileURLToPath(new URL('../../src/cli/index.js', import.meta.url))

/** Exit code and output of a command. */
export interface Outcome { code: number, stdout: string, stderr: string }

/**
 * Runs the litfeed program: `start`, `startWithOutput` (a file descriptor) and `runProcess` as a process with the data directory as its
 * working directory, `run` and `json` within this process, which saves its start. A secret on standard error fails the test.
 */
export function commandLine (dataDir: string, databaseUrl?: string) {
  const environment = {
    PATH: process.env.PATH,
    DATA_DIR: dataDir,
    PORT: '0',
    LOG_LEVEL: 'warn',
    ...offline,
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl, JWT_SECRET: testSecret })
  }
  const optionsWith = (more: Record<string, string>) => ({ cwd: dataDir, env: { ...environment, ...more } })
  const start = (args: string[], more: Record<string, string> = {}) =>
    spawn(process.execPath, [...v8Flags, litfeed, ...args], { ...optionsWith(more), stdio: ['ignore', 'pipe', 'pipe'] })
  const startWithOutput = (output: number, args: string[], more: Record<string, string> = {}) =>
    spawn(process.execPath, [...v8Flags, litfeed, ...args], { ...optionsWith(more), stdio: ['ignore', output, output] })
  const outcome = async (args: string[], printed: { stdout: Readable, stderr: Readable }, ended: Promise<number>): Promise<Outcome> => {
    const [stdout, stderr, code] = await Promise.all([text(printed.stdout), text(printed.stderr), ended])
    const leaks = secretsIn(stderr)
    if (leaks.length > 0) throw new Error(`litfeed ${args[0]} wrote ${leaks.join(', ')} to standard error: ${stderr}`)
    return { code, stdout, stderr }
  }
  const runProcess = async (args: string[], more?: Record<string, string>): Promise<Outcome> => {
    const child = start(args, more)
    return await outcome(args, child, once(child, 'close').then(([code]) => code))
  }
  const run = async (args: string[], more: Record<string, string> = {}): Promise<Outcome> => {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()]
    const ended = runProgram(args, { environment: () => ({ ...environment, ...more }), stdout, stderr }).finally(() => {
      stdout.end()
      stderr.end()
    })
    return await outcome(args, { stdout, stderr }, ended)
  }
  /** @returns the JSON output of a command @throws Error with its standard error if it fails */
  const json = async (...args: string[]): Promise<any> => {
    const { stdout, stderr, code } = await run([...args, '--json'])
    if (code !== 0) throw new Error(stderr)
    return JSON.parse(stdout)
  }
  return { start, startWithOutput, runProcess, run, json }
}
