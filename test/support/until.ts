import { setTimeout as sleep } from 'node:timers/promises'

const patience = 60_000

/** Waits until something is so. @throws when it is not within a minute */
export async function until (isSo: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + patience
  while (!await isSo()) {
    if (Date.now() > end) throw new Error('It did not come about.')
    await sleep(20)
  }
}
