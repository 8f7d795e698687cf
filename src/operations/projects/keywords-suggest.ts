import { KeywordsSuggestInput, KeywordsSuggestResult } from '../../../schemas/project.js'
import { topicsOf } from '../../sources/topics.js'
import type { ServiceContext } from '../context.js'
import { operation } from '../operation.js'

export const keywordsSuggest = operation({
  name: 'keywords_suggest',
  title: 'Suggest keywords',
  description: 'Returns phrases of an interest description that are suitable as keywords.',
  input: KeywordsSuggestInput,
  output: KeywordsSuggestResult,
  scope: 'act',
  async handler (_context: ServiceContext, { interest_description }) {
    return { keywords: topicsOf({ positive_keywords: [], interest_description }) }
  }
})
