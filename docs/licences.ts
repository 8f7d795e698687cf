import { readFileSync } from 'node:fs'
import { packageRoot } from '../src/settings/version.js'

/** A runtime dependency. `onePlatform` marks native binaries for one platform, which the release archive leaves out. */
export interface ShippedPackage { name: string, version: string, licence: string, path: string, onePlatform: boolean }

interface LockedPackage { version: string, license?: string, dev?: boolean, os?: string[] }

/** Licences of packages whose package.json states none; taken from their LICENSE files. */
const unstated: Readonly<Record<string, string>> = { i: 'MIT' }

/** Lists the runtime dependencies of every platform from the lockfile, sorted by path, so the list does not depend on the machine. */
export function shippedPackages (): ShippedPackage[] {
  const { packages } = JSON.parse(readFileSync(new URL('package-lock.json', packageRoot), 'utf8')) as {
    packages: Record<string, LockedPackage>
  }
  return Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && dev !== true)
    .map(([path, { version, license, os }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
      return { name, version, licence: license ?? unstated[name] ?? 'unknown', path, onePlatform: os !== undefined }
    })
    .sort((a, b) => a.path < b.path ? -1 : 1)
}
