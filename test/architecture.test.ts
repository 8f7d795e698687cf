import t from 'tap'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { assetPackages } from '../docs/licenses.js'
import { packageRoot } from '../src/settings/version.js'

const root = fileURLToPath(packageRoot)
const paths = ['schemas', 'db', 'src']
  .flatMap(folder => readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(path => join(folder, path)))
  .filter(path => /\.tsx?$/.test(path) && !path.endsWith('.d.ts'))
  .sort()
const scriptFolder = 'src/adapters/web/public/scripts'
/** The scripts of pages, as modules that are bundled for browsers. */
const scripts = readdirSync(join(root, scriptFolder), { recursive: true, encoding: 'utf8' })
  .map(path => join(scriptFolder, path))
  .filter(path => path.endsWith('.js'))
  .sort()
const files = new Map([...paths, ...scripts].map(path => [
  path, ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.Latest, true)
]))

/** Paths of the files that a file imports or exports from, as far as they are ours; imports of types alone count too. */
function importsOf (path: string): string[] {
  return files.get(path)!.statements.flatMap(statement => {
    const from = (ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)) ? statement.moduleSpecifier : undefined
    if (from === undefined || !ts.isStringLiteral(from) || !from.text.startsWith('.')) return []
    const target = join(dirname(path), from.text)
    return [target, target.replace(/\.js$/, '.ts'), target.replace(/\.js$/, '.tsx')].filter(each => files.has(each))
  })
}

/** @returns the first circle of imports that is found, as a path from a file to itself */
function findCycle (): string[] | undefined {
  const done = new Set<string>()
  const visit = (path: string, trail: string[]): string[] | undefined => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path]
    if (done.has(path)) return undefined
    for (const next of importsOf(path)) {
      const cycle = visit(next, [...trail, path])
      if (cycle !== undefined) return cycle
    }
    done.add(path)
    return undefined
  }
  for (const path of files.keys()) {
    const cycle = visit(path, [])
    if (cycle !== undefined) return cycle
  }
  return undefined
}

/** Whether each export of a file has a docstring. Lists of re-exports are not counted: the docstring stands at the definition. */
function exportsOf (path: string): Array<{ name: string, documented: boolean }> {
  const found = files.get(path)!.statements.flatMap(statement => {
    if (!ts.canHaveModifiers(statement) || ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) !== true) {
      return []
    }
    const documented = ts.getJSDocCommentsAndTags(statement).length > 0
    if (ts.isVariableStatement(statement)) {
      return statement.declarationList.declarations.map(({ name }) => ({ name: name.getText(), documented }))
    }
    const { name } = statement as ts.DeclarationStatement
    return [{ name: name?.getText() ?? 'default', documented }]
  })
  // A schema and its type share a name and a docstring.
  return [...new Set(found.map(({ name }) => name))].map(name => ({
    name,
    documented: found.some(each => each.name === name && each.documented)
  }))
}

t.test('files do not import each other in circles', async t => {
  t.equal(findCycle()?.join(' -> '), undefined)
})

/** Programs of threads and processes. Those that read JSON lines check each against a schema: reading-thread.ts and answer-thread.ts. */
const programs = [
  'db/embedded/create.ts', 'db/embedded/worker.ts', 'src/adapters/web/markdown/thread.ts', 'src/fulltext/sandbox/child.ts',
  'src/relevance/worker-thread.ts', 'src/search/index-thread.ts', 'src/search/ranking-thread.ts',
  'src/sources/documents/journal-feed-thread.ts', 'src/zotero/answer-thread.ts'
]

/** Packages and files that Node.js loads with a file: import type is erased, imports inside functions count. */
function loadedBy (path: string): { packages: string[], own: string[] } {
  const specifiers: string[] = []
  const collect = (node: ts.Node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) {
      const onlyTypes = ts.isImportDeclaration(node) ? node.importClause?.isTypeOnly === true : node.isTypeOnly
      if (!onlyTypes && node.moduleSpecifier !== undefined) specifiers.push((node.moduleSpecifier as ts.StringLiteral).text)
    }
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword && ts.isStringLiteral(node.arguments[0]!)) {
      specifiers.push(node.arguments[0].text)
    }
    ts.forEachChild(node, collect)
  }
  collect(files.get(path)!)
  const own = specifiers.filter(each => each.startsWith('.')).map(each => join(dirname(path), each).replace(/\.js$/, '.ts'))
  return { packages: specifiers.filter(each => !each.startsWith('.')), own: own.filter(each => files.has(each)) }
}

t.test('threads and child processes do not load the hundreds of modules of schemas', async t => {
  for (const program of programs) {
    const trails = new Map([[program, program]])
    for (const [path, trail] of trails) {
      const { packages, own } = loadedBy(path)
      t.notOk(packages.some(name => /^typebox(\/|$)/.test(name)), trail)
      for (const next of own) if (!trails.has(next)) trails.set(next, `${trail} -> ${next}`)
    }
  }
})

