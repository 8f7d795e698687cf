import type { Delivery, TakenJob } from '../../jobs/attempts.js'
import type { ServiceContext } from '../../operations/context.js'

/** A kind of background work. Adding one is a file in tasks/ and a row in tasks.ts. */
export interface Task extends Delivery {
  /** Jobs of it that one process runs at the same time; where it is more than one, at most one fewer of one account. */
  concurrency: number
  /**
   * Does the work, which may have been begun before: doing it twice has the effect of once.
   *
   * @param signal aborted at the deadline, or when the process stops
   * @returns what came of it, for whoever reads the job
   */
  run (context: ServiceContext, job: TakenJob, signal: AbortSignal): Promise<object>
}
