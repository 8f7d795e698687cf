import { KeywordsSuggestInput, KeywordsSuggestResult } from '../../../schemas/project.js'
import { topicsOf } from '../../sources/topics.js'
import type { ServiceContext } from '../context.js'
import { operation } from '../operation.js'

export const keywordsSuggest = operation({
  name: 'keywords_suggest',
  title: 'Suggest keywords',
  description: 'Takes the phrases out of the description of an interest that sources can be asked for.',
  input: KeywordsSuggestInput,
  output: KeywordsSuggestResult,
  async handler (_context: ServiceContext, { interest_description }) {
    return { keywords: topicsOf({ positive_keywords: [], interest_description }) }
  }
})
