import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const directory = fileURLToPath(new URL('../../../samples/', import.meta.url))

/** The files of samples/, one of each format. */
export const sampleFiles = (): Array<{ name: string, path: string, bytes: Buffer }> =>
  readdirSync(directory)
    .filter(name => name !== 'README.md')
    .map(name => ({ name, path: join(directory, name), bytes: readFileSync(join(directory, name)) }))
