import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { litfeed, postgresUrl, runCommand, temporaryDirectory } from './process.js'
import { reportBound } from './report.js'

/** A file of records with abstracts of 160 words, from a vocabulary with the skew of natural language; the same on every run. */
async function makeFile (path: string, records: number): Promise<void> {
  let state = 42
  const random = () => { state = (state * 1664525 + 1013904223) % 4294967296; return state / 4294967296 }
  const word = () => `w${Math.floor(20_000 ** random())}`
  const words = (count: number) => Array.from({ length: count }, word).join(' ')
  const file = createWriteStream(path)
  for (let at = 0; at < records; at++) {
    const text = `PMID- ${970000000 + at}\nTI  - ${words(12)}.\nAB  - ${words(160)}\nFAU - ${word()}, ${word()}\nFAU - ${word()}, ${word()}\nDP  - 2026 Mar 5\nJT  - A journal\nLID - 10.5555/bench.${at} [doi]\n\n`
    if (!file.write(text)) await once(file, 'drain')
  }
  file.end()
  await once(file, 'finish')
}

/** Imports, and watches how much memory the process has. @returns seconds, and its highest resident size in MB after the first and the last third */
async function importFile (file: string, project: string, environment: Record<string, string>): Promise<{ seconds: number, early: number, late: number }> {
  const began = performance.now()
  const child = spawn(process.execPath, [litfeed, 'import', file, '--project', project, '--json'], { env: { PATH: process.env.PATH, ...environment }, stdio: ['ignore', 'ignore', 'inherit'] })
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
  if (code !== 0) throw new Error(`the import ended with ${code}`)
  const third = Math.ceil(sizes.length / 3)
  return { seconds: (performance.now() - began) / 1000, early: Math.max(0, ...sizes.slice(third, 2 * third)), late: Math.max(0, ...sizes.slice(-third)) }
}

export async function measureImport (): Promise<void> {
  const folder = temporaryDirectory()
  const file = join(folder, 'records.nbib')
  const records = 20_000
  await makeFile(file, records)
  for (const kind of postgresUrl === undefined ? ['embedded'] : ['embedded', 'PostgreSQL']) {
    const environment: Record<string, string> = { DATA_DIR: temporaryDirectory(), ...(kind === 'embedded' ? {} : { DATABASE_URL: postgresUrl!, JWT_SECRET: 'x'.repeat(32) }) }
    const email = `import${Date.now()}@example.org`
    await runCommand(['user', 'create', '--email', email], environment)
    const { id: project } = await runCommand(['project', 'create', '--email', email, '--name', 'Bench', '--interest', 'sleep'], environment)
    const { seconds, early, late } = await importFile(file, project, environment)
    reportBound(`import of ${records.toLocaleString('en')} papers, ${kind}`, records / seconds, 'papers/s', kind === 'embedded' ? 400 : 1000, 'at least')
    process.stdout.write(`| memory of that import, second and last third | ${Math.round(early)} MB, ${Math.round(late)} MB | |\n`)
  }
}
