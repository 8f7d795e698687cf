import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'
import { cpuTime } from '../support/event-loop.js'

/* Preloaded into a service under trial. Answers each message of the trial with the delay of its event loop since the last one. */

const resolutionMs = 5

if (isMainThread && process.send !== undefined) {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs })
  histogram.enable()
  let [cpu, worstCpu] = [cpuTime(), 0]
  setInterval(() => {
    const now = cpuTime()
    worstCpu = Math.max(worstCpu, now - cpu)
    cpu = now
  }, resolutionMs).unref()
  const delayOf = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - resolutionMs)
  process.on('message', () => {
    process.send!({ p999: delayOf(histogram.percentile(99.9)), worst: delayOf(histogram.max), worstCpu })
    histogram.reset()
    worstCpu = 0
  })
  // The trial's channel must not keep the service running.
  process.channel?.unref()
}
