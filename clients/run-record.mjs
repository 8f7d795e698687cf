import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'

/** One client's run through the job, and what its model received at each step. */
export class Run {
  /** Tool results as the service sent them, the last one last; the proxy adds them. */
  sent = []
  /** Characters of tools/list as the service sent it, and the tools in it. */
  toolsListChars = 0
  listed = []
  /** The tools as the client offered them to the model. */
  offered
  /** By step: characters that the model received, of how many that the service sent. */
  steps = new Map()
  /** Results that the client cut or rewrote. */
  cut = new Set()
  /** Whether the model had to search for the tools. */
  hasSearched = false
  answer
  failure
  #calls = 0
  #job
  #pending

  constructor (job) {
    this.#job = job
  }

  get pending () {
    return this.#pending
  }

  /** @returns the first call: { id, name, arguments } */
  async start () {
    return await this.#advance(() => this.#job.next())
  }

  /** Continues with what the model received for the pending call. @returns the next call, or undefined at the end of the job */
  async receive (text) {
    const { step } = this.#pending
    const result = readObject(text)
    const sent = this.sent.at(-1)
    this.steps.set(step, (this.steps.get(step) ?? 0) + text.length)
    const isWhole = result !== undefined && isDeepStrictEqual(result, sent?.structuredContent)
    if (!isWhole && sent?.isError !== true) this.cut.add(step)
    if (result === undefined || sent?.isError === true) {
      return this.fail(`the model received ${text.length} characters that are no result: ${text.slice(0, 300)}`)
    }
    return await this.#advance(() => this.#job.next(result))
  }

  async #advance (next) {
    try {
      const { done, value } = next()
      if (done) {
        this.#pending = undefined
        this.answer = value
        return undefined
      }
      await sleep(value.wait)
      this.#pending = { ...value, id: `call_${++this.#calls}` }
      return this.#pending
    } catch (error) {
      return this.fail(error.message)
    }
  }

  /** Ends the job. */
  fail (why) {
    this.failure = { step: this.#pending?.step ?? 'projects', why }
    this.#pending = undefined
    return undefined
  }
}

/** The object in a tool result as a client renders it: JSON, perhaps in a content list, under a member, or after a few words. */
function readObject (text) {
  const start = Math.min(...['{', '['].map(bracket => text.indexOf(bracket)).filter(at => at !== -1))
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'))
  if (!Number.isFinite(start) || end <= start) return undefined
  try {
    return unwrap(JSON.parse(text.slice(start, end + 1)))
  } catch {
    return undefined
  }
}

function unwrap (value) {
  if (Array.isArray(value)) return typeof value[0]?.text === 'string' ? readObject(value[0].text) : undefined
  if (Array.isArray(value.content)) return unwrap(value.structuredContent ?? value.content)
  return typeof value.output === 'string' ? readObject(value.output) : value
}
