import { readFileSync } from 'node:fs'
import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'

/** Milliseconds that work held the event loop of this thread. */
export interface EventLoopDelay {
  /** Delay beyond the resolution of the timer: quantile and maximum. Other processes on the machine add to it. */
  p999: number
  worst: number
  /** CPU time of this thread between two ticks, at most: what no other process adds to. NaN where the system does not tell. */
  worstCpu: number
  /** The same without garbage collections, which depend on the objects and threads of the whole process. */
  worstOwnCpu: number
}

/** Time from `began` to `ended` on the clock of `performance.now()`, in milliseconds. */
interface Interval { began: number, ended: number }

const resolutionMs = 5
/** Before and after the work, so that a delay at either end counts. */
const quietMs = 25

/** Runs work, and measures the delay of this thread's event loop meanwhile. */
export async function measureEventLoop<T> (work: () => Promise<T>): Promise<EventLoopDelay & { result: T }> {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs })
  histogram.enable()
  await sleep(quietMs)
  histogram.reset()
  // The first interval after a reset does not count.
  await sleep(quietMs)
  const collections: Interval[] = []
  const observer = new PerformanceObserver(list => {
    for (const { startTime, duration } of list.getEntries()) collections.push({ began: startTime, ended: startTime + duration })
  })
  observer.observe({ entryTypes: ['gc'] })
  const busy: Array<Interval & { cpu: number }> = []
  let [cpu, began] = [cpuTime(), performance.now()]
  const tick = () => {
    const [now, ended] = [cpuTime(), performance.now()]
    busy.push({ began, ended, cpu: now - cpu });
    [cpu, began] = [now, ended]
  }
  const ticks = setInterval(tick, resolutionMs)
  try {
    const result = await work()
    await sleep(quietMs)
    const delayOf = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - resolutionMs)
    return {
      p999: delayOf(histogram.percentile(99.9)),
      worst: delayOf(histogram.max),
      // `Math.max` keeps NaN.
      worstCpu: Math.max(0, ...busy.map(({ cpu }) => cpu)),
      worstOwnCpu: Math.max(0, ...busy.map(tick => tick.cpu - timeWithin(tick, collections))),
      result
    }
  } finally {
    clearInterval(ticks)
    observer.disconnect()
    histogram.disable()
  }
}

/** Milliseconds of these intervals that are within another. */
const timeWithin = ({ began, ended }: Interval, intervals: readonly Interval[]): number =>
  intervals.reduce((sum, each) => sum + Math.max(0, Math.min(ended, each.ended) - Math.max(began, each.began)), 0)

/** CPU time of this thread so far in milliseconds, from Linux's scheduler; NaN elsewhere. */
export function cpuTime (): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6
  } catch {
    return NaN
  }
}

/** More milliseconds than the fixed work takes on the computers for which bounds are chosen, so that those stay as they are. */
const referenceMs = 60

/** Work of the kind that bounds are about, always the same: texts, patterns and collections. */
function fixedWork (): void {
  const counts = new Map<string, number>()
  for (let at = 0; at < 45_000; at++) {
    for (const [word] of `Text ${at % 977} of many words, number ${at}`.matchAll(/\w+/g)) counts.set(word, (counts.get(word) ?? 0) + 1)
  }
}

/** How many times longer than usual this CPU takes at its best; 1 for a faster one. */
function slowness (): number {
  const times = [1, 2, 3].map(() => {
    const began = cpuTime()
    fixedWork()
    return cpuTime() - began
  })
  return Math.max(1, Math.min(...times) / referenceMs)
}

/**
 * Whether a CPU time is below a maximum, which grows with the slowness of the CPU, or unknown. To be asked once of each time: the slowness
 * changes from one moment to the next.
 */
const isBelow = (cpuMs: number, maxMs: number): boolean =>
  Number.isNaN(cpuMs) || cpuMs < maxMs || cpuMs < maxMs * slowness()

/**
 * Runs of work that takes too long. What it takes itself, it takes each time; a CPU that another machine on the host slows for a moment
 * does not come every time.
 */
const maxRuns = 5
/** Between two runs, so that what slowed down one is over. */
const pauseMs = 200
/** Where the system does not tell the CPU time, other processes count as well. */
const maxDelayMs = 1000

/**
 * Checks that work holds the event loop of this thread for less than a maximum of CPU milliseconds at a time, garbage collections apart, in
 * one of several runs.
 * @param name of the work, for the report @param again prepares another run; none of work of which only the first run does something
 * @returns the result of the first run
 */
export async function staysResponsive<T> (
  t: Test,
  name: string,
  work: () => Promise<T>,
  { maxMs = 60, again = async () => {} }: { maxMs?: number, again?: (() => Promise<void>) | 'never' } = {}
): Promise<T> {
  const isResponsive = ({ worst, worstOwnCpu }: EventLoopDelay) =>
    Number.isNaN(worstOwnCpu) ? worst < maxDelayMs : isBelow(worstOwnCpu, maxMs)
  const toText = ({ worst, worstCpu, worstOwnCpu }: EventLoopDelay) =>
    `${name}: worst delay ${worst.toFixed(0)} ms, CPU ${worstCpu.toFixed(0)} ms, ${worstOwnCpu.toFixed(0)} ms without collections`
  const { result, ...first } = await measureEventLoop(work)
  let last: EventLoopDelay = first
  let isGood = isResponsive(last)
  for (let run = again === 'never' ? maxRuns : 1; run < maxRuns && !isGood; run++) {
    t.comment(`${toText(last)}; repeated`)
    await sleep(pauseMs)
    if (again !== 'never') await again()
    last = await measureEventLoop(work)
    isGood = isResponsive(last)
  }
  t.ok(isGood, toText(last))
  return result
}

/** Checks that work of this thread takes less than a maximum of CPU milliseconds, in one of several runs. @param name of the work */
export const takesLess = (t: Test, maxMs: number, work: () => unknown, name = 'CPU time'): Promise<void> =>
  isLess(t, maxMs, () => timeOf(work), name)

/** Checks that milliseconds of CPU time, which `measure` runs the work to find out, are less than a maximum in one of several runs. */
export async function isLess (t: Test, maxMs: number, measure: () => Promise<number>, name = 'CPU time'): Promise<void> {
  let time = await measure()
  let isGood = isBelow(time, maxMs)
  for (let run = 1; run < maxRuns && !isGood; run++) {
    t.comment(`${name}: ${time.toFixed(0)} ms; repeated`)
    await sleep(pauseMs)
    time = await measure()
    isGood = isBelow(time, maxMs)
  }
  t.ok(isGood, `${name}: ${time.toFixed(0)} ms`)
}

/** Milliseconds that work of this thread took: CPU time, so that a busy machine does not count, or else the time that passed. */
async function timeOf (work: () => unknown): Promise<number> {
  const [cpu, began] = [cpuTime(), performance.now()]
  await work()
  return Number.isNaN(cpu) ? performance.now() - began : cpuTime() - cpu
}
