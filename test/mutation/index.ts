import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { packageRoot } from '../../src/settings/version.js'
import { type Area, areas } from './areas.js'
import { equivalent } from './equivalent.js'
import { type Mutant, mutantsOf } from './mutants.js'

/*
 * make mutation: changes the compiled program in one place at a time and runs the tests of that area. A mutant that no test notices
 * survives, and shows what the tests leave open. ONLY selects an area, SAMPLE the number of mutants of each area, SEED which ones, JOBS how
 * many run at once.
 */

interface Placed extends Mutant { file: string, line: number, compiledLine: string }
interface Tried { mutant: Placed, outcome: 'killed' | 'timeout' | 'survived' | 'not covered' }
interface TestFile { path: string, milliseconds: number, covers: (file: string, offset: number) => boolean }
interface FunctionCoverage { ranges: { startOffset: number, endOffset: number, count: number }[] }

const root = fileURLToPath(packageRoot)
const { ONLY, SAMPLE = '100', SEED = '20261122', JOBS = '2' } = process.env
const goal = 80
const workspaces = Array.from({ length: Number(JOBS) }, makeWorkspace)
process.on('exit', () => { for (const workspace of workspaces) rmSync(workspace, { recursive: true }) })
process.on('SIGINT', () => process.exit(130))

async function tryArea (area: Area): Promise<void> {
  const tests: TestFile[] = []
  const paths = area.tests.flatMap(path => filesIn('dist/test', path, '.test.js'))
  await inWorkspaces(paths, async (path, workspace) => { tests.push(await measure(path, workspace)) })
  tests.sort((a, b) => a.milliseconds - b.milliseconds)

  const all = area.files.flatMap(path => filesIn('dist', path, '.js')).flatMap(placedMutants)
  const mutants = sample(all.filter(mutant => !isEquivalent(mutant)), Number(SAMPLE))
  const tried: Tried[] = []
  await inWorkspaces(mutants, async (mutant, workspace) => {
    const outcome = await tryMutant(mutant, tests, workspace)
    tried.push({ mutant, outcome })
    if (outcome === 'survived' || outcome === 'not covered') {
      console.log(
        `  ${mutant.file.replace(/^dist\/(.*)\.js$/, '$1')}:${mutant.line} ${mutant.mutator}, ${outcome}: ${short(mutant.original)} -> ${short(mutant.replacement)}`
      )
    }
  })
  const count = (outcome: Tried['outcome']) => tried.filter(each => each.outcome === outcome).length
  const noticed = Math.round((1000 * (count('killed') + count('timeout'))) / tried.length) / 10
  console.log(
    `${area.name}: ${tried.length} of ${all.length} mutants, ${count('killed')} killed, ${count('timeout')} timeouts, ${count('survived')} survived, ${count('not covered')} not covered: ${noticed} % (seed ${SEED})`
  )
  if (noticed < goal) process.exitCode = 1
}

/** Each workspace takes the next item when it is free. */
async function inWorkspaces<Item> (items: readonly Item[], run: (item: Item, workspace: string) => Promise<void>): Promise<void> {
  const waiting = items.values()
  await Promise.all(workspaces.map(async workspace => { for (const item of waiting) await run(item, workspace) }))
}

/** Runs the test files that reach the mutant, the fastest first, until one fails. */
async function tryMutant (mutant: Placed, tests: readonly TestFile[], workspace: string): Promise<Tried['outcome']> {
  const path = join(workspace, mutant.file)
  const text = readFileSync(path, 'utf8')
  const reaching = tests.filter(test => test.covers(mutant.file, mutant.start))
  writeFileSync(path, text.slice(0, mutant.start) + mutant.replacement + text.slice(mutant.end))
  try {
    for (const test of reaching) {
      const outcome = await run(test.path, workspace, 4 * test.milliseconds + 20_000)
      if (outcome !== 'passed') return outcome === 'timeout' ? 'timeout' : 'killed'
    }
    return reaching.length === 0 ? 'not covered' : 'survived'
  } finally {
    writeFileSync(path, text)
  }
}

/** Runs a test file on the unchanged program, with coverage: its time, and what it reaches. */
async function measure (path: string, workspace: string): Promise<TestFile> {
  const coverage = mkdtempSync(join(tmpdir(), 'litfeed-mutation-'))
  const started = Date.now()
  const outcome = await run(path, workspace, 600_000, {
    NODE_V8_COVERAGE: coverage,
    NODE_OPTIONS: preload(workspace, 'coverage/hook.js')
  })
  if (outcome !== 'passed') throw new Error(`${path} does not pass without a mutant (${outcome}).`)
  const milliseconds = Date.now() - started
  const reports = new Map<string, FunctionCoverage[][]>()
  for (const name of readdirSync(coverage)) {
    const { result } = JSON.parse(readFileSync(join(coverage, name), 'utf8')) as {
      result: { url: string, functions: FunctionCoverage[] }[]
    }
    for (const { url, functions } of result) {
      if (url.startsWith('file:')) reports.set(url, [...reports.get(url) ?? [], functions])
    }
  }
  rmSync(coverage, { recursive: true })
  const covers = (file: string, offset: number) =>
    (reports.get(pathToFileURL(join(workspace, file)).href) ?? []).some(functions => countAt(functions, offset) > 0)
  return { path, milliseconds, covers }
}

