import childProcess from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
import { takeCoverage } from 'node:v8'
import workerThreads, { type WorkerOptions } from 'node:worker_threads'
import '../support/quick-start.js'

/*
 * Loaded before everything else in a run that measures coverage (NODE_OPTIONS=--import). Node.js passes NODE_V8_COVERAGE on to child
 * processes by itself. Two kinds of code would still go unmeasured: worker threads that start with an empty environment, and the sandbox's
 * processes, which end by SIGKILL and write nothing then. The program itself knows nothing of coverage.
 */

const { NODE_V8_COVERAGE } = process.env
const { Worker } = workerThreads
const { fork } = childProcess

workerThreads.Worker = class extends Worker {
  constructor (file: string | URL, options: WorkerOptions = {}) {
    super(file, typeof options.env === 'object' ? { ...options, env: { ...options.env, NODE_V8_COVERAGE } } : options)
  }
}

childProcess.fork = ((file: string, args: string[], options: childProcess.ForkOptions) =>
  fork(file, args, { ...options, env: { ...options.env, NODE_OPTIONS: `--import=${import.meta.url}` } })) as typeof fork

syncBuiltinESMExports()

// A process of the sandbox writes before each of its answers.
if (process.send !== undefined) {
  delete process.env.NODE_OPTIONS
  const send = process.send.bind(process) as (...args: unknown[]) => boolean
  process.send = (...args: unknown[]) => {
    takeCoverage()
    return send(...args)
  }
}
