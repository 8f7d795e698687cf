import type { Writable } from 'node:stream'
import { shortText } from '../../schemas/short-text.js'
import type { Log } from '../observability/log.js'

/** Characters of a cause that still read as a line. */
const maxCauseLength = 500

/** Log of commands: warnings and errors, a line each, with their source and cause. */
export function logTo (stream: Writable): Log {
  const line = (data: object, message: string) => {
    const { err, source, detail } = data as { err?: Error, source?: string, detail?: string }
    const cause = [source, detail, err?.message].filter(part => part !== undefined).join(': ')
    // Details quote what a source sent.
    stream.write(`litfeed: ${message}${cause === '' ? '' : ` ${shortText(cause.replace(/\s+/g, ' '), maxCauseLength)}`}\n`)
  }
  return { info: () => {}, warn: line, error: line }
}

/** Bytes of log lines that wait for their reader, at most about. */
const maxWaitingBytes = 16 * 1024 * 1024

/**
 * Destination of the service's log. Standard output queues what the reader of a pipe does not take: beyond a limit, lines are dropped until
 * the reader has taken all others, so that a reader that stops does not fill the memory.
 * @param onResume called with the number of dropped lines before the next one
 */
export function dropUnread (
  stream: Writable,
  { maxBytes = maxWaitingBytes, onResume }: { maxBytes?: number, onResume: (droppedLines: number) => void }
): { write: (line: string) => void } {
  let dropped = 0
  const resume = () => {
    const lines = dropped
    dropped = 0
    onResume(lines)
  }
  return {
    write (line) {
      if (dropped === 0 && stream.writableLength <= maxBytes) {
        stream.write(line)
        return
      }
      if (dropped === 0) stream.once('drain', resume)
      dropped++
    }
  }
}