t.test('every script of pages is part of the bundle', async t => {
  const bundled = new Set<string>()
  const visit = (path: string) => {
    if (bundled.has(path)) return
    bundled.add(path)
    importsOf(path).forEach(visit)
  }
  visit(join(scriptFolder, 'main.js'))
  t.strictSame([...bundled].sort(), scripts)
})

t.test('at least 93 % of the exports have a docstring', async t => {
  const exported = paths
    .filter(path => !path.startsWith('db/migrations/'))
    .flatMap(path => exportsOf(path).map(each => ({ path, ...each })))
  const bare = exported.filter(({ documented }) => !documented)
  const share = 1 - bare.length / exported.length
  t.ok(share >= 0.93, `${(100 * share).toFixed(1)} % of ${exported.length}`, {
    bare: bare.slice(0, 100).map(({ path, name }) => `${path}: ${name}`)
  })
})

t.test('docstrings do not follow one another', async t => {
  t.strictSame([...files.keys()].filter(path => /^ *\/\*\*.*\*\/\n *\/\*\*/m.test(files.get(path)!.text)), [])
})

t.test('production files stay short', async t => {
  const lengths = [...files].map(([path, file]) => ({ path, lines: file.getLineStarts().length }))
  t.strictSame(lengths.filter(({ lines }) => lines > 300), [])
})

t.test('comments name files that exist', async t => {
  for (const path of files.keys()) {
    for (const [named] of files.get(path)!.text.matchAll(/\b(?:src|db|schemas|test)\/[\w./-]+\.tsx?\b/g)) {
      t.ok(existsSync(join(root, named)), `${path}: ${named}`)
    }
  }
})

t.test('the architecture page names files that exist, and each of src/search in the table of its files', async t => {
  const text = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
  const named = [...text.matchAll(/`((?:src|db|schemas|test|release)\/[\w./-]+\.(?:tsx?|js))`/g)].map(([, path]) => path!)
  t.ok(named.length > 60)
  for (const path of named) t.ok(existsSync(join(root, path)), path)
  const table = text.slice(text.indexOf('| File of `src/search` |')).split('\n\n', 1)[0]!
  t.strictSame(
    [...table.matchAll(/`([\w-]+\.ts)`/g)].map(([, name]) => `src/search/${name}`).sort(),
    paths.filter(path => path.startsWith('src/search/'))
  )
})

t.test('src itself contains only the composition root', async t => {
  t.strictSame(paths.filter(path => /^src\/[^/]+$/.test(path)), ['src/app.ts', 'src/service.ts'])
})

/** Files of src/operations that define no operation, with the reason. */
const withoutOperation: Record<string, string> = {
  'collect-items.ts': 'how operations collect the items of a page',
  'context.ts': 'what every operation gets',
  'job-failure.ts': 'knows the errors of every domain',
  'key-access.ts': 'part of the gate: what a key grants',
  'operation.ts': 'the gate',
  'project-not-found.ts': 'part of the gate: names the projects that the caller has',
  'read-page.ts': 'how lists are read in pages',
  'require-project.ts': 'the check that operations of one project start with',
  'tolerant-input.ts': 'part of the gate: input as adapters of models send it'
}

t.test('every file of src/operations exports an operation, apart from the gate', async t => {
  const operationFiles = paths.filter(path => path.startsWith('src/operations/'))
  const names = operationFiles
    .filter(path => !/^export const \w+(: [^=]*)? = operation(<[^>]*>)?\(/m.test(files.get(path)!.text))
    .map(path => path.slice('src/operations/'.length))
  t.strictSame(names, Object.keys(withoutOperation))
})

t.test('the documentation gives a reason for each runtime dependency', async t => {
  const text = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
  const section = text.slice(text.indexOf('\n## Dependencies\n'))
  const rows = [...section.matchAll(/^\| (?!Package |---)([^|]+) \| ([^|]+) \|$/gm)]
  const names = rows.flatMap(([, packages]) => packages!.split(', '))
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { dependencies: object }
  t.strictSame(names.sort(), [...Object.keys(dependencies), ...assetPackages].sort())
  for (const [, packages, reason] of rows) t.ok(reason!.length >= 4, packages!)
  t.match(section, `Litfeed has ${Object.keys(dependencies).length} runtime dependencies,`)
})

t.test('the glossary defines each term once, in alphabetical order', async t => {
  const text = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
  const rows = text.slice(text.indexOf('| Term | Meaning |'), text.indexOf('\n\n', text.indexOf('| Term | Meaning |'))).split('\n').slice(2)
  const terms = rows.map(row => row.split('|')[1]!.trim())
  t.ok(terms.length >= 30)
  t.strictSame(terms, [...new Set(terms)].sort((a, b) => a.localeCompare(b, 'en')))
})
