import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { litfeed } from './process.js'

/** What a command took: seconds, and its highest resident size in MB in the second and the last third of the time. */
export interface Watched { seconds: number, early: number, late: number }

/** Runs a command to its end, and watches how much memory the process has. */
export async function watchCommand (args: readonly string[], environment: Record<string, string>): Promise<Watched> {
  const began = performance.now()
  const child = spawn(process.execPath, [litfeed, ...args], { env: { PATH: process.env.PATH, ...environment }, stdio: ['ignore', 'ignore', 'inherit'] })
  const sizes: number[] = []
  const timer = setInterval(() => {
    try {
      sizes.push(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024)
    } catch {
      // It has ended, or this system has no such file.
    }
  }, 100)
  const [code] = await once(child, 'close')
  clearInterval(timer)
  if (code !== 0) throw new Error(`litfeed ${args[0]} ended with ${code}`)
  const third = Math.ceil(sizes.length / 3)
  return { seconds: (performance.now() - began) / 1000, early: Math.max(0, ...sizes.slice(third, 2 * third)), late: Math.max(0, ...sizes.slice(-third)) }
}
