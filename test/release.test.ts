import t from 'tap'
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { shippedPackages } from '../docs/licenses.js'
import { joinedPackages } from '../release/joined-packages.js'
import { packageRoot, version } from '../src/settings/version.js'

const text = (path: string) => readFileSync(new URL(path, packageRoot), 'utf8')

/** Licenses that let anybody use, change and pass on, and ask for no more than to be named; for fonts, under another name if changed. */
const permissive = new Set([
  '0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'CC0-1.0', 'ISC', 'MIT', 'MIT-0', 'OFL-1.1', 'PSF-2.0',
  'Python-2.0', 'Unlicense', 'Zlib'
])

t.test('every shipped package has a permissive license and is listed in docs/licenses.md', async t => {
  const shipped = shippedPackages()
  t.ok(shipped.length > 100)
  const listed = text('docs/licenses.md')
  t.strictSame(shipped.filter(({ license }) => !license.replace(/[()]/g, '').split(' OR ').some(each => permissive.has(each))), [])
  t.strictSame(shipped.filter(({ name, version, license }) => !listed.includes(`| ${name} | ${version} | ${license} |`)), [])
})

t.test('the lockfile has an integrity hash for every package and no registry address', async t => {
  const { packages } = JSON.parse(text('package-lock.json')) as {
    packages: Record<string, { integrity?: string, resolved?: string, inBundle?: boolean }>
  }
  const loose = Object.entries(packages).filter(
    ([path, { integrity = '', resolved, inBundle }]) =>
      path !== '' && (resolved !== undefined || (inBundle !== true && !integrity.startsWith('sha512-')))
  )
  t.strictSame(loose, [])
})

t.test('installs refuse versions younger than a week', async t => {
  for (const folder of ['', 'conformance/', 'runtimes/']) t.match(text(`${folder}.npmrc`), /^min-release-age=7$/m)
})

t.test('the build names the Node.js version that it needs', t => {
  const folder = t.testdir({
    // The program that make finds, which states an older version.
    node: `#!/bin/sh\nexec '${process.execPath}' -r '${t.testdirName}/version.cjs' "$@"\n`,
    'version.cjs': `const versions = { ...process.versions, node: process.env.STATED }
      Object.defineProperties(process, { versions: { value: versions }, version: { value: 'v' + versions.node } })`
  })
  chmodSync(`${folder}/node`, 0o755)
  const check = (STATED: string) => spawnSync('make', ['--silent', 'node-version'], {
    cwd: fileURLToPath(packageRoot), encoding: 'utf8', env: { PATH: `${folder}:${process.env.PATH}`, STATED }
  })
  for (const old of ['18.19.0', '20.9.0', '20.11.1']) {
    t.match(check(old), { status: 2, stderr: `Litfeed needs Node.js 20.12 or newer; this is v${old}.` })
  }
  for (const stated of ['20.12.0', '22.1.0', '100.0.0']) t.match(check(stated), { status: 0, stderr: /^$/ }, stated)
  t.match(text('Makefile'), /^\$\(modules\):.* \| node-version$/m)
  t.end()
})

t.test('docs/architecture.md justifies every runtime dependency', async t => {
  const section = text('docs/architecture.md').split('## Dependencies')[1]!
  const { dependencies } = JSON.parse(text('package.json')) as { dependencies: Record<string, string> }
  t.ok(Object.keys(dependencies).length <= 38, 'few enough to defend each')
  for (const name of Object.keys(dependencies)) {
    t.match(section, new RegExp(`^\\|[^|]*(?<![\\w@/-])${name}(?![\\w/-])[^|]*\\|[^|]+\\|$`, 'm'), name)
  }
})

t.test('packages of many modules are loaded as a few', async t => {
  for (const name of joinedPackages) {
    const folder = new URL(`dist/node_modules/${name}/`, packageRoot)
    t.ok(import.meta.resolve(name).startsWith(folder.href), `${name}: ${import.meta.resolve(name)}`)
    t.ok(readdirSync(folder).length < 25)
    t.strictSame(JSON.parse(text(`node_modules/${name}/package.json`)).dependencies ?? {}, {})
  }
})

