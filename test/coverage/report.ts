import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../../src/settings/version.js'
import { limits, staleMargin, uncovered, varying } from './uncovered.js'

/*
 * Reports what the V8 coverage files in coverage/v8 cover of src, db and schemas, and fails below the limits or if a list of uncovered
 * files is out of date. The raw files are some gigabytes, mostly about other code: this keeps what concerns the program, lets c8 merge
 * that, and deletes them. The reports stay in coverage/: coverage-summary.json with percentages, coverage-final.json with lines.
 */

interface ScriptCoverage {
  url: string
  functions: { functionName: string, isBlockCoverage: boolean, ranges: { startOffset: number, endOffset: number, count: number }[] }[]
}
interface Summary {
  lines: { total: number, covered: number, pct: number }
  branches: { total: number, covered: number, pct: number }
}

const root = fileURLToPath(packageRoot)
const out = join(root, 'coverage')
const folder = join(out, 'v8')
const measured = ['src', 'db', 'schemas']
/** Where a coverage file has the first script, each further one, the URL of a script, and what follows the last one. */
const [firstScript, nextScript, urlOfScript, afterScripts] = ['{"result":[{"scriptId":"', ',{"scriptId":"', '"url":"', '],"timestamp":']
const own = measured.map(name => new URL(`dist/${name}/`, packageRoot).href)

const filtered = mkdtempSync(join(tmpdir(), 'litfeed-coverage-'))
try {
  const seen = new Set<string>()
  for (const file of readdirSync(folder).filter(name => name.endsWith('.json'))) {
    const result = scriptsIn(join(folder, file)).filter(({ url }) => own.some(prefix => url.startsWith(prefix)))
    for (const { url } of result) seen.add(url)
    if (result.length > 0) writeFileSync(join(filtered, file), `{"result":[${result.map(({ json }) => json).join()}]}`)
  }
  writeFileSync(join(filtered, 'unseen.json'), JSON.stringify({ result: unseen(seen) }))
  const { status } = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/c8/bin/c8.js'),
      'report',
      '--temp-directory',
      filtered,
      '--reports-dir',
      out,
      '--reporter',
      'json-summary',
      '--reporter',
      'json',
      '--reporter',
      'text-summary',
      '--exclude',
      'dist/test/**',
      '--check-coverage',
      '--lines',
      String(limits.lines),
      '--branches',
      String(limits.branches),
      '--functions',
      '0',
      '--statements',
      '0'
    ],
    { cwd: root, stdio: 'inherit' }
  )
  const faults = checkLists()
  for (const fault of faults) console.error(fault)
  process.exitCode = status === 0 && faults.length === 0 ? 0 : 1
} finally {
  rmSync(filtered, { recursive: true, force: true })
  // A process that ends late can still write here.
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
}

/**
 * The scripts of a coverage file, as text, because most are not ours and to parse all takes long. A file that a process was killed in while
 * it wrote has no end, and holds nothing.
 */
function scriptsIn (path: string): Array<{ url: string, json: string }> {
  const text = readFileSync(path, 'utf8')
  const end = text.indexOf(afterScripts)
  if (end === -1) return []
  return text.slice(firstScript.length, end).split(nextScript).map(rest => {
    const start = rest.indexOf(urlOfScript) + urlOfScript.length
    return { url: rest.slice(start, rest.indexOf('"', start)), json: `{"scriptId":"${rest}` }
  })
}

/**
 * Files that no process loaded, with nothing covered; those that hold types alone are left out. The function's name tells c8 that no line
 * is covered.
 */
function unseen (seen: ReadonlySet<string>): ScriptCoverage[] {
  return measured
    .flatMap(name => readdirSync(join(root, 'dist', name), { recursive: true, encoding: 'utf8' }).map(path => `dist/${name}/${path}`))
    .filter(
      path =>
        path.endsWith('.js') && ['.ts', '.tsx'].some(ending => existsSync(join(root, path.slice('dist/'.length, -'.js'.length) + ending)))
    )
    .map(path => ({ url: new URL(path, packageRoot).href, text: readFileSync(join(root, path), 'utf8') }))
    .filter(({ url, text }) => !seen.has(url) && text.replace(/\/\*[^]*?\*\/|\/\/.*/g, '').trim() !== 'export {};')
    .map(({ url, text }) => ({
      url,
      functions: [{ functionName: '(empty-report)', isBlockCoverage: true, ranges: [{ startOffset: 0, endOffset: text.length, count: 0 }] }]
    }))
}

/** @returns the faults of the lists of uncovered files */
function checkLists (): string[] {
  const { total: _total, ...summaries } = JSON.parse(readFileSync(join(out, 'coverage-summary.json'), 'utf8')) as Record<string, Summary>
  const files = new Map(Object.entries(summaries).map(([path, summary]) => [path.slice(root.length), summary]))
  const isBelow = ({ lines, branches }: Summary, margin = 0) =>
    lines.pct < limits.fileLines + margin || branches.pct < limits.fileBranches + margin
  const missing = [...files].filter(([path, summary]) => isBelow(summary) && !(path in uncovered) && !(path in varying))
  const stale = Object.keys(uncovered).filter(path => !files.has(path) || !isBelow(files.get(path)!, staleMargin))
  const gone = Object.keys(varying).filter(path => !files.has(path))
  return [
    ...missing.map(
      ([path, { lines, branches }]) =>
        `${path}: ${lines.pct} % of lines and ${branches.pct} % of branches covered; add tests, or a reason to test/coverage/uncovered.ts.`
    ),
    ...[...stale, ...gone].map(path => `${path}: above the limits or gone; remove it from test/coverage/uncovered.ts.`)
  ]
}
