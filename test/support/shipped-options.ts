import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Path of the compiled command line. */
export const litfeed = fileURLToPath(new URL('../../src/cli/index.js', import.meta.url))

const [variables, options] = readFileSync(litfeed, 'utf8').split('\n')[0]!.split('env -S ')[1]!
  .split(' node ').map(words => words.split(' ')) as [string[], string[]]

/** Options of Node.js in the first line of the command line, which the units and the container repeat. */
export const shippedOptions: readonly string[] = options

/** Environment variables in the same line. */
export const shippedVariables: Readonly<Record<string, string>> = Object.fromEntries(variables.map(variable => variable.split('=')))
