import { type Transferable, Worker } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import { interactiveMemory, type MemoryBudget, type MemoryLease } from './memory-budget.js'
import type { TaskAnswer } from './serve-tasks.js'

/** Bounds of a pool. */
export interface WorkerPoolOptions {
  /** Name in error messages. */
  name: string
  /** The module that the threads run; it calls `serveTasks`. */
  program: URL
  /** Threads at most; each runs one task at a time. Default: 1. */
  size?: number
  /** Milliseconds that a task may run. */
  timeoutMs: number
  /** Heap of each thread, in MiB. */
  maxHeapMb: number
  /** The budget of the heaps. Default: that of work that a person waits for. */
  memory?: MemoryBudget
  /** Whether a thread has what its next task needs: it keeps its whole heap between tasks, and ends only by itself. Default: false. */
  keepsState?: boolean
  /** Milliseconds after which an idle thread ends. Default: 30 s. */
  idleTimeoutMs?: number
  /** Tasks of one owner that run at a time. Default: no limit. */
  maxRunningPerOwner?: number
  /** Tasks that wait, of all owners. Default: no limit. */
  maxWaiting?: number
}

/** Options of one task. */
export interface TaskOptions {
  /** Owners are scheduled round-robin. */
  owner?: string
  /** Ends the task; it rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /** Milliseconds that it may run. Default: those of the pool. */
  timeoutMs?: number | undefined
  /** Buffers that move to the thread instead of being copied. */
  transfer?: Transferable[]
}

