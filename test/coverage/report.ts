import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../../src/settings/version.js'
import { limits, uncovered } from './uncovered.js'

/*
 * Reports what the V8 coverage files in coverage/v8 cover of src, db and schemas, and fails below the limits or if the list of uncovered files is out
 * of date. The raw files are some gigabytes, mostly about other code: this keeps what concerns the program, lets c8 merge that, and deletes them.
 * The reports stay in coverage/: coverage-summary.json with percentages, coverage-final.json with lines.
 */

interface ScriptCoverage { url: string, functions: { functionName: string, isBlockCoverage: boolean, ranges: { startOffset: number, endOffset: number, count: number }[] }[] }
interface Summary { lines: { total: number, covered: number, pct: number }, branches: { total: number, covered: number, pct: number } }

const root = fileURLToPath(packageRoot)
const out = join(root, 'coverage')
const folder = join(out, 'v8')
const measured = ['src', 'db', 'schemas']
const own = measured.map(name => new URL(`dist/${name}/`, packageRoot).href)

const filtered = mkdtempSync(join(tmpdir(), 'litfeed-coverage-'))
try {
  const seen = new Set<string>()
  for (const file of readdirSync(folder).filter(name => name.endsWith('.json'))) {
    const result = scriptsIn(join(folder, file)).filter(({ url }) => own.some(prefix => url.startsWith(prefix)))
    for (const { url } of result) seen.add(url)
    if (result.length > 0) writeFileSync(join(filtered, file), JSON.stringify({ result }))
  }
  writeFileSync(join(filtered, 'unseen.json'), JSON.stringify({ result: unseen(seen) }))
  const { status } = spawnSync(process.execPath, [
    join(root, 'node_modules/c8/bin/c8.js'), 'report', '--temp-directory', filtered, '--reports-dir', out, '--reporter', 'json-summary', '--reporter', 'json', '--reporter', 'text-summary',
    '--exclude', 'dist/test/**', '--check-coverage', '--lines', String(limits.lines), '--branches', String(limits.branches), '--functions', '0', '--statements', '0'
  ], { cwd: root, stdio: 'inherit' })
  const faults = checkList()
  for (const fault of faults) console.error(fault)
  process.exitCode = status === 0 && faults.length === 0 ? 0 : 1
} finally {
  rmSync(filtered, { recursive: true })
  rmSync(folder, { recursive: true })
}

/** A file that a process was killed in while it wrote is not JSON, and holds nothing. */
function scriptsIn (path: string): ScriptCoverage[] {
  try {
    return (JSON.parse(readFileSync(path, 'utf8')) as { result: ScriptCoverage[] }).result
  } catch {
    return []
  }
}

/** Files that no process loaded, with nothing covered; those that hold types alone are left out. */
function unseen (seen: ReadonlySet<string>): ScriptCoverage[] {
  return measured.flatMap(name => readdirSync(join(root, 'dist', name), { recursive: true, encoding: 'utf8' }).map(path => `dist/${name}/${path}`))
    .filter(path => path.endsWith('.js') && ['.ts', '.tsx'].some(ending => existsSync(join(root, path.slice('dist/'.length, -'.js'.length) + ending))))
    .map(path => ({ url: new URL(path, packageRoot).href, text: readFileSync(join(root, path), 'utf8') }))
    .filter(({ url, text }) => !seen.has(url) && text.replace(/\/\*[^]*?\*\/|\/\/.*/g, '').trim() !== 'export {};')
    .map(({ url, text }) => ({ url, functions: [{ functionName: '', isBlockCoverage: true, ranges: [{ startOffset: 0, endOffset: text.length, count: 0 }] }] }))
}

/** @returns what is wrong with the list of uncovered files */
function checkList (): string[] {
  const { total: _total, ...files } = JSON.parse(readFileSync(join(out, 'coverage-summary.json'), 'utf8')) as Record<string, Summary>
  const below = new Set(Object.entries(files)
    .filter(([, { lines, branches }]) => lines.pct < limits.fileLines || branches.pct < limits.fileBranches)
    .map(([path]) => path.slice(root.length)))
  return [
    ...[...below].filter(path => !(path in uncovered)).map(path => `${path}: ${files[root + path]!.lines.pct} % of lines and ${files[root + path]!.branches.pct} % of branches covered; add tests, or a reason to test/coverage/uncovered.ts.`),
    ...Object.keys(uncovered).filter(path => !below.has(path)).map(path => `${path}: above the limits or gone; remove it from test/coverage/uncovered.ts.`)
  ]
}
