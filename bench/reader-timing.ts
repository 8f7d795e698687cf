import { setTimeout as sleep } from 'node:timers/promises'
import type { CDPSession, Page } from 'playwright-core'

/** Adds a latency to every answer that a page gets. */
export async function setNetwork (page: Page, latency: number): Promise<CDPSession> {
  const network = await page.context().newCDPSession(page)
  await network.send('Network.enable')
  await network.send('Network.emulateNetworkConditions', { offline: false, latency, downloadThroughput: -1, uploadThroughput: -1 })
  return network
}

/** Time for a glance at a paper, shorter than anybody reads. */
const glanceMs = 300

/**
 * Presses `j` on a feed, again and again, after a glance at each paper, and before it a key without an effect.
 * @returns milliseconds from each key to the end of a frame: `next` to the one that shows the abstract of the next paper, `idle` to the
 * first one, which says how busy the machine is
 */
export async function timeNext (page: Page, count: number): Promise<{ next: number[], idle: number[] }> {
  await page.locator('.details .prose').waitFor()
  await page.evaluate(() => {
    const took: Record<string, number[]> = { j: [], q: [] }
    Object.assign(globalThis, { took })
    addEventListener('keydown', ({ key, timeStamp }) => {
      if (took[key] === undefined) return
      const waitForPaper = () => {
        const item = document.querySelector('[data-rows] .row:has(a[aria-current])')?.getAttribute('data-item')
        if (document.querySelector(`.details[data-item="${item}"] .prose`) === null) return requestAnimationFrame(waitForPaper)
        // Runs after the frame has been painted.
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => { took[key]!.push(performance.now() - timeStamp) }
        port2.postMessage(undefined)
      }
      requestAnimationFrame(waitForPaper)
    }, true)
  })
  await sleep(2 * glanceMs)
  for (let pressed = 1; pressed <= count; pressed++) {
    for (const key of ['q', 'j']) {
      await page.keyboard.press(key)
      await page.waitForFunction(([name, expected]) =>
        (globalThis as unknown as { took: Record<string, number[]> }).took[name]!.length === expected, [key, pressed] as const)
      await sleep(glanceMs / 2)
    }
  }
  const { j, q } = await page.evaluate(() => (globalThis as unknown as { took: Record<'j' | 'q', number[]> }).took)
  return { next: j, idle: q }
}
