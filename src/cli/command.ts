import type { Command as Program } from 'commander'
import type { AnyOperation } from '../operations/operation.js'
import type { Service } from '../service.js'
import type { Settings } from '../settings/settings.js'

/** What a command works with. */
export interface Terminal {
  settings: Settings
  /** Opens the database for this command; beside a running service, through it. */
  open: () => Promise<Service>
  /** The result: text for people, or the value for programs that asked for --json. */
  print: (value: object, text: string) => void
  /** A line for people on standard error, which leaves the result alone. */
  tell: (line: string) => void
  /** Whether a person watches. */
  interactive: boolean
}

/** A command of `litfeed`. Adding one is a file here and a row in commands.ts. */
export interface Command {
  /** As it is typed: "user create". */
  name: string
  summary: string
  /** What the command has done. Only they validate its options. */
  operations: readonly AnyOperation[]
  /** Declares arguments and options. */
  declare?: (program: Program) => unknown
  /** @returns the exit code where it is not 0 */
  run: (terminal: Terminal, options: Record<string, any>, operands: string[]) => Promise<number | undefined>
}
