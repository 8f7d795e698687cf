#!/usr/bin/env -S MALLOC_MMAP_THRESHOLD_=1048576 MALLOC_ARENA_MAX=2 node --max-semi-space-size=4 --wasm-tiering-budget=50000000
import { Command as Program, CommanderError } from 'commander'
import { fromDatabaseError } from '../errors/database-errors.js'
import { OperationError } from '../errors/operation-errors.js'
import { openService } from '../service.js'
import { readSettings } from '../composition/settings.js'
import { InvalidSettings, loadEnvironmentFile } from '../settings/settings.js'
import { version } from '../settings/version.js'
import type { Command, Terminal } from './command.js'
import { commands } from './commands.js'
import { stderrLog } from './log.js'

const done = 0
const failed = 1
const usageError = 2

const program = new Program('litfeed')
  .description('A self-hosted research-literature feed service.')
  .version(version)
  .exitOverride()
  .showHelpAfterError('Add --help for usage.')
const groups = new Map<string, Program>()

loadEnvironmentFile()
for (const command of commands) addCommand(command)

try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = reportError(fromDatabaseError(error) ?? error)
}

function addCommand (command: Command): void {
  const words = command.name.split(' ')
  const parent = words.length === 1 ? program : groupOf(words[0]!)
  const declared = parent.command(words.at(-1)!)
    .description(command.summary)
    .option('--json', 'print the result as JSON')
    .exitOverride()
    .showHelpAfterError('Add --help for usage.')
  command.declare?.(declared)
  declared.action(async () => {
    const { json, ...options } = declared.opts()
    process.exitCode = await command.run(terminal(command.name, json === true), options, declared.args) ?? done
  })
}

function groupOf (name: string): Program {
  const existing = groups.get(name)
  if (existing !== undefined) return existing
  const created = program.command(name).description(`${name} …: see litfeed ${name} --help`).exitOverride()
  groups.set(name, created)
  return created
}

function terminal (name: string, json: boolean): Terminal {
  const settings = readSettings()
  return {
    settings,
    open: async () => await openService({ settings, log: stderrLog, name: `litfeed ${name}`, share: true }),
    print: (value, text) => process.stdout.write(`${json ? JSON.stringify(value) : text}\n`),
    note: line => process.stderr.write(`${line}\n`),
    interactive: process.stderr.isTTY === true
  }
}

/** Prints an error without its stack. @returns the exit code */
function reportError (error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? done : usageError
  if (error instanceof InvalidSettings) {
    process.stderr.write(`${error.message}\n`)
    return usageError
  }
  if (error instanceof OperationError) {
    process.stderr.write(`litfeed: ${error.message}\n`)
    return error.code === 'invalid_arguments' ? usageError : failed
  }
  const { message, cause } = error as Error
  process.stderr.write(
    `litfeed: ${message || String(error)}${cause instanceof Error && cause.message !== '' ? ` (${cause.message})` : ''}\n`
  )
  return failed
}