/** How often the innermost function around an offset ran. V8 counts blocks wrongly after some exceptions, so blocks do not matter. */
function countAt (functions: readonly FunctionCoverage[], offset: number): number {
  const around = functions
    .map(({ ranges }) => ranges[0]!)
    .filter(({ startOffset, endOffset }) => startOffset <= offset && offset < endOffset)
  return around.sort((a, b) => a.endOffset - a.startOffset - (b.endOffset - b.startOffset))[0]?.count ?? 0
}

async function run (
  path: string,
  workspace: string,
  timeout: number,
  environment: NodeJS.ProcessEnv = {}
): Promise<'passed' | 'failed' | 'timeout'> {
  const child = spawn(process.execPath, ['--enable-source-maps', path], {
    cwd: workspace,
    env: {
      ...process.env,
      TAP_BAIL: '1',
      TAP_TIMEOUT: '900',
      BROWSER_TESTS: 'off',
      NODE_OPTIONS: preload(workspace, 'support/quick-start.js'),
      ...environment
    },
    stdio: 'ignore',
    detached: true
  })
  return await new Promise(resolve => {
    const end = () => { try { process.kill(-child.pid!, 'SIGKILL') } catch {} }
    const timer = setTimeout(() => { end(); resolve('timeout') }, timeout)
    child.on('exit', code => {
      clearTimeout(timer)
      end()
      resolve(code === 0 ? 'passed' : 'failed')
    })
  })
}

const preload = (workspace: string, path: string): string => `--import=${pathToFileURL(join(workspace, 'dist/test', path)).href}`

/** A folder like the repository, with a dist of its own to change. */
function makeWorkspace (): string {
  const workspace = mkdtempSync(join(tmpdir(), 'litfeed-mutants-'))
  for (const name of readdirSync(root)) {
    if (!['dist', 'coverage', '.tap'].includes(name)) symlinkSync(join(root, name), join(workspace, name))
  }
  cpSync(join(root, 'dist'), join(workspace, 'dist'), { recursive: true })
  return workspace
}

/** @returns paths from the root of a file, or of the files in a folder */
function filesIn (folder: string, path: string, ending: string): string[] {
  const from = `${folder}/${path}`
  if (!existsSync(join(root, from))) throw new Error(`test/mutation/areas.ts names ${from}, which does not exist.`)
  return statSync(join(root, from)).isFile()
    ? [from]
    : readdirSync(join(root, from), { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith(ending))
      .sort()
      .map(name => `${from}/${name}`)
}

function placedMutants (file: string): Placed[] {
  // From a workspace: a build may change the repository's dist meanwhile.
  const from = join(workspaces[0]!, file)
  const text = readFileSync(from, 'utf8')
  const map = new SourceMap(JSON.parse(readFileSync(`${from}.map`, 'utf8')))
  return mutantsOf(text).map(mutant => {
    const before = text.slice(0, mutant.start).split('\n')
    const entry = map.findEntry(before.length - 1, before.at(-1)!.length) as { originalLine?: number }
    const compiledLine = text.split('\n')[before.length - 1]!.trim()
    return { ...mutant, file, line: (entry.originalLine ?? 0) + 1, compiledLine }
  })
}

const isEquivalent = (mutant: Placed): boolean =>
  equivalent.some(
    ({ file, line = mutant.compiledLine, original, replacement }) =>
      mutant.file === `dist/${file}` &&
      mutant.compiledLine === line &&
      mutant.original === original &&
      mutant.replacement === replacement
  )

/** The same sample for the same seed: mulberry32 and a shuffle. */
function sample<Item> (items: readonly Item[], size: number): Item[] {
  let state = Number(SEED)
  const random = () => {
    state = state + 0x6D2B79F5 | 0
    let mixed = Math.imul(state ^ state >>> 15, 1 | state)
    mixed = mixed + Math.imul(mixed ^ mixed >>> 7, 61 | mixed) ^ mixed
    return ((mixed ^ mixed >>> 14) >>> 0) / 2 ** 32
  }
  return items.map(item => ({ item, key: random() })).sort((a, b) => a.key - b.key).slice(0, size).map(({ item }) => item)
}

const short = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 70)

for (const area of areas.filter(({ name }) => ONLY === undefined || ONLY === '' || ONLY === name)) await tryArea(area)
