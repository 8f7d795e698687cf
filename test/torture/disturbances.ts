import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/*
 * Loaded before a service under trial (NODE_OPTIONS=--import), in its main thread and in the thread of the embedded database. Moves the
 * clock, and delays reads and writes of files as a slow disk or a network file system does. DISTURBANCES names a JSON file that trials
 * change meanwhile. The program itself knows nothing of it.
 */

/** Disturbances of a process. */
export interface Disturbances {
  /** Milliseconds to add to the system's time. Timers do not jump, as with a real clock. */
  clockOffsetMs?: number
  /** Milliseconds that every read or write of a file takes longer. */
  diskDelayMs?: number
}

const pollIntervalMs = 50
const path = process.env.DISTURBANCES
let { clockOffsetMs = 0, diskDelayMs = 0 } = {} as Disturbances

function poll (): void {
  try {
    ({ clockOffsetMs = 0, diskDelayMs = 0 } = JSON.parse(fs.readFileSync(path!, 'utf8')) as Disturbances)
  } catch {
    // The trial is writing the file.
  }
}

if (path !== undefined) {
  const SystemDate = Date
  const now = () => SystemDate.now() + clockOffsetMs
  globalThis.Date = new Proxy(SystemDate, {
    construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as object,
    get: (target, key) => key === 'now' ? now : Reflect.get(target, key) as unknown
  })

  const blocked = new Int32Array(new SharedArrayBuffer(4))
  const slow = <A extends [number, ...any[]], R>(operation: (...args: A) => R) => (...args: A): R => {
    // Standard output is not on the disk.
    if (diskDelayMs > 0 && args[0] > 2) Atomics.wait(blocked, 0, 0, diskDelayMs)
    return operation(...args)
  }
  fs.writeSync = slow(fs.writeSync as (...args: [number, ...any[]]) => number) as typeof fs.writeSync
  fs.readSync = slow(fs.readSync as (...args: [number, ...any[]]) => number) as typeof fs.readSync
  syncBuiltinESMExports()

  poll()
  setInterval(poll, pollIntervalMs).unref()
}
