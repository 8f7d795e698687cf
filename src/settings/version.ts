import { readFileSync } from 'node:fs'

/** Folder of package.json, relative to the compiled file. */
export const packageRoot = new URL('../../../', import.meta.url)

/** Version of Litfeed, from package.json. */
export const { version } = JSON.parse(readFileSync(new URL('package.json', packageRoot), 'utf8')) as { version: string }
