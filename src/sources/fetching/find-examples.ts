import type { Static } from 'typebox'
import { findPaperByIdentifier } from '../../../db/queries/identifiers.js'
import type { ProjectIds } from '../../../db/queries/ownership.js'
import { type KeywordsSuggestResult, maxPreviewedExamples } from '../../../schemas/project.js'
import { typedIdentifier } from '../../papers/identifier-in-text.js'
import { allVersions } from '../../papers/pasted-identifier.js'
import { findPaper } from './find-paper.js'
import type { LookupContext } from './lookup.js'

/** Services of a look-up. The caller's key may be limited to some projects. */
interface ExamplesContext extends LookupContext { key?: { projectIds: ProjectIds } | undefined, now: () => Date }

/** The texts by which a paper is scored. */
interface Texts { title: string, abstract: string | null }

/** Example papers that were found, and for each example that was looked up its title or why it was not found. */
export interface ExamplePapers { papers: Texts[], examples: Static<typeof KeywordsSuggestResult>['examples'] }

/** Looks up the first example papers: stored ones, and those that the sources have within the time limit. */
export async function findExamples (context: ExamplesContext, examples: readonly string[], timeoutMs: number): Promise<ExamplePapers> {
  const signal = AbortSignal.timeout(timeoutMs)
  const asked = examples.slice(0, maxPreviewedExamples)
  const lookup = { ...context, signal, isInteractive: true }
  const found = await Promise.all(asked.map(async text => ({ text, paper: await findExample(lookup, text) })))
  return {
    papers: found.flatMap(({ paper }) => 'why' in paper ? [] : [paper]),
    examples: found.map(({ text, paper }) =>
      'why' in paper ? { text, title: null, problem: paper.why } : { text, title: paper.title, problem: null })
  }
}

async function findExample (context: ExamplesContext & { signal: AbortSignal }, text: string): Promise<Texts | { why: string }> {
  const identifier = typedIdentifier(text)
  const known = identifier === undefined
    ? undefined
    : await findPaperByIdentifier(context.db, context.account.id, allVersions(identifier), context.key?.projectIds)
  if (known !== undefined) return known
  try {
    return await findPaper(context, text, identifier)
  } catch (error) {
    if (!context.signal.aborted) throw error
    return { why: 'No source answered in time. The project looks it up in the background.' }
  }
}
