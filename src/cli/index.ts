#!/usr/bin/env node
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
const wrongUsage = 2

const program = new Program('litfeed')
  .description('A research-literature feed service that you host yourself.')
  .version(version)
  .exitOverride()
  .showHelpAfterError('Add --help for what is allowed.')
const groups = new Map<string, Program>()

loadEnvironmentFile()
for (const command of commands) add(command)

try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = report(fromDatabaseError(error) ?? error)
}

function add (command: Command): void {
  const words = command.name.split(' ')
  const parent = words.length === 1 ? program : group(words[0]!)
  const declared = parent.command(words.at(-1)!).description(command.summary).option('--json', 'give the result as JSON').exitOverride().showHelpAfterError('Add --help for what is allowed.')
  command.declare?.(declared)
  declared.action(async () => {
    const { json, ...options } = declared.opts()
    process.exitCode = await command.run(terminal(command.name, json === true), options, declared.args) ?? done
  })
}

function group (name: string): Program {
  const known = groups.get(name)
  if (known !== undefined) return known
  const made = program.command(name).description(`${name} …: see litfeed ${name} --help`).exitOverride()
  groups.set(name, made)
  return made
}

function terminal (name: string, json: boolean): Terminal {
  const settings = readSettings()
  return {
    settings,
    open: async () => await openService({ settings, log: stderrLog, name: `litfeed ${name}`, share: true }),
    print: (value, text) => process.stdout.write(`${json ? JSON.stringify(value) : text}\n`),
    tell: line => process.stderr.write(`${line}\n`),
    interactive: process.stderr.isTTY === true
  }
}

/** Says what went wrong, without a stack: its reader has typed a command. */
function report (error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? done : wrongUsage
  if (error instanceof InvalidSettings) {
    process.stderr.write(`${error.message}\n`)
    return wrongUsage
  }
  if (error instanceof OperationError) {
    process.stderr.write(`litfeed: ${error.message}\n`)
    return error.code === 'invalid_arguments' ? wrongUsage : failed
  }
  const { message, cause } = error as Error
  process.stderr.write(`litfeed: ${message || String(error)}${cause instanceof Error && cause.message !== '' ? ` (${cause.message})` : ''}\n`)
  return failed
}
