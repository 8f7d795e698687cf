import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { litfeed, shippedOptions, shippedVariables } from '../test/support/shipped-options.js'

/** Duration of a command, and its maximum resident memory in MB in the second and the last third of that time. */
export interface CommandMeasurement { seconds: number, secondThirdMb: number, lastThirdMb: number }

/**
 * Runs a litfeed command and samples its resident memory every 100 ms (zero where there is no /proc). @throws Error on a nonzero exit code
 */
export async function measureCommand (args: readonly string[], environment: Record<string, string>): Promise<CommandMeasurement> {
  const began = performance.now()
  const child = spawn(process.execPath, [...shippedOptions, litfeed, ...args], {
    env: { PATH: process.env.PATH, ...shippedVariables, ...environment },
    stdio: ['ignore', 'ignore', 'inherit']
  })
  const samplesMb: number[] = []
  const timer = setInterval(() => {
    try {
      samplesMb.push(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024)
    } catch {
      // The process has exited, or this system has no /proc.
    }
  }, 100)
  const [code] = await once(child, 'close')
  clearInterval(timer)
  if (code !== 0) throw new Error(`litfeed ${args[0]} exited with ${code}`)
  const third = Math.ceil(samplesMb.length / 3)
  return {
    seconds: (performance.now() - began) / 1000,
    secondThirdMb: Math.max(0, ...samplesMb.slice(third, 2 * third)),
    lastThirdMb: Math.max(0, ...samplesMb.slice(-third))
  }
}
