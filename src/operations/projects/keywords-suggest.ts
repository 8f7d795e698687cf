import { findPaperByIdentifier } from '../../../db/queries/identifiers.js'
import { sampleTexts } from '../../../db/queries/texts.js'
import { KeywordsSuggestInput, KeywordsSuggestResult, maxPreviewedExamples } from '../../../schemas/project.js'
import { typedIdentifier } from '../../papers/identifier-in-text.js'
import { allVersions } from '../../papers/pasted-identifier.js'
import type { ScoredText } from '../../relevance/interest.js'
import { topicsOf } from '../../sources/requests/topics.js'
import type { Context } from '../context.js'
import { operation } from '../operation.js'
import { findPaper } from '../../sources/fetching/find-paper.js'

/** Short, because a person waits. */
const timeoutMs = 8000
/** Papers of the account's feeds that rare terms are told by. */
const backgroundSize = 500

/** @throws RateLimited */
export const keywordsSuggest = operation({
  name: 'keywords_suggest',
  title: 'Suggest keywords',
  description: 'Returns phrases of an interest description that are suitable as keywords, and words and phrases of example papers, which ' +
    `it looks up for at most ${timeoutMs / 1000} seconds. Nothing is saved.`,
  input: KeywordsSuggestInput,
  output: KeywordsSuggestResult,
  scope: 'act',
  async handler (context, { interest_description = '', examples = [] }) {
    const keywords = topicsOf({ positive_keywords: [], interest_description })
    if (examples.length === 0) return { keywords, terms: [], examples: [] }
    return await context.sharedWork.suggestions(context.account.id, async () => {
      const signal = AbortSignal.timeout(timeoutMs)
      const asked = examples.slice(0, maxPreviewedExamples)
      const found = await Promise.all(asked.map(async text => ({ text, paper: await findExample({ ...context, signal }, text) })))
      const papers = found.flatMap(({ paper }) => 'why' in paper ? [] : [paper])
      const background = papers.length === 0 ? [] : await sampleTexts(context.db, context.account.id, backgroundSize)
      const terms = papers.length === 0 ? [] : await context.relevance.suggest(papers, background, { owner: context.account.id })
      return {
        keywords,
        terms: terms.map(({ term, papers, titles }) => ({ term, papers: papers.length, titles })),
        examples: found.map(({ text, paper }) =>
          'why' in paper ? { text, title: null, problem: paper.why } : { text, title: paper.title, problem: null })
      }
    })
  }
})

/** A stored paper, or what the sources have within the time limit. */
async function findExample (context: Context & { signal: AbortSignal }, text: string): Promise<ScoredText | { why: string }> {
  const identifier = typedIdentifier(text)
  const known = identifier === undefined
    ? undefined
    : await findPaperByIdentifier(context.db, context.account.id, allVersions(identifier), context.key?.projectIds)
  if (known !== undefined) return known
  try {
    return await findPaper(context, text, identifier)
  } catch (error) {
    if (!context.signal.aborted) throw error
    return { why: `No source answered within ${timeoutMs / 1000} seconds. The project looks it up in the background.` }
  }
}
