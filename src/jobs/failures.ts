import { DatabaseNotWritable, DatabaseUnreachable } from '../../db/errors.js'

/** A failure of a job, which another attempt may fix. People and models read its message, so it quotes nothing that comes from outside. */
export class JobFailure extends Error {}

/** A failure that another attempt cannot fix. */
export class PermanentFailure extends JobFailure {}

/** Why jobs are aborted that still run while the service stops. They say nothing about what they were doing, and start again. */
export class ServiceStops extends Error {
  constructor () {
    super('The service stops.')
  }
}

/** Long work that yields its slot and continues in another attempt, which counts as the first. */
export class SlotYielded extends Error {
  constructor () {
    super('The work continues in another attempt.')
  }
}

/** Replaces messages that may quote anything. */
export const unexpectedFailure = 'An unexpected error occurred; the operator can find it in the log.'

/** When a failed job is attempted again. */
export interface RetryPolicy {
  /** Attempts after the first. */
  retries: number
  /** Seconds before the second attempt; every further delay is twice as long. Up to as much again is added at random. */
  retryDelaySeconds: number
}

/** Whether a failure is the database's: it says nothing about the job, so the attempt does not count. */
export const isDatabaseFailure = (error: unknown): boolean => error instanceof DatabaseUnreachable || error instanceof DatabaseNotWritable

/** @returns seconds until the next attempt of a job that failed; undefined where there is none */
export function nextRetry (error: Error, attempts: number, { retries, retryDelaySeconds }: RetryPolicy): number | undefined {
  if (error instanceof PermanentFailure || attempts > retries) return undefined
  return retryDelaySeconds * 2 ** (attempts - 1) * (1 + Math.random())
}
