import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type Converted, NotConvertible, type NotConvertibleReason } from '../converted.js'
import type { Format } from './formats.js'
import { residentMemory } from './resident-memory.js'

/** What the child process is asked: one document. */
export interface Question { format: Format, bytes: Uint8Array }

/** What it answers. */
export type Answer = { converted: Converted } | { refused: { reason: NotConvertibleReason, message: string } } | { failed: string }

export interface ChildLimits {
  /** Milliseconds for one document. */
  timeout: number
  /** Bytes that the process may hold. */
  memory: number
}

/** Time between two looks at the child's memory, in milliseconds. */
const lookEvery = 50
const program = fileURLToPath(new URL('child.js', import.meta.url))

const messages = {
  timeout: 'Converting the document took too long, so it was given up. A shorter or simpler copy of it may work.',
  out_of_memory: 'Converting the document needed too much memory, so it was given up. A shorter or simpler copy of it may work.'
}

/** A process for documents, one at a time. It knows nothing of this process's environment, and does not keep this process alive while it is idle. */
export class IsolatedProcess {
  readonly #limits: ChildLimits
  readonly #process: ChildProcess
  #documents = 0
  #ended = false
  #killed = false
  readonly #end: Promise<void>

  constructor (limits: ChildLimits) {
    this.#limits = limits
    const heap = Math.floor(limits.memory / 2 / 2 ** 20)
    this.#process = fork(program, [], {
      env: {},
      execArgv: [`--max-old-space-size=${heap}`, '--disallow-code-generation-from-strings'],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc']
    })
    this.#end = new Promise(resolve => this.#process.once('close', () => {
      this.#ended = true
      resolve()
    }))
    this.#process.on('error', () => this.#process.kill('SIGKILL'))
    this.#keepAlive(false)
  }

  get documents (): number { return this.#documents }
  get ended (): boolean { return this.#ended || this.#killed }

  /** Bytes that the process holds. */
  async memory (): Promise<number> {
    return this.#process.pid === undefined ? 0 : await residentMemory(this.#process.pid) ?? 0
  }

  /** Ends the process, whatever it does. */
  async kill (): Promise<void> {
    this.#killed = true
    this.#process.ref()
    this.#process.kill('SIGKILL')
    await this.#end
  }

  /** Converts a document. Whatever fails beyond the document itself ends the process. */
  async convert (question: Question, signal?: AbortSignal): Promise<Converted> {
    signal?.throwIfAborted()
    this.#documents++
    this.#keepAlive(true)
    try {
      return await this.#ask(question, signal)
    } finally {
      this.#keepAlive(false)
    }
  }

  #ask (question: Question, signal?: AbortSignal): Promise<Converted> {
    return new Promise((resolve, reject) => {
      const settle = (act: () => void) => {
        clearTimeout(timer)
        clearInterval(looks)
        signal?.removeEventListener('abort', onAbort)
        this.#process.off('message', onMessage)
        this.#process.off('close', onClose)
        act()
      }
      const giveUp = (reason: unknown) => settle(() => {
        this.kill()
        reject(reason)
      })
      const onAbort = () => giveUp(signal!.reason)
      const onMessage = (answer: Answer) => settle(() => {
        if ('converted' in answer) resolve(answer.converted)
        else if ('refused' in answer) reject(new NotConvertible(answer.refused.reason, answer.refused.message))
        else reject(new Error(`The converter failed: ${answer.failed}`))
      })
      // V8 aborts the process where its heap is full.
      const onClose = (code: number | null, by: NodeJS.Signals | null) => settle(() => reject(by === 'SIGABRT' || by === 'SIGTRAP' || by === 'SIGILL' || code === 134
        ? new NotConvertible('out_of_memory', messages.out_of_memory)
        : new NotConvertible('damaged', `The document ended the converter (${by ?? `code ${code}`}); it is damaged, or made to do so.`)))
      const timer = setTimeout(() => giveUp(new NotConvertible('timeout', messages.timeout)), this.#limits.timeout)
      const looks = setInterval(() => {
        this.memory().then(bytes => { if (bytes > this.#limits.memory) giveUp(new NotConvertible('out_of_memory', messages.out_of_memory)) })
      }, lookEvery)
      signal?.addEventListener('abort', onAbort)
      this.#process.on('message', onMessage)
      this.#process.on('close', onClose)
      if (this.#ended) return onClose(this.#process.exitCode, this.#process.signalCode)
      this.#process.send(question, error => { if (error !== null && !this.#ended) this.kill() })
    })
  }

  #keepAlive (busy: boolean): void {
    if (busy) {
      this.#process.ref()
      this.#process.channel?.ref()
    } else {
      this.#process.unref()
      this.#process.channel?.unref()
    }
  }
}
