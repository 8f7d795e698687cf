import type { Writable } from 'node:stream'
import type { Log } from '../observability/log.js'

/** Log of commands: warnings and errors, a line each. */
export function logTo (stream: Writable): Log {
  const line = (data: object, message: string) => {
    const { err } = data as { err?: Error }
    stream.write(`litfeed: ${message}${err === undefined ? '' : ` ${err.message}`}\n`)
  }
  return { info: () => {}, warn: line, error: line }
}
