import { findItem } from '../../../db/queries/feed.js'
import { listFollows } from '../../../db/queries/follows.js'
import { findProject } from '../../../db/queries/projects.js'
import { type FollowTarget, visibleName } from '../../../schemas/follow.js'
import type { Author, Paper } from '../../../schemas/paper.js'
import { PaperTuningInput, PaperTuningResult } from '../../../schemas/tuning.js'
import { requireRecord } from '../../errors/deleted-records.js'
import { followIds, institutionsIn, sameFollowFinder } from '../../papers/follows.js'
import { feedItemOf } from '../../papers/records.js'
import { resolveItemId } from '../../papers/references.js'
import { type FollowQuery, followQueries } from '../../sources/projects/follow-queries.js'
import { findSource } from '../../sources/index.js'
import { contentWords, topicsOf } from '../../sources/requests/topics.js'
import { operation } from '../operation.js'

const maxInstitutions = 4
const maxWords = 24
const minWordLength = 4
const maxWordLength = 100

/** @throws PaperNotFound, AmbiguousShortId, AmbiguousReference */
export const paperTuning = operation({
  name: 'paper_tuning',
  title: 'Choices for tuning a project by a paper',
  description: 'Returns words of a paper that a project could include or exclude, and its authors, journal and institutions to follow.',
  input: PaperTuningInput,
  output: PaperTuningResult,
  scope: 'read',
  async handler (context, { ref }) {
    const { db, account } = context
    const { id, project_id, paper } = feedItemOf(requireRecord(await findItem(db, account.id, await resolveItemId(context, ref))))
    const project = requireRecord(await findProject(db, account.id, project_id))
    const known = new Set([...project.positive_keywords, ...project.negative_keywords].map(word => word.toLowerCase()))
    const isNew = ({ name, query }: FollowQuery) => !project.sources.some(source => source.name === name && source.query === query)
    const choicesOf = (queries: FollowQuery[]) => queries.filter(isNew).map(titled)
    const findSame = sameFollowFinder(await listFollows(db, account.id, project_id))
    const [first, second, third, ...others] = paper.authors
    const authors = [first, second, third, others.at(-1)].filter(author => author !== undefined)
    const choiceOf = (target: FollowTarget) => ({
      ...target,
      matched_by: target.ids.length > 0 ? 'id' as const : 'name' as const,
      followed: findSame(target) !== undefined,
      queries: choicesOf(followQueries(target))
    })
    const journal = journalOf(paper)
    return {
      item_id: id,
      project_id,
      words: wordsOf(paper).filter(word => !known.has(word.toLowerCase())).slice(0, maxWords),
      authors: authors.map(personOf).map(choiceOf).filter(({ queries, followed }) => queries.length > 0 || !followed),
      journal: journal === null ? null : choiceOf(journal),
      institutions: institutionsOf(authors, paper.metadata.institutions).map(choiceOf)
    }
  }
})

const personOf = ({ name, orcid, openalex }: Author): FollowTarget =>
  ({ kind: 'author', name: name.slice(0, 200), ids: [orcid, openalex].filter(id => id !== undefined) })

/** Ids that the record states, of which none decides alone: journals have several ISSNs. */
function journalOf ({ venue_name: name, metadata: { issn_l, issn, issns, openalex_source } }: Paper): FollowTarget | null {
  if (name === null) return null
  const stated = [issn_l, issn, ...(Array.isArray(issns) ? issns.slice(0, 5) : []), openalex_source]
  const ids = stated.flatMap(id => typeof id === 'string' ? followIds('journal', [id]) ?? [] : [])
  return { kind: 'journal', name: name.slice(0, 200), ids: [...new Set(ids)] }
}

/** @param stated ids and names of institutions, as the record states them */
function institutionsOf (authors: readonly Author[], stated: unknown): FollowTarget[] {
  const texts: unknown[] = Array.isArray(stated) ? stated : []
  const nameOf = (ids: readonly string[]) =>
    texts.filter(text => typeof text === 'string').find(text => ids.some(id => text.startsWith(`${id} `)))?.replace(/^\S+/, '')
  const found = new Map<string, { author: string, ids: string[] }>()
  for (const { name, affiliations = [] } of authors) {
    for (const ids of institutionsIn(affiliations)) if (!found.has(ids[0]!)) found.set(ids[0]!, { author: name, ids })
  }
  return [...found].slice(0, maxInstitutions).map(([id, { author, ids }]) => {
    const unnamed = `Institution of ${author.slice(0, 150)} (${registryOf(id)} ${id})`
    return { kind: 'institution', name: visibleName(nameOf(ids) ?? '').slice(0, 200) || unnamed, ids }
  })
}

const registryOf = (institution: string) => institution.startsWith('I') ? 'OpenAlex' : 'ROR'

const titled = ({ name, query }: FollowQuery) => ({ name, title: findSource(name)?.title ?? name, query })

/** Keywords of the record, then phrases of the title and their words. */
function wordsOf ({ title, metadata }: { title: string, metadata: Record<string, unknown> }): string[] {
  const keywords = Array.isArray(metadata.keywords) ? metadata.keywords.filter(word => typeof word === 'string') : []
  const phrases = topicsOf({ positive_keywords: [], interest_description: title })
  const words = contentWords(title).filter(word => word.length >= minWordLength)
  const unique = new Map([...phrases, ...words, ...keywords].map(word => [word.toLowerCase(), word.trim()]))
  return [...unique.values()].filter(word => word !== '' && word.length <= maxWordLength)
}
