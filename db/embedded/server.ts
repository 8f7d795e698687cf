import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { DirectoryInUse, type Owner, readOwner, takeLock } from './lock.js'
import { checkDiskSpace } from './disk-guard.js'

/** Longest path that a Unix socket can have everywhere: sun_path is 104 bytes on macOS, 108 on Linux, with a NUL at its end. */
const longestSocketPath = 103
const socketName = '.s.PGSQL.5432'

/** Where the embedded database answers; `close` ends it when this process runs it, and does nothing when another does. */
export interface EmbeddedServer {
  socketDirectory: string
  close: () => Promise<void>
}

export interface EmbeddedOptions {
  dataDir: string
  /** What this process is, in words, for the message to whoever finds the directory taken. */
  name: string
  /** Use the database of the process that has the directory, if one has; false: be the one, or fail. */
  share: boolean
  /** Called when the database thread ends by itself: nothing can be served any more. */
  onFailure: (cause: Error) => void
}

/**
 * Opens the embedded database in `dataDir`, or finds it open.
 * @throws DirectoryInUse when another living process has it and `share` is false
 */
export async function openEmbedded (options: EmbeddedOptions): Promise<EmbeddedServer> {
  const { dataDir, name, share } = options
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const socketDirectory = makeSocketDirectory(dataDir)
  const leave = () => { if (socketDirectory !== insideOf(dataDir)) rmSync(socketDirectory, { recursive: true, force: true }) }
  try {
    for (const deadline = Date.now() + 30_000; ;) {
      const lock = takeLock(dataDir, { pid: process.pid, name, socketDirectory, started_at: new Date().toISOString() })
      if (lock !== undefined) return await run(options, socketDirectory, () => { lock.release(); leave() })
      const owner = readOwner(dataDir)
      if (!share) throw new DirectoryInUse(dataDir, owner)
      if (owner !== undefined && await answers(owner)) {
        leave()
        return { socketDirectory: owner.socketDirectory, close: async () => {} }
      }
      if (Date.now() > deadline) throw new DirectoryInUse(dataDir, owner)
      await wait(100)
    }
  } catch (cause) {
    leave()
    throw cause
  }
}

/** Runs the database in this process, which has its directory until `release`. */
async function run ({ dataDir, share, onFailure }: EmbeddedOptions, socketDirectory: string, release: () => void): Promise<EmbeddedServer> {
  try {
    checkDiskSpace(dataDir)
    const worker = await startWorker(dataDir, socketDirectory)
    worker.on('error', onFailure)
    const ended = () => onFailure(new Error('The embedded database has stopped.'))
    worker.on('exit', ended)
    return {
      socketDirectory,
      async close () {
        worker.off('exit', ended)
        // A service that is told to stop does not wait for a command that goes on for long.
        if (share) await othersGone(worker)
        const exited = once(worker, 'exit')
        worker.postMessage('stop')
        await exited
        release()
      }
    }
  } catch (cause) {
    release()
    throw cause
  }
}

const insideOf = (dataDir: string) => resolve(dataDir, 'socket')

/** Inside the data directory, where only its owner gets in; in a private temporary one where that path is too long for a socket. */
function makeSocketDirectory (dataDir: string): string {
  const inside = insideOf(dataDir)
  if (Buffer.byteLength(join(inside, socketName)) > longestSocketPath) return mkdtempSync(join(tmpdir(), 'litfeed-'))
  mkdirSync(inside, { recursive: true, mode: 0o700 })
  chmodSync(inside, 0o700)
  return inside
}

async function startWorker (dataDir: string, socketDirectory: string): Promise<Worker> {
  const socket = join(socketDirectory, socketName)
  rmSync(socket, { force: true })
  // Flags of this process, such as a debugger's, are not the thread's.
  const worker = new Worker(new URL('./worker.js', import.meta.url), { execArgv: [], workerData: { dataDir: join(dataDir, 'postgres'), socket } })
  try {
    await once(worker, 'message')
    return worker
  } catch (cause) {
    await worker.terminate()
    throw new Error(`The embedded database in ${dataDir} could not be opened. Restore a backup into a new DATA_DIR, or see its files.`, { cause })
  }
}

/** A command that opened the database waits, for a while, until other commands that found it open are done. */
async function othersGone (worker: Worker): Promise<void> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await wait(50)) {
    worker.postMessage('connections')
    const [{ connections }] = await once(worker, 'message') as [{ connections: number }]
    if (connections === 0) return
  }
}

async function answers (owner: Owner): Promise<boolean> {
  return await new Promise(resolve => {
    const socket = connect(join(owner.socketDirectory, socketName))
    socket.once('connect', () => { socket.destroy(); resolve(true) })
    socket.once('error', () => resolve(false))
  })
}
