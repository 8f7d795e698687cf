import { fork } from 'node:child_process'
import { once } from 'node:events'
import { loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { type Figure, line } from './report.js'

/*
 * make torture [ONLY=auth|protocol|bounds|database|jobs|operations|memory|chaos]: runs the long trials one after another.
 * docs/reliability.md records the results.
 */

const trials = ['auth', 'protocol', 'bounds', 'database', 'jobs', 'operations', 'memory', 'chaos']
const only = process.env.ONLY
const figures: Array<Figure & { trial: string }> = []
let failed = false

for (const trial of trials) {
  if (only !== undefined && only !== '' && only !== trial) continue
  process.stdout.write(`\n${trial} (load ${loadavg()[0]!.toFixed(1)})\n`)
  const child = fork(fileURLToPath(new URL(`./${trial}.js`, import.meta.url)), { execArgv: ['--expose-gc'] })
  child.on('message', figure => { figures.push({ ...figure as Figure, trial }) })
  const [code] = await once(child, 'exit')
  failed ||= code !== 0
}

process.stdout.write(`\nAll figures (load ${loadavg()[0]!.toFixed(1)})\n`)
for (const figure of figures) process.stdout.write(`${figure.trial.padEnd(10)}${line(figure)}\n`)
process.exitCode = failed || figures.some(({ state }) => state === 'MISSED') ? 1 : 0
