import type { Prompt } from './prompt.js'
import { explainPaper } from './prompts/explain-paper.js'
import { feedTitleFilter } from './prompts/feed-title-filter.js'
import { findPapers } from './prompts/find-papers.js'
import { savedPapers } from './prompts/saved-papers.js'
import { triage } from './prompts/triage.js'
import { weeklyBrief } from './prompts/weekly-brief.js'

/** Every prompt, in the order of prompts/list. */
export const prompts: readonly Prompt[] = [feedTitleFilter, weeklyBrief, triage, explainPaper, findPapers, savedPapers]

/** The prompt of a name; undefined if there is none. */
export const findPrompt = (name: unknown): Prompt | undefined => prompts.find(prompt => prompt.name === name)
