import module from 'node:module'
import { setFlagsFromString } from 'node:v8'
import './cheap-hashes.js'
import { v8Flags } from './v8-flags.js'

/*
 * Loaded before everything else (NODE_OPTIONS=--import). tap makes every process of a test load each of its modules through a second
 * thread, to record which files it used. Nothing here needs that record, and without it a process starts in less than half of the time.
 */
const { register } = module
module.register = ((specifier: string | URL, ...rest: [any, any]) => {
  if (!String(specifier).includes('@tapjs/processinfo')) register(specifier, ...rest)
}) as typeof register

// tap turns these on, and Node.js then reads the source map of every module.
process.setSourceMapsEnabled(false)

for (const flag of v8Flags) setFlagsFromString(flag)
