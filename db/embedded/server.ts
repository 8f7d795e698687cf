import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { minuteMs } from '../../schemas/durations.js'
import { errorCodeOf } from '../../schemas/thrown.js'
import { DirectoryInUse, type Owner, readOwner, acquireLock } from './lock.js'
import {
  creatingPrefix, databaseDirectory, explainRefusedPath, giveToOwner, prepareDataDirectory, restrictDatabaseFiles
} from './data-directory.js'
import { copyPrefix, removeAbandoned } from './abandoned.js'
import { checkDiskSpace } from './disk-guard.js'

/** Maximum length of a Unix socket's path on every platform: sun_path is 104 bytes on macOS, 108 on Linux, including a NUL. */
const maxSocketPathBytes = 103
/** Time that another process has to start serving a database that it has locked, on a slow machine after a crash too. */
const startTimeoutMs = 2 * minuteMs
/** Time that a command waits for other commands that use its database. */
const maxDrainMs = minuteMs
const socketName = '.s.PGSQL.5432'

/** An open embedded database. `close` stops it if this process runs it, and does nothing if another does. */
export interface EmbeddedServer {
  socketDirectory: string
  /** Whether a service runs it: other connections can use it at any time. */
  isServed: boolean
  close: () => Promise<void>
}

/** How to open the embedded database. */
export interface EmbeddedOptions {
  dataDir: string
  /** Names this process in the error message of another that finds the directory in use, such as "litfeed serve". */
  name: string
  /** Whether to connect to the database of another process that has the directory open; false: fail instead. */
  share: boolean
  /** Called once, when the database thread ends unexpectedly. Every later query fails. */
  onFailure: (cause: Error) => void
  /** Called with the directory of a database that was created. */
  onCreated: (directory: string) => void
  /** Called with what the creation of a new database complained about, though it succeeded. */
  onWarning: (message: string) => void
}

/**
 * Opens the embedded database in `dataDir`, or connects to the process that has it open.
 * @throws DirectoryInUse if another process has it open and `share` is false
 * @throws NotEnoughDiskSpace if the database could not start
 */
export async function openEmbedded (options: EmbeddedOptions): Promise<EmbeddedServer> {
  if (process.platform === 'win32') {
    throw new Error('The embedded database does not run on Windows. Run Litfeed in WSL, or set DATABASE_URL to a PostgreSQL server.')
  }
  try {
    return await open(options)
  } catch (cause) {
    throw isRefusal(cause) ? explainRefusal(options.dataDir, cause) ?? cause : cause
  }
}

const isRefusal = (cause: unknown) => ['EACCES', 'EPERM'].includes(errorCodeOf(cause) ?? '')

/** The error for files that this user may not open; undefined if it may open all. */
function explainRefusal (dataDir: string, cause: unknown): Error | undefined {
  const explanation = explainRefusedPath(dataDir)
  return explanation === undefined
    ? undefined
    : new Error(`The embedded database in ${dataDir} could not be opened: ${explanation}`, { cause })
}

async function open (options: EmbeddedOptions): Promise<EmbeddedServer> {
  const { dataDir, name, share } = options
  prepareDataDirectory(dataDir)
  const socketDirectory = makeSocketDirectory(dataDir)
  const removeTemporaryDirectory = () => {
    if (socketDirectory !== socketDirectoryOf(dataDir)) rmSync(socketDirectory, { recursive: true, force: true })
  }
  try {
    for (const deadline = performance.now() + startTimeoutMs; ;) {
      const lock = acquireLock(dataDir, { pid: process.pid, name, socketDirectory, started_at: new Date().toISOString() })
      if (lock !== undefined) return await run(options, socketDirectory, () => { lock.release(); removeTemporaryDirectory() })
      const owner = readOwner(dataDir)
      if (!share) throw new DirectoryInUse(dataDir, owner)
      if (owner !== undefined && await isListening(owner)) {
        removeTemporaryDirectory()
        return { socketDirectory: owner.socketDirectory, isServed: true, close: async () => {} }
      }
      if (performance.now() > deadline) throw new DirectoryInUse(dataDir, owner)
      await wait(100)
    }
  } catch (cause) {
    removeTemporaryDirectory()
    throw cause
  }
}

