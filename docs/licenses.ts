import { readFileSync } from 'node:fs'
import { packageRoot } from '../src/settings/version.js'

/**
 * A package that an installation contains. `onePlatform` marks native binaries for one platform, which the release archive leaves out;
 * `inAssets` marks packages whose files the build copies into dist/assets.
 */
export interface ShippedPackage { name: string, version: string, license: string, path: string, onePlatform: boolean, inAssets: boolean }

interface LockedPackage { version: string, license?: string, dev?: boolean, os?: string[] }

/** Licenses of packages whose package.json states none; taken from their LICENSE files. */
const unstated: Readonly<Record<string, string>> = { i: 'MIT' }

/** Packages for the build alone, whose files browsers get. */
export const assetPackages: ReadonlySet<string> = new Set(['@fontsource-variable/source-sans-3', '@fontsource/source-serif-4', 'htmx.org'])

/**
 * Lists the runtime dependencies of every platform, and the packages in the assets, from the lockfile. Sorted by path, so the list does not
 * depend on the machine.
 */
export function shippedPackages (): ShippedPackage[] {
  const { packages } = JSON.parse(readFileSync(new URL('package-lock.json', packageRoot), 'utf8')) as {
    packages: Record<string, LockedPackage>
  }
  return Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, { version, license, os, dev }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
      const inAssets = assetPackages.has(name)
      return { name, version, license: license ?? unstated[name] ?? 'unknown', path, onePlatform: os !== undefined, inAssets, dev }
    })
    .filter(({ dev, inAssets }) => dev !== true || inAssets)
    .map(({ dev: _dev, ...shipped }) => shipped)
    .sort((a, b) => a.path < b.path ? -1 : 1)
}
