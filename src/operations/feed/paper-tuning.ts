import { findItem } from '../../../db/queries/feed.js'
import { findProject } from '../../../db/queries/projects.js'
import { PaperTuningInput, PaperTuningResult } from '../../../schemas/tuning.js'
import { requireRecord } from '../../errors/deleted-records.js'
import { feedItemOf } from '../../papers/records.js'
import { itemIdOf } from '../../papers/references.js'
import { authorQueries, type FollowQuery, journalQueries } from '../../sources/follow-queries.js'
import { findSource } from '../../sources/index.js'
import { contentWords, topicsOf } from '../../sources/topics.js'
import { operation } from '../operation.js'

const maxWords = 24
const minWordLength = 4
const maxWordLength = 100

/** @throws PaperNotFound, AmbiguousShortId, AmbiguousReference */
export const paperTuning = operation({
  name: 'paper_tuning',
  title: 'Choices for tuning a project by a paper',
  description: 'Returns words of a paper that a project could include or exclude, and queries that follow its authors and its journal.',
  input: PaperTuningInput,
  output: PaperTuningResult,
  scope: 'read',
  async handler (context, { ref }) {
    const { db, account } = context
    const { id, project_id, paper } = feedItemOf(requireRecord(await findItem(db, account.id, await itemIdOf(context, ref))))
    const project = requireRecord(await findProject(db, account.id, project_id))
    const known = new Set([...project.positive_keywords, ...project.negative_keywords].map(word => word.toLowerCase()))
    const isNew = ({ name, query }: FollowQuery) => !project.sources.some(source => source.name === name && source.query === query)
    const choicesOf = (queries: FollowQuery[]) => queries.filter(isNew).map(titled)
    const [first, second, third, ...others] = paper.authors
    const authors = [first, second, third, others.at(-1)].filter(author => author !== undefined)
    return {
      item_id: id,
      project_id,
      words: wordsOf(paper).filter(word => !known.has(word.toLowerCase())).slice(0, maxWords),
      authors: authors.map(({ name }) => ({ name, queries: choicesOf(authorQueries(name)) })).filter(({ queries }) => queries.length > 0),
      journal: paper.venue_name === null ? null : { name: paper.venue_name, queries: choicesOf(journalQueries(paper.venue_name)) }
    }
  }
})

const titled = ({ name, query }: FollowQuery) => ({ name, title: findSource(name)?.title ?? name, query })

/** Keywords of the record, then phrases of the title and their words. */
function wordsOf ({ title, metadata }: { title: string, metadata: Record<string, unknown> }): string[] {
  const keywords = Array.isArray(metadata.keywords) ? metadata.keywords.filter(word => typeof word === 'string') : []
  const phrases = topicsOf({ positive_keywords: [], interest_description: title })
  const words = contentWords(title).filter(word => word.length >= minWordLength)
  const unique = new Map([...phrases, ...words, ...keywords].map(word => [word.toLowerCase(), word.trim()]))
  return [...unique.values()].filter(word => word !== '' && word.length <= maxWordLength)
}
