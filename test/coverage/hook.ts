import childProcess, { ChildProcess } from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
import { takeCoverage } from 'node:v8'
import workerThreads, { type WorkerOptions } from 'node:worker_threads'
import '../support/quick-start.js'

/*
 * Loaded before everything else in a run that measures coverage (NODE_OPTIONS=--import). Two kinds of code would go unmeasured without it:
 * worker threads that start with an empty environment, and the sandbox's processes, which end by SIGKILL and write nothing then. The
 * program itself knows nothing of coverage.
 */

/** Set for processes that the program forks. */
const sandboxed = 'LITFEED_COVERAGE_FORK'

/** The folder of coverage files. */
const { NODE_V8_COVERAGE } = process.env
// If it saw this, Node.js would read, keep and write the source map of every module that it loads: a fifth of the CPU time of a test.
// Threads find it in the environment itself.
process.env = new Proxy(process.env, {
  get: (environment, name) => name === 'NODE_V8_COVERAGE' ? undefined : Reflect.get(environment, name) as string | undefined,
  // Not by way of the proxy, which would define a property: the environment takes assignments alone.
  set: (environment, name, value) => Reflect.set(environment, name, value)
})

const { Worker } = workerThreads
const { fork } = childProcess

workerThreads.Worker = class extends Worker {
  constructor (file: string | URL, options: WorkerOptions = {}) {
    const env = typeof options.env === 'object' ? options.env : process.env
    super(file, { ...options, env: { ...env, NODE_V8_COVERAGE } })
  }
}

childProcess.fork = ((file: string, args: string[], options: childProcess.ForkOptions) =>
  fork(file, args, { ...options, env: { ...options.env, NODE_OPTIONS: `--import=${import.meta.url}`, [sandboxed]: '1' } })) as typeof fork

// What every function that starts a process asynchronously calls.
const processes = ChildProcess.prototype as unknown as { spawn: (options: { envPairs?: string[] }) => number }
const { spawn } = processes
processes.spawn = function (options) {
  options.envPairs?.push(`NODE_V8_COVERAGE=${NODE_V8_COVERAGE}`)
  return spawn.call(this, options)
}

syncBuiltinESMExports()

// A process of the sandbox writes before each of its answers. tap's processes send messages as well, but write when they end.
if (process.env[sandboxed] !== undefined) {
  delete process.env[sandboxed]
  delete process.env.NODE_OPTIONS
  const send = process.send!.bind(process) as (...args: unknown[]) => boolean
  process.send = (...args: unknown[]) => {
    takeCoverage()
    return send(...args)
  }
}
