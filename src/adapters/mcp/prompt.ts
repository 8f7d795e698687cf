import type { Context } from '../../operations/context.js'

/** Maximum length of an argument without one of its own, also of one to complete. A search has fewer, and so has a project's name. */
export const maxArgumentLength = 300

/** An argument of a prompt: a text, as MCP has it. */
export interface PromptArgument {
  name: string
  title: string
  description: string
  required: boolean
  /** Default: `maxArgumentLength`. */
  maxLength?: number
  /**
   * Suggests values that start with the prefix: the caller's own data or the allowed words.
   * @param chosen the arguments that were filled in before
   */
  complete: (context: Context, prefix: string, chosen: Readonly<Record<string, string>>) => Promise<string[]>
}

/** A prompt that clients show to people. */
export interface Prompt {
  name: string
  title: string
  description: string
  arguments: readonly PromptArgument[]
  /** Returns the text of the user message. @throws InvalidArguments for an invalid argument, ProjectNotFound, PaperNotFound */
  write: (context: Context, values: Readonly<Record<string, string>>) => Promise<string>
}
