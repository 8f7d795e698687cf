import { readFileSync } from 'node:fs'

/** The folder of package.json, seen from where this file is compiled to. */
export const packageRoot = new URL('../../../', import.meta.url)

/** The program's version. */
export const { version } = JSON.parse(readFileSync(new URL('package.json', packageRoot), 'utf8')) as { version: string }
