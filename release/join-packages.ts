import { buildSync } from 'esbuild'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../src/settings/version.js'
import { joinedPackages } from './joined-packages.js'

/*
 * A step of the build: writes each joined package to dist/node_modules, as one module for each of its exports and a few that these share.
 * The program in dist/ finds it there before the one in node_modules.
 */

for (const name of joinedPackages) {
  const { version, license, exports } = JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, packageRoot), 'utf8')) as {
    version: string, license: string, exports: Record<string, unknown>
  }
  const folder = new URL(`dist/node_modules/${name}/`, packageRoot)
  const entries = Object.keys(exports).map(path => ({ path, module: path === '.' ? 'index' : path.slice(2) }))
  // Shared modules are named by their contents, so those of another version would stay.
  rmSync(folder, { recursive: true, force: true })
  buildSync({
    absWorkingDir: fileURLToPath(packageRoot),
    entryPoints: entries.map(({ path, module }) => ({ in: `${name}${path.slice(1)}`, out: module })),
    outdir: fileURLToPath(folder),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    // Without comments and indentation, which V8 would keep in memory. Lines stay short enough for a stack trace to say something.
    minifyWhitespace: true,
    lineLimit: 160,
    logLevel: 'warning'
  })
  const manifest = {
    name, version, license, type: 'module', exports: Object.fromEntries(entries.map(({ path, module }) => [path, `./${module}.js`]))
  }
  writeFileSync(new URL('package.json', folder), `${JSON.stringify(manifest, null, 2)}\n`)
}
