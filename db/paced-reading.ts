import type { Duplex } from 'node:stream'

/** Milliseconds that received rows may take in one turn of the event loop, on all connections together. */
const turnMs = 5

/** When the driver began to parse in this turn. */
let began: number | undefined

function beginTurn (): void {
  if (began !== undefined) return
  began = performance.now()
  setImmediate(() => { began = undefined })
}

/**
 * Lets other work run between the rows of a large result. Node.js reads up to 2 MB of a socket in one turn, and the driver parses the rows
 * in them at once, JSON included. Call it when the driver has its listener, which must run between the two of this function.
 */
export function paceReading (stream: Duplex): void {
  stream.prependListener('data', beginTurn)
  stream.on('data', () => {
    if (performance.now() - began! < turnMs) return
    stream.pause()
    setImmediate(() => stream.resume())
  })
}
