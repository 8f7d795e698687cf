import type { Writable } from 'node:stream'
import { Command as Program, CommanderError } from 'commander'
import { NoMailForAlerts } from '../alerts/mail.js'
import { readSettings } from '../composition/settings.js'
import { OperationError } from '../errors/operation-errors.js'
import { toPublicError } from '../errors/public-error.js'
import { DamagedBackup } from '../backups/read-backup.js'
import { openService } from '../service.js'
import { InvalidSettings } from '../settings/settings.js'
import { version } from '../settings/version.js'
import type { Command, Terminal } from './command.js'
import { commands } from './commands.js'
import { messageOf, unexpectedText } from './error-text.js'
import { logTo } from './log.js'
import { noProgress, progressLines } from './progress.js'

const done = 0
const failed = 1
const usageError = 2

/** The environment and streams of a command. */
export interface CommandIo {
  /** Called by a command that needs settings. */
  environment: () => NodeJS.ProcessEnv
  stdout: Writable
  /** A terminal shows progress. */
  stderr: Writable & { isTTY?: boolean, columns?: number }
}

/** Runs a command of `litfeed`. @param args words after the program's name @returns the exit code */
export async function runProgram (args: readonly string[], io: CommandIo): Promise<number> {
  const { stdout, stderr } = io
  const program = new Program('litfeed')
    .description('A self-hosted research-literature feed service.')
    .version(version)
    .exitOverride()
    .showHelpAfterError('Add --help for usage.')
    .configureOutput({ writeOut: text => stdout.write(text), writeErr: text => stderr.write(text) })
  let exitCode = done
  let called: Program | undefined
  for (const command of commands) {
    addCommand(program, command, async (json, options, operands, declared) => {
      called = declared
      await command.run(terminal(command, json, io, () => { exitCode = failed }), options, operands)
    })
  }
  try {
    await program.parseAsync(args, { from: 'user' })
    return exitCode
  } catch (error) {
    return reportError(error, stderr, called)
  }
}

function addCommand (
  program: Program,
  { name, summary, declare }: Command,
  run: (json: boolean, options: Record<string, any>, operands: string[], declared: Program) => Promise<void>
): void {
  const words = name.split(' ')
  const parent = words.length === 1 ? program : groupOf(program, words[0]!)
  const declared = parent.command(words.at(-1)!)
    .description(summary)
    .option('--json', 'print the result as JSON')
    .exitOverride()
    .showHelpAfterError('Add --help for usage.')
  declare?.(declared)
  declared.action(async () => {
    const { json, ...options } = declared.opts()
    await run(json === true, options, declared.args, declared)
  })
}

function groupOf (program: Program, name: string): Program {
  return program.commands.find(group => group.name() === name) ??
    program.command(name).summary(`${name} …: see litfeed ${name} --help`).exitOverride()
}

function terminal (
  { name, prepares = 'none' }: Command,
  json: boolean,
  { environment, stdout, stderr }: CommandIo,
  fail: () => void
): Terminal {
  const settings = readSettings(environment())
  const log = logTo(stderr)
  const note = (line: string) => stderr.write(`${line}\n`)
  return {
    settings,
    log,
    open: async () => await openService({
      settings,
      log,
      name: `litfeed ${name}`,
      share: true,
      prepares,
      note,
      onFailure: ({ message }) => stderr.write(`litfeed: ${message}\n`)
    }),
    print: (value, text) => stdout.write(`${json ? JSON.stringify(value) : text}\n`),
    note,
    fail,
    progress: stderr.isTTY === true ? progressLines(stderr) : noProgress
  }
}

/** Prints an error without its stack. @param command that was called, if the words named one @returns the exit code */
function reportError (thrown: unknown, stderr: Writable, command: Program | undefined): number {
  if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? done : usageError
  if (thrown instanceof InvalidSettings) {
    stderr.write(`${thrown.message}\n`)
    return usageError
  }
  const error = toPublicError(thrown, { unexpected: cause => new CommandFailed(cause) })
  const { code } = error
  stderr.write(`litfeed: ${messageOf(error, command)}\n`)
  return code === 'invalid_arguments' && !wasRight(thrown) ? usageError : failed
}

/** Whether a command that is refused was written correctly: a file or the settings have to change. */
const wasRight = (thrown: unknown): boolean => thrown instanceof DamagedBackup || thrown instanceof NoMailForAlerts

/** An unexpected failure. Operators see the reason; callers of other adapters do not. */
class CommandFailed extends OperationError {
  readonly code = 'internal_error'
  constructor (thrown: unknown) {
    super(unexpectedText(thrown), { cause: thrown })
  }
}
