import type { Prompt } from './prompt.js'
import { feedTitleFilter } from './prompts/feed-title-filter.js'

/** Every prompt, in the order that prompts/list shows. */
export const prompts: readonly Prompt[] = [feedTitleFilter]

export const findPrompt = (name: unknown): Prompt | undefined => prompts.find(prompt => prompt.name === name)