/** Runs the database in this process, which holds the lock until it calls `release`. */
async function run (options: EmbeddedOptions, socketDirectory: string, release: () => void): Promise<EmbeddedServer> {
  const { dataDir, name, share, onFailure } = options
  let worker: Worker | undefined
  let creator: ChildProcess | undefined
  // A command run as root that is interrupted exits without closing.
  const leaveAtExit = () => {
    worker?.terminate().catch(() => {})
    creator?.kill('SIGKILL')
    try { giveToOwner(dataDir) } catch { /* The thread may still delete files. */ }
  }
  process.once('exit', leaveAtExit)
  const leave = () => {
    process.off('exit', leaveAtExit)
    try { giveToOwner(dataDir) } finally { release() }
  }
  try {
    await removeAbandoned(dataDir, copyPrefix, name, 0)
    giveToOwner(dataDir)
    checkDiskSpace(dataDir)
    const thread = await startWorker(options, socketDirectory, child => { creator = child })
    worker = thread
    restrictDatabaseFiles(dataDir)
    let [isClosing, hasFailed] = [false, false]
    thread.on('error', (cause: Error) => {
      hasFailed = true
      onFailure(cause)
    })
    // From the start: a thread that has ended sends no event any more.
    const exited = new Promise<void>(resolve => thread.once('exit', () => {
      if (!isClosing && !hasFailed) onFailure(new Error('The embedded database has stopped.'))
      resolve()
    }))
    return {
      socketDirectory,
      isServed: !share,
      async close () {
        isClosing = true
        // A service stops without waiting for commands, which can take long.
        if (share) await Promise.race([waitForOtherConnections(thread).catch(() => {}), exited])
        thread.postMessage('stop')
        await exited
        leave()
      }
    }
  } catch (cause) {
    leave()
    throw cause
  }
}

const socketDirectoryOf = (dataDir: string) => resolve(dataDir, 'socket')

/**
 * Creates the directory of the socket: inside the data directory, which is private, or a private temporary one if that path is too long for
 * a socket.
 */
function makeSocketDirectory (dataDir: string): string {
  const directory = socketDirectoryOf(dataDir)
  if (Buffer.byteLength(join(directory, socketName)) > maxSocketPathBytes) return mkdtempSync(join(tmpdir(), 'litfeed-'))
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  chmodSync(directory, 0o700)
  return directory
}

/** Small, since the database's own memory is outside of the JavaScript heap. */
const maxYoungGenerationSizeMb = 8

/** Called with the process that creates a new database. */
type CreatorStarted = (creator: ChildProcess) => void

/**
 * Creates the database in a child process, since that takes hundreds of megabytes, which only the end of a process returns. It gets its
 * name when it is complete, so one whose creation was interrupted is created again.
 */
async function createIfMissing ({ dataDir, onCreated, onWarning }: EmbeddedOptions, onStarted: CreatorStarted): Promise<void> {
  const directory = databaseDirectory(dataDir)
  for (const name of readdirSync(dataDir)) {
    if (name.startsWith(creatingPrefix)) rmSync(join(dataDir, name), { recursive: true, force: true })
  }
  if (existsSync(directory)) return
  const creating = join(dataDir, creatingPrefix + randomUUID())
  const child = fork(new URL('./create.js', import.meta.url), [creating], { execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  onStarted(child)
  const [complaints, [code]] = await Promise.all([text(child.stderr!), once(child, 'exit')])
  if (code !== 0) throw new Error(`The database could not be created: ${complaints.trim().slice(-2000)}`)
  if (complaints.trim() !== '') onWarning(complaints.trim().slice(-2000))
  renameSync(creating, directory)
  onCreated(resolve(dataDir))
}

async function startWorker (options: EmbeddedOptions, socketDirectory: string, onStarted: CreatorStarted): Promise<Worker> {
  const { dataDir } = options
  const socket = join(socketDirectory, socketName)
  rmSync(socket, { force: true })
  let worker: Worker | undefined
  try {
    await createIfMissing(options, onStarted)
    // The thread must not inherit flags of this process, such as a debugger's.
    worker = new Worker(new URL('./worker.js', import.meta.url), {
      execArgv: [],
      workerData: { dataDir: databaseDirectory(dataDir), socket },
      resourceLimits: { maxYoungGenerationSizeMb }
    })
    await once(worker, 'message')
    return worker
  } catch (cause) {
    await worker?.terminate()
    throw explainRefusal(dataDir, cause) ?? new Error(
      `The embedded database in ${dataDir} could not be opened: its files may be damaged. Restore a backup into a new DATA_DIR.`,
      { cause }
    )
  }
}

/** Waits until other commands that use this process's database have closed their connections. */
async function waitForOtherConnections (worker: Worker): Promise<void> {
  for (const deadline = performance.now() + maxDrainMs; performance.now() < deadline; await wait(50)) {
    worker.postMessage('connections')
    const [{ connections }] = await once(worker, 'message') as [{ connections: number }]
    if (connections === 0) return
  }
}

async function isListening (owner: Owner): Promise<boolean> {
  return await new Promise(resolve => {
    const socket = connect(join(owner.socketDirectory, socketName))
    socket.once('connect', () => { socket.destroy(); resolve(true) })
    socket.once('error', () => resolve(false))
  })
}
