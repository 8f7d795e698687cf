import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { shippedPackages } from '../docs/licences.js'
import { packageRoot } from '../src/settings/version.js'

/*
 * make release: packs the built program with every package that it needs into one archive, release/out/litfeed-VERSION.tgz, that runs wherever
 * Node.js does. Native parts are the prebuilt ones that the packages hold for every platform; nothing is compiled, fetched or run to install it.
 */

const root = fileURLToPath(packageRoot)
const out = join(root, 'release/out')
const staging = join(out, 'litfeed')
const { devDependencies: _dev, scripts: _scripts, overrides: _overrides, ...described } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
/** What package.json names is what the program needs; the rest is for people. */
const files: string[] = [...described.files, 'deploy', 'docs', '.env.example', 'README.md', 'LICENSE', 'SECURITY.md', 'CHANGELOG.md']
/** Sources and maps of them serve nobody who runs it. */
const isShown = (path: string) => !/\.(ts|js\.map|tsbuildinfo)$/.test(path)

rmSync(out, { recursive: true, force: true })
// The module writes the files that pages load; those of earlier builds do not ship.
rmSync(join(root, 'dist/assets'), { recursive: true, force: true })
await import('../src/adapters/web/assets.js')
mkdirSync(staging, { recursive: true })
for (const path of files) cpSync(join(root, path), join(staging, path), { recursive: true, filter: isShown })
// A package that holds others is copied without them: each of those has a line of its own in the lockfile.
for (const { path } of shippedPackages().filter(({ onePlatform }) => !onePlatform)) {
  const from = join(root, path)
  cpSync(from, join(staging, path), { recursive: true, filter: each => !each.startsWith(join(from, 'node_modules')) })
}

const manifest = { ...described, files: [...files, 'sbom.cdx.json'], bundleDependencies: Object.keys(described.dependencies) }
writeFileSync(join(staging, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)

const name = `litfeed-${described.version}`
const sbom = execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only'], { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
for (const file of [join(staging, 'sbom.cdx.json'), join(out, `${name}.cdx.json`)]) writeFileSync(file, sbom)

execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', out], { cwd: staging, stdio: ['ignore', 'ignore', 'inherit'] })
rmSync(staging, { recursive: true })
const sums = readdirSync(out).sort().map(file => `${createHash('sha256').update(readFileSync(join(out, file))).digest('hex')}  ${file}\n`)
writeFileSync(join(out, 'SHA256SUMS'), sums.join(''))
process.stdout.write(sums.join(''))
