import { readFileSync } from 'node:fs'
import { packageRoot } from '../src/settings/version.js'

/** A package that is part of what people run. */
export interface Shipped { name: string, version: string, licence: string, path: string, onePlatform: boolean }

interface Locked { version: string, license?: string, dev?: boolean, os?: string[] }

/** Licences of packages whose package.json states none, read in their LICENSE file. */
const unstated: Readonly<Record<string, string>> = { i: 'MIT' }

/** Every package that is needed to run, of every platform, as the lockfile has it: so that the list is the same wherever it is made. */
export function shippedPackages (): Shipped[] {
  const { packages } = JSON.parse(readFileSync(new URL('package-lock.json', packageRoot), 'utf8')) as { packages: Record<string, Locked> }
  return Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && dev !== true)
    .map(([path, { version, license, os }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
      return { name, version, licence: license ?? unstated[name] ?? 'unknown', path, onePlatform: os !== undefined }
    })
    .sort((a, b) => a.path < b.path ? -1 : 1)
}
