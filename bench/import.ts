import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { postgresUrl, runCommand, temporaryDirectory } from './process.js'
import { reportBound } from './report.js'
import { textGenerator } from './text-generator.js'
import { measureCommand } from './measure-command.js'

/** Writes an nbib file of records with abstracts of 160 words; the same on every run. */
async function writeNbib (path: string, records: number): Promise<void> {
  const words = textGenerator()
  const word = () => words(1)
  const file = createWriteStream(path)
  for (let at = 0; at < records; at++) {
    const text = `PMID- ${970000000 + at}\nTI  - ${words(12)}.\nAB  - ${words(160)}\nFAU - ${word()}, ${word()}\nFAU - ${word()}, ${word()}\nDP  - 2026 Mar 5\nJT  - A journal\nLID - 10.5555/bench.${at} [doi]\n\n`
    if (!file.write(text)) await once(file, 'drain')
  }
  file.end()
  await once(file, 'finish')
}

/** Measures the import of an nbib file on the command line. Prints table rows with rate and memory for each database. */
export async function measureImport (): Promise<void> {
  const folder = temporaryDirectory()
  const file = join(folder, 'records.nbib')
  const records = 20_000
  await writeNbib(file, records)
  for (const kind of postgresUrl === undefined ? ['embedded'] : ['embedded', 'PostgreSQL']) {
    const environment: Record<string, string> = {
      DATA_DIR: temporaryDirectory(),
      ...(kind === 'embedded' ? {} : { DATABASE_URL: postgresUrl!, JWT_SECRET: 'x'.repeat(32) })
    }
    const email = `import${Date.now()}@example.org`
    await runCommand(['user', 'create', '--email', email], environment)
    const { id: project } = await runCommand(['project', 'create', '--email', email, '--name', 'Bench', '--interest', 'sleep'], environment)
    const { seconds, secondThirdMb, lastThirdMb } = await measureCommand(['import', file, '--project', project, '--json'], environment)
    reportBound(
      `import of ${records.toLocaleString('en')} papers, ${kind}`,
      records / seconds,
      'papers/s',
      kind === 'embedded' ? 400 : 1000,
      'at least'
    )
    process.stdout.write(`| resident memory, second and last third | ${Math.round(secondThirdMb)} MB, ${Math.round(lastThirdMb)} MB | |\n`)
  }
}