t.test('installs without install scripts or compilation', async t => {
  t.match(text('.npmrc'), /^ignore-scripts=true$/m)
  t.notOk(['preinstall', 'install', 'postinstall', 'prepare'].some(script => script in JSON.parse(text('package.json')).scripts))
})

t.test('only package.json has the version, and the changelog has its section', async t => {
  const tracked = execFileSync('git', ['ls-files'], { cwd: fileURLToPath(packageRoot), encoding: 'utf8' }).trim().split('\n')
  const states = (path: string) => new RegExp(`\\blitfeed["']?[-/@ ,:v]{1,3}${version.replaceAll('.', '[.]')}\\b`, 'i').test(text(path))
  t.strictSame(
    tracked
      .filter(path => /\.(md|ts|tsx|js|json|yml|service|conf)$|Containerfile$|Makefile$/.test(path) && path !== 'package-lock.json')
      .filter(states),
    []
  )
  t.match(text('CHANGELOG.md'), new RegExp(`^## \\[${version}\\] - \\d{4}-\\d{2}-\\d{2}$`, 'm'))
})

t.test('workflows pin actions by commit, start without write permissions, and updates wait a week', async t => {
  for (const file of readdirSync(new URL('.github/workflows/', packageRoot))) {
    const workflow = text(`.github/workflows/${file}`)
    const uses = workflow.split('\n').filter(line => /\buses:/.test(line))
    t.strictSame(uses.filter(line => !/uses: [\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line)), [], file)
    t.match(workflow, /^permissions:\n {2}contents: read\n\n/m, file)
    t.match(workflow, /^concurrency:$/m, file)
  }
  const updates = text('.github/dependabot.yml').split('package-ecosystem').slice(1)
  t.equal(updates.length, 2)
  for (const update of updates) t.match(update, /cooldown:\n {6}default-days: 7\n/)
})

t.test('the commit message check accepts only Conventional Commits', async t => {
  const file = `${t.testdir()}/message`
  const isTaken = (message: string) => {
    writeFileSync(file, message)
    return spawnSync(fileURLToPath(new URL('.ci/commit-messages', packageRoot)), [file]).status === 0
  }
  for (const message of [
    'feat(search): rank titles first',
    'fix!: refuse foreign ids',
    'docs: say why\n\nBecause.\n',
    "Merge branch 'main'\n"
  ]) { t.ok(isTaken(message), message) }
  for (const message of [
    'Rank titles first',
    'feat(search): rank.',
    'feature: rank',
    'feat(search):rank',
    `feat: ${'x'.repeat(70)}`,
    'feat: rank\nbecause'
  ]) { t.notOk(isTaken(message), message) }
})

t.test('the changelog check accepts only changes that it tells', async t => {
  const cwd = t.testdir()
  const git = (...args: string[]) => spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd })
  const commit = (message: string, file: string) => {
    writeFileSync(`${cwd}/${file}`, message)
    git('add', '.')
    git('commit', '-q', '--no-verify', '-m', message)
  }
  const check = () => spawnSync(fileURLToPath(new URL('.ci/changelog', packageRoot)), ['base..HEAD'], { cwd, encoding: 'utf8' })
  git('init', '-q')
  commit('chore: begin', 'CHANGELOG.md')
  git('tag', 'base')
  commit('docs: explain', 'a')
  commit('fix(search): rank again\n\nChangelog: none', 'a')
  t.equal(check().status, 0)
  commit('feat!: rank titles first', 'a')
  t.match(check(), { status: 1, stdout: /"feat!: rank titles first" is not in CHANGELOG\.md[^]*Describe these commits in CHANGELOG\.md/ })
  commit('docs(changelog): name the order of titles', 'CHANGELOG.md')
  t.equal(check().status, 0)
})
