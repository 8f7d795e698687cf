import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/*
 * Prints the test files for tap to run: all, or the files and folders of the command line. Most of a folder are joined into files that
 * import several of them. To load the program and start a database takes two to three seconds of CPU time, more than most test files take
 * for themselves; within a process, the database is lent from test to test (database.ts).
 */

const root = 'dist/test'
const joined = 'dist/test-processes'

/** With more of them in one process, the last processes would leave a core idle. */
const maxFiles = 6

/**
 * Test files that have a process of their own: the longest, which start early, and those that measure the process, change what it has one
 * of, or read plans that depend on statistics of earlier tests.
 */
const alone = [
  'adapters/web/every-page', 'event-loop', 'extension', 'cli/cli', 'adapters/web/marks', 'operations/backup', 'cli/feeds',
  'adapters/web/triage', 'operations/new-project-preview', 'sources/notices-biorxiv', 'db/data-directory', 'db/embedded', 'jobs/turns',
  'security/response-bounds'
].map(name => `${root}/${name}.test.js`)

const folders = new Map<string, string[]>()
const [, , ...chosen] = process.argv
const files = chosen.length > 0 ? chosen.flatMap(path => path.endsWith('.js') ? [path] : findFiles(path)) : findFiles(root)
// Those of the root check the repository and have little in common.
const single = files.filter(file => dirname(file) === root)
for (const file of files.filter(file => !alone.includes(file) && !single.includes(file))) {
  folders.set(dirname(file), [...folders.get(dirname(file)) ?? [], file])
}
rmSync(joined, { recursive: true, force: true })
mkdirSync(joined, { recursive: true })
const own = alone.filter(file => files.includes(file)).map(file => [file])
const shared = [...folders.values()].flatMap(evenParts)
const joinedFiles = spread([...own, ...shared]).map(joinedFile)
console.log([...joinedFiles, ...single.filter(file => !alone.includes(file))].join(' '))

function findFiles (folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names.filter(name => name.endsWith('.test.js')).map(name => join(folder, name)).sort()
}

/** Parts of at most `maxFiles`, as equal as can be. */
function evenParts (members: readonly string[]): string[][] {
  const count = Math.ceil(members.length / maxFiles)
  return Array.from({ length: count }, (_each, at) => members.slice(at * members.length / count, (at + 1) * members.length / count))
}

/**
 * Puts the processes that start a browser at equal distances between the others. A browser is several busy processes: with four of them at
 * a time, tests of pages ran into their timeouts on a slow machine.
 */
function spread (processes: string[][]): string[][] {
  const usesBrowser = (members: string[]) => members.some(file => readFileSync(file, 'utf8').includes('support/browser.js'))
  const groups = [processes.filter(usesBrowser), processes.filter(members => !usesBrowser(members))]
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
