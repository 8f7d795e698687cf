import type { Log } from '../observability/log.js'

const line = (data: object, message: string) => {
  const { err } = data as { err?: Error }
  process.stderr.write(`litfeed: ${message}${err === undefined ? '' : ` ${err.message}`}\n`)
}

/** What a command has to say beside its result. */
export const stderrLog: Log = { info: () => {}, warn: line, error: line }