/** A task exceeded its time or memory limit, or the queue was full. */
export class TaskStopped extends Error {
  readonly reason: 'timeout' | 'out_of_memory' | 'queue_full'
  constructor (reason: TaskStopped['reason'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

interface Task {
  request: unknown
  options: TaskOptions
  resolve: (value: never) => void
  reject: (error: unknown) => void
  onAbort?: (() => void) | undefined
}

/** Owners whose last turn is remembered: more than wait at a time. */
const maxRemembered = 1000

interface Thread { worker: Worker, lease: MemoryLease, task: Task | undefined, timer: NodeJS.Timeout | undefined }

/**
 * Threads that run CPU work off the event loop. They start at their first task and end when idle; a thread that fails is replaced. A task
 * waits until the budget has a heap for it, and idle threads end where others need their memory.
 */
export class WorkerPool<Request, Answer> {
  readonly #options: Required<WorkerPoolOptions>
  readonly #threads = new Set<Thread>()
  /** Tasks that wait for memory. */
  #requested = 0
  #waiting: Task[] = []
  /** The number of each owner's last turn. */
  readonly #turns = new LRUCache<string, number>({ max: maxRemembered })
  #lastTurn = 0
  #isClosed = false

  constructor (options: WorkerPoolOptions) {
    const defaults = {
      size: 1,
      idleTimeoutMs: 30_000,
      maxRunningPerOwner: Infinity,
      maxWaiting: Infinity,
      memory: interactiveMemory,
      keepsState: false
    }
    this.#options = { ...defaults, ...options }
  }

  /** Runs a task in a thread. @throws TaskStopped, the signal's reason, or what the task threw */
  async run (request: Request, options: TaskOptions = {}): Promise<Answer> {
    const { name, maxWaiting } = this.#options
    options.signal?.throwIfAborted()
    if (this.#isClosed) throw new Error(`${name} is closed.`)
    if (this.#waiting.length >= maxWaiting) throw new TaskStopped('queue_full', `${name} has too much to do. Try again in a minute.`)
    return await new Promise<Answer>((resolve, reject) => {
      const task: Task = { request, options, resolve, reject }
      if (options.signal !== undefined) {
        task.onAbort = () => this.#abort(task)
        options.signal.addEventListener('abort', task.onAbort, { once: true })
      }
      this.#waiting.push(task)
      this.#startWaiting()
    })
  }

  /** Ends the threads; tasks under way fail. */
  async close (): Promise<void> {
    this.#isClosed = true
    const error = new Error(`${this.#options.name} is closed.`)
    for (const task of this.#waiting.splice(0)) this.#settle(task, () => task.reject(error))
    await Promise.all([...this.#threads].map(thread => this.#end(thread, error)))
  }

  #startWaiting (): void {
    const { size, keepsState } = this.#options
    for (let task = this.#nextTask(); task !== undefined; task = this.#nextTask()) {
      const idle = this.#idleThread()
      if (keepsState && idle !== undefined) this.#start(idle, task)
      else {
        const running = [...this.#threads].filter(({ task }) => task !== undefined).length
        if (running + this.#requested >= size || this.#requested >= this.#waiting.length) return
        this.#requestMemory(idle)
      }
    }
  }

  #requestMemory (idle: Thread | undefined): void {
    const { memory, maxHeapMb } = this.#options
    this.#requested++
    memory.request(maxHeapMb, lease => {
      this.#requested--
      const task = this.#nextTask()
      if (task === undefined) return lease.release()
      const thread = this.#idleThread() ?? this.#createThread(lease)
      if (thread.lease !== lease) thread.lease.release()
      thread.lease = lease
      this.#start(thread, task)
    }, idle?.lease)
  }

  #idleThread (): Thread | undefined {
    return [...this.#threads].find(({ task }) => task === undefined)
  }

  /** The task to start next: that of the owner whose last turn is the longest ago. */
  #nextTask (): Task | undefined {
    const running = new Map<string | undefined, number>()
    for (const { task } of this.#threads) {
      if (task !== undefined) running.set(task.options.owner, (running.get(task.options.owner) ?? 0) + 1)
    }
    const mayStart = ({ options: { owner } }: Task) => owner === undefined || (running.get(owner) ?? 0) < this.#options.maxRunningPerOwner
    const turnOf = ({ options: { owner = '' } }: Task) => this.#turns.peek(owner) ?? 0
    return this.#waiting.filter(mayStart).reduce<Task | undefined>(
      (next, each) => next !== undefined && turnOf(next) <= turnOf(each) ? next : each, undefined)
  }

  #createThread (lease: MemoryLease): Thread {
    const { program, maxHeapMb } = this.#options
    const worker = new Worker(program, { execArgv: [], env: {}, resourceLimits: { maxOldGenerationSizeMb: maxHeapMb } })
    const thread: Thread = { worker, lease, task: undefined, timer: undefined }
    this.#threads.add(thread)
    worker.on('message', (answer: TaskAnswer) => this.#finish(thread, answer))
    worker.on('error', cause => this.#fail(thread, cause))
    worker.on('exit', () => this.#fail(thread, new Error(`A thread of ${this.#options.name} ended.`)))
    return thread
  }

  #start (thread: Thread, task: Task): void {
    const { name } = this.#options
    const { timeoutMs = this.#options.timeoutMs } = task.options
    this.#waiting.splice(this.#waiting.indexOf(task), 1)
    this.#turns.set(task.options.owner ?? '', ++this.#lastTurn)
    clearTimeout(thread.timer)
    thread.task = task
    // While a task runs, the process must not end.
    thread.worker.ref()
    thread.timer = setTimeout(() => {
      this.#end(thread, new TaskStopped('timeout', `${name} took longer than ${timeoutMs / 1000} s and was stopped.`))
      this.#startWaiting()
    }, timeoutMs)
    try {
      thread.worker.postMessage(task.request, task.options.transfer ?? [])
    } catch (error) {
      // The request cannot be copied to a thread.
      this.#finish(thread, { error: error as Error, heapMb: this.#options.maxHeapMb })
    }
  }

  #finish (thread: Thread, answer: TaskAnswer): void {
    const { task } = thread
    if (task === undefined) return
    thread.task = undefined
    thread.worker.unref()
    clearTimeout(thread.timer)
    thread.timer = setTimeout(() => { this.#end(thread, undefined) }, this.#options.idleTimeoutMs).unref()
    this.#settle(task, () => 'error' in answer ? task.reject(answer.error) : task.resolve(answer.value as never))
    if (!this.#options.keepsState) thread.lease.markIdle(answer.heapMb, () => { this.#end(thread, undefined) })
    this.#startWaiting()
  }

  #fail (thread: Thread, cause: Error & { code?: string }): void {
    const error =
      cause.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? new TaskStopped(
          'out_of_memory',
            `${this.#options.name} needed more than ${this.#options.maxHeapMb} MiB of memory and was stopped.`,
            { cause }
        )
        : cause
    this.#end(thread, error)
    this.#startWaiting()
  }

  #abort (task: Task): void {
    const thread = [...this.#threads].find(each => each.task === task)
    if (thread !== undefined) {
      this.#end(thread, task.options.signal!.reason)
      this.#startWaiting()
      return
    }
    this.#waiting = this.#waiting.filter(each => each !== task)
    this.#settle(task, () => task.reject(task.options.signal!.reason))
  }

  async #end (thread: Thread, error: unknown): Promise<void> {
    if (!this.#threads.delete(thread)) return
    clearTimeout(thread.timer)
    const { worker, task } = thread
    thread.task = undefined
    if (task !== undefined) this.#settle(task, () => task.reject(error))
    await worker.terminate()
    thread.lease.release()
  }

  #settle (task: Task, act: () => void): void {
    if (task.onAbort !== undefined) task.options.signal?.removeEventListener('abort', task.onAbort)
    act()
  }
}
