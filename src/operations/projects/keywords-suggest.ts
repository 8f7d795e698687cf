import { sampleTexts } from '../../../db/queries/texts.js'
import { KeywordsSuggestInput, KeywordsSuggestResult } from '../../../schemas/project.js'
import { findExamples } from '../../sources/fetching/find-examples.js'
import { topicsOf } from '../../sources/requests/topics.js'
import { createYielder } from '../../threads/yielder.js'
import { operation } from '../operation.js'

/** Short, because a person waits. */
const timeoutMs = 8000
/** Papers of the account's feeds in which terms are counted, to know the rare ones. */
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
    return await context.sharedWork.suggestions(context.account.id, async () => {
      // Calls that waited for each other start in one turn of the event loop.
      await createYielder()()
      const keywords = [...topicsOf({ positive_keywords: [], interest_description })]
      if (examples.length === 0) return { keywords, terms: [], examples: [] }
      const { papers, examples: found } = await findExamples(context, examples, timeoutMs)
      const background = papers.length === 0
        ? []
        : await sampleTexts(context.db, context.account.id, backgroundSize, context.key?.projectIds)
      const terms = papers.length === 0 ? [] : await context.relevance.suggest(papers, background, { owner: context.account.id })
      return {
        keywords,
        terms: terms.map(({ term, papers, titles }) => ({ term, papers: papers.length, titles })),
        examples: found
      }
    })
  }
})
