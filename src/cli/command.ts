import type { Command as Program } from 'commander'
import type { Preparation } from '../composition/database-preparation.js'
import type { Log } from '../observability/log.js'
import type { AnyOperation } from '../operations/operation.js'
import type { Service } from '../service.js'
import type { Settings } from '../settings/settings.js'
import type { ProgressLines } from './progress.js'

/** For commander: collects the values of a repeatable option. */
export const collect = (value: string, earlier: string[] = []): string[] => [...earlier, value]

/** The environment of a command. */
export interface Terminal {
  settings: Settings
  /** Warnings and errors on standard error. */
  log: Log
  /** Opens the database; if a service has the embedded one open, through that service. */
  open: () => Promise<Service>
  /** Prints the result: `text`, or with --json the value. */
  print: (value: object, text: string) => void
  /** Prints a line on standard error, outside of the result. */
  note: (line: string) => void
  /** Makes the exit code 1 for a command that ran to its end: its result says what failed. */
  fail: () => void
  /** Shown only where standard error is a terminal. */
  progress: ProgressLines
}

/** A command of `litfeed`. To add one, add a file here and a row in commands.ts. */
export interface Command {
  /** Name as typed: "user create". */
  name: string
  summary: string
  /** Operations that the command calls. Only they validate its options. */
  operations: readonly AnyOperation[]
  /** Which databases it prepares as it opens them. Default: none, so that mistaken settings do not create one. */
  prepares?: Preparation
  /** Declares arguments and options. */
  declare?: (program: Program) => unknown
  /** Prints its result. Errors become a message and an exit code in program.ts. */
  run: (terminal: Terminal, options: Record<string, any>, operands: string[]) => Promise<void>
}
