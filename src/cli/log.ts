import type { Log } from '../observability/log.js'

const line = (data: object, message: string) => {
  const { err } = data as { err?: Error }
  process.stderr.write(`litfeed: ${message}${err === undefined ? '' : ` ${err.message}`}\n`)
}

/** Log of commands: warnings and errors on standard error. */
export const stderrLog: Log = { info: () => {}, warn: line, error: line }
