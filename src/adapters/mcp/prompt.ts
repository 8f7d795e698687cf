import type { Context } from '../../operations/context.js'

export interface PromptArgument {
  name: string
  title: string
  description: string
  required: boolean
  /** What a caller may put here, for completion: the caller's own data or the allowed words. */
  complete: (context: Context, begun: string) => Promise<string[]>
}

/** A prompt that clients show to people. Adding one is a file in prompts/ and a row in prompts.ts. */
export interface Prompt {
  name: string
  title: string
  description: string
  arguments: readonly PromptArgument[]
  /** The text of the one user message. @throws InvalidArguments for an argument that cannot be used */
  write: (values: Readonly<Record<string, string>>) => string
}
