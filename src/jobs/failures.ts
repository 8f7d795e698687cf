import { DatabaseNotWritable, DatabaseUnreachable } from '../../db/errors.js'

/** A failure that another attempt cannot fix. People read the message with the job. */
export class PermanentFailure extends Error {}

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
