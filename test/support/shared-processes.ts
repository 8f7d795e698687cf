import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/*
 * Prints the test files for tap to run: all, or the files and folders of the command line. Most are joined into files that import
 * several of them. To load the program, start a database and write the coverage takes about six seconds of CPU time, more than most test
 * files take for themselves; within a process, the database is lent from test to test (database.ts).
 */

const root = 'dist/test'
const joined = 'dist/test-processes'

/** Weight of a process. With more in one, the last processes would leave a core idle. */
const maxWeight = 32

/** About how test files compare in CPU time: with a browser, with a database, and without both. */
const weights = { browser: 3, database: 2, other: 1 }

/**
 * Test files that have a process of their own: the longest, which start early, and those that measure the process, change what it has one
 * of, or read plans that depend on statistics of earlier tests.
 */
const alone = [
  'adapters/web/every-page', 'event-loop', 'adapters/web/triage', 'sources/notices-again', 'extension', 'db/briefs', 'cli/cli',
  'adapters/web/marks', 'operations/filtered-pages', 'operations/backup', 'cli/feeds', 'db/deletions', 'operations/new-project-preview',
  'sources/notices-biorxiv', 'db/data-directory', 'db/embedded', 'jobs/turns', 'cli/opening',
  'security/response-bounds', 'operations/jobs-list', 'operations/many-feeds'
].map(name => `${root}/${name}.test.js`)

const [, , ...chosen] = process.argv
const files = chosen.length > 0 ? chosen.flatMap(path => path.endsWith('.js') ? [path] : findFiles(path)) : findFiles(root)
// Those of the root check the repository and have little in common.
const single = files.filter(file => dirname(file) === root)
const others = files.filter(file => !alone.includes(file) && !single.includes(file))
rmSync(joined, { recursive: true, force: true })
mkdirSync(joined, { recursive: true })
const own = alone.filter(file => files.includes(file)).map(file => [file])
const shared = [others.filter(usesBrowser), others.filter(file => !usesBrowser(file))].flatMap(evenParts)
const joinedFiles = spread([...own, ...shared]).map(joinedFile)
console.log([...joinedFiles, ...single.filter(file => !alone.includes(file))].join(' '))

function findFiles (folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names.filter(name => name.endsWith('.test.js')).map(name => join(folder, name)).sort()
}

/** Parts of about `maxWeight`, in order: neighbors use the same modules. */
function evenParts (members: readonly string[]): string[][] {
  const total = members.reduce((sum, file) => sum + weightOf(file), 0)
  const parts = Array.from({ length: Math.ceil(total / maxWeight) }, (): string[] => [])
  let before = 0
  for (const file of members) {
    parts[Math.floor(before * parts.length / total)]!.push(file)
    before += weightOf(file)
  }
  return parts.filter(part => part.length > 0)
}

function usesBrowser (file: string): boolean {
  return readFileSync(file, 'utf8').includes('support/browser.js')
}

function weightOf (file: string): number {
  if (usesBrowser(file)) return weights.browser
  return /support\/(?:service|database|migrations)\.js/.test(readFileSync(file, 'utf8')) ? weights.database : weights.other
}

/**
 * Puts the processes that start a browser at equal distances between the others. A browser is several busy processes: with four of them at
 * a time, tests of pages ran into their timeouts on a slow machine.
 */
function spread (processes: string[][]): string[][] {
  const hasBrowser = (members: string[]) => members.some(usesBrowser)
  const groups = [processes.filter(hasBrowser), processes.filter(members => !hasBrowser(members))]
  const placed = groups.flatMap(group => group.map((members, at) => ({ members, place: at / group.length })))
  return placed.sort((a, b) => a.place - b.place).map(({ members }) => members)
}

/** Writes a file that imports others. tap runs files in the order of their names. @returns its path */
function joinedFile (members: readonly string[], at: number): string {
  const path = join(joined, `${String(at).padStart(3, '0')}-${relative(root, members[0]!).replaceAll('/', '-')}`)
  const files = members.map(member =>
    `  { name: '${relative(root, member)}', load: async () => await import('${relative(joined, member)}') }`)
  const support = relative(joined, `${root}/support/end-of-file.js`)
  writeFileSync(path, `import { runFiles } from '${support}'\n\nawait runFiles([\n${files.join(',\n')}\n])\n`)
  return path
}
