import { type ChildProcess, fork } from 'node:child_process'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type ConverterResult, ConverterStopped, NotConvertible, type NotConvertibleReason } from '../converter-result.js'
import type { Format } from './formats.js'
import { residentMemory } from './resident-memory.js'

/** One document to convert: its bytes, or a file that the child reads. */
export interface Question { format: Format, document: Uint8Array | { path: string } }

/** Message to the child process: a part of a document, or what to convert, the parts before or a file. */
export type SentMessage = { part: Uint8Array } | { format: Format, document: 'parts' | { path: string } }

/** Message from the child process: a part of the Markdown, or the outcome. The message of a cause is for the log. */
export type Answer =
  | { text: string }
  | { converted: Omit<ConverterResult, 'markdown'> }
  | { refused: { reason: NotConvertibleReason, message: string, cause?: string } }
  | { failed: string }

/** Bounds of a child process. */
export interface ChildLimits {
  /** Milliseconds for one document. */
  timeout: number
  /** Bytes that the process may hold. */
  memory: number
}

const memoryCheckIntervalMs = 50
/** Bytes that are sent in one turn of the event loop, in a few milliseconds: sending copies them several times. */
const maxPartBytes = 1024 * 1024
const program = fileURLToPath(new URL('child.js', import.meta.url))

const refusal = ({ reason, message, cause }: Extract<Answer, { refused: unknown }>['refused']): NotConvertible =>
  new NotConvertible(reason, message, cause === undefined ? {} : { cause: new Error(cause) })

const messages = {
  timeout: 'Converting the document took too long and was stopped. A shorter or simpler copy may work.',
  out_of_memory: 'Converting the document needed too much memory and was stopped. A shorter or simpler copy may work.'
}

/** Signals that a person, the service manager or a system without memory sends: they say nothing about the document. */
const outsideSignals: ReadonlyArray<NodeJS.Signals | null> = ['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP']

/** Why a process that ended converted nothing. @param code negative if it could not be started */
function failureOf (code: number | null, by: NodeJS.Signals | null): Error {
  if (outsideSignals.includes(by)) return new ConverterStopped(`The converter was stopped (${by}), possibly for lack of memory.`)
  if (code !== null && code < 0) return new ConverterStopped('The converter could not be started.')
  // V8 aborts a process whose heap is full.
  return by === 'SIGABRT' || by === 'SIGTRAP' || by === 'SIGILL' || code === 134
    ? new NotConvertible('out_of_memory', messages.out_of_memory)
    : new NotConvertible('damaged', `The document crashed the converter (${by ?? `code ${code}`}); it may be damaged or malicious.`)
}

/** A child process that converts one document at a time. It has an empty environment, and does not keep this process alive while idle. */
export class SandboxProcess {
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

  /** Resident memory in bytes; 0 if the process has ended or the system does not report it, which `litfeed doctor` says. */
  async memory (): Promise<number> {
    if (this.#process.pid === undefined) return 0
    return await residentMemory(this.#process.pid).catch(() => null) ?? 0
  }

  /** Kills the process and waits for its end. */
  async kill (): Promise<void> {
    this.#killed = true
    this.#process.ref()
    this.#process.kill('SIGKILL')
    await this.#end
  }

  /**
   * Converts a document; any failure other than the document's own ends the process.
   * @throws NotConvertible, ConverterStopped, or the signal's reason
   */
  async convert (question: Question, signal?: AbortSignal): Promise<ConverterResult> {
    signal?.throwIfAborted()
    this.#documents++
    this.#keepAlive(true)
    try {
      return await this.#ask(question, signal)
    } finally {
      this.#keepAlive(false)
    }
  }

  #ask (question: Question, signal?: AbortSignal): Promise<ConverterResult> {
    return new Promise((resolve, reject) => {
      const settle = (act: () => void) => {
        clearTimeout(timer)
        clearInterval(memoryChecks)
        signal?.removeEventListener('abort', onAbort)
        this.#process.off('message', onMessage)
        this.#process.off('close', onClose)
        act()
      }
      const abandon = (reason: unknown) => settle(() => {
        this.kill()
        reject(reason)
      })
      const onAbort = () => abandon(signal!.reason)
      let markdown = ''
      const onMessage = (answer: Answer) => {
        if ('text' in answer) {
          markdown += answer.text
          return
        }
        settle(() => {
          if ('converted' in answer) resolve({ ...answer.converted, markdown })
          else if ('refused' in answer) reject(refusal(answer.refused))
          else reject(new Error(`The converter failed: ${answer.failed}`))
        })
      }
      const onClose = (code: number | null, by: NodeJS.Signals | null) => settle(() => reject(failureOf(code, by)))
      const timer = setTimeout(() => abandon(new NotConvertible('timeout', messages.timeout)), this.#limits.timeout)
      const memoryChecks = setInterval(() => {
        this.memory().then(bytes => {
          if (bytes > this.#limits.memory) abandon(new NotConvertible('out_of_memory', messages.out_of_memory))
        })
      }, memoryCheckIntervalMs)
      signal?.addEventListener('abort', onAbort)
      this.#process.on('message', onMessage)
      this.#process.on('close', onClose)
      if (this.#ended) return onClose(this.#process.exitCode, this.#process.signalCode)
      this.#send(question).catch(() => { if (!this.#ended) this.kill() })
    })
  }

  async #send ({ format, document }: Question): Promise<void> {
    const post = (message: SentMessage) => new Promise<void>((resolve, reject) => {
      this.#process.send(message, error => { if (error === null) resolve(); else reject(error) })
    })
    if (!(document instanceof Uint8Array)) return await post({ format, document })
    for (let from = 0; from < document.length && !this.ended; from += maxPartBytes) {
      await post({ part: document.subarray(from, from + maxPartBytes) })
      await setImmediate()
    }
    await post({ format, document: 'parts' })
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
