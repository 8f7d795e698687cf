import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { prepareCluster } from '../db/embedded/prepared-cluster.js'
import { shippedPackages } from '../docs/licenses.js'
import { packageRoot } from '../src/settings/version.js'
import { joinedPackages } from './joined-packages.js'

/*
 * make release: packs the built program and its runtime dependencies into release/out/litfeed-VERSION.tgz, which needs only Node.js. Native
 * code is prebuilt for every platform in the packages, so installing compiles, fetches and runs nothing.
 */

const root = fileURLToPath(packageRoot)
const out = join(root, 'release/out')
const staging = join(out, 'litfeed')
const {
  devDependencies: _dev,
  scripts: _scripts,
  overrides: _overrides,
  ...manifest
} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
/** Files of the program, as package.json lists them, and files for people. */
const files: string[] = [
  ...manifest.files, 'deploy', 'docs', '.env.example', 'README.md', 'LICENSE', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'
]
/** Leaves out sources, source maps and build state. */
const isIncluded = (path: string) => !/\.(ts|js\.map|tsbuildinfo)$/.test(path)

const isLicense = (path: string) => /^licen[cs]e/i.test(basename(path))
const isOutside = (folder: string) => (path: string) => !path.startsWith(folder)

rmSync(out, { recursive: true, force: true })
await import('../src/adapters/web/build-assets.js')
await prepareCluster()
mkdirSync(staging, { recursive: true })
for (const path of files) cpSync(join(root, path), join(staging, path), { recursive: true, filter: isIncluded })
const shipped = shippedPackages()
// Nested packages have their own entries in the lockfile.
for (const { name, path } of shipped.filter(({ onePlatform, inAssets }) => !onePlatform && !inAssets)) {
  const from = join(root, path)
  const isJoined = joinedPackages.includes(name)
  const isWanted = isJoined ? (each: string) => each === from || isLicense(each) : isOutside(join(from, 'node_modules'))
  cpSync(from, join(staging, path), { recursive: true, filter: isWanted })
}
for (const name of joinedPackages) cpSync(join(root, 'dist/node_modules', name), join(staging, 'node_modules', name), { recursive: true })

const releaseManifest = { ...manifest, files: [...files, 'sbom.cdx.json'], bundleDependencies: Object.keys(manifest.dependencies) }
writeFileSync(join(staging, 'package.json'), `${JSON.stringify(releaseManifest, null, 2)}\n`)

const name = `litfeed-${manifest.version}`
const sbom = JSON.parse(execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024
}))
// To npm they are only for development.
for (const { name, version, license } of shipped.filter(({ inAssets }) => inAssets)) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  sbom.components.push({ 'bom-ref': `${name}@${version}`, type: 'library', name, version, purl, licenses: [{ license: { id: license } }] })
}
for (const file of [join(staging, 'sbom.cdx.json'), join(out, `${name}.cdx.json`)]) writeFileSync(file, JSON.stringify(sbom, null, 2))

execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', out], {
  cwd: staging,
  stdio: ['ignore', 'ignore', 'inherit']
})
rmSync(staging, { recursive: true })
const checksums = readdirSync(out)
  .sort()
  .map(
    file =>
      `${createHash('sha256')
        .update(readFileSync(join(out, file)))
        .digest('hex')}  ${file}\n`
  )
writeFileSync(join(out, 'SHA256SUMS'), checksums.join(''))
process.stdout.write(checksums.join(''))
