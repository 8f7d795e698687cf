import { timingSafeEqual } from 'node:crypto'

/** Whether a caller sent the expected secret. The time of the comparison depends on the lengths alone, which are no secrets. */
export function isSameSecret (sent: string | Uint8Array, expected: string | Uint8Array): boolean {
  const [actual, right] = [Buffer.from(sent), Buffer.from(expected)]
  return actual.length === right.length && timingSafeEqual(actual, right)
}
