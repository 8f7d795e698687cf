import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

/*
 * Preloaded into a service under trial. Answers each message of the trial with the delay of the event loop since the last one, in
 * milliseconds.
 */

const resolutionMs = 5

if (isMainThread && process.send !== undefined) {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs })
  histogram.enable()
  const delayOf = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - resolutionMs)
  process.on('message', () => {
    process.send!({ p999: delayOf(histogram.percentile(99.9)), worst: delayOf(histogram.max) })
    histogram.reset()
  })
  // The trial's channel must not keep the service running.
  process.channel?.unref()
}
