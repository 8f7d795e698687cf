import { deleteModel, demoteItems, findScoring, listVotes, markScored, promoteCandidates, replaceScores, sampleUnrated, saveModel, walkCandidates, walkItems } from '../../../db/queries/relevance.js'
import { compactTally } from '../../../db/queries/tally.js'
import type { ItemValues } from '../../../db/queries/import.js'
import { Type } from 'typebox'
import { ProjectInput } from '../../../schemas/project.js'
import type { Relevance } from '../../../schemas/relevance.js'
import { ProjectNotFound } from '../../errors/operation-errors.js'
import { entersFeed, rescoringStart } from '../../relevance/interest.js'
import type { Model } from '../../relevance/model.js'
import { prefetch } from '../../relevance/prefetch.js'
import { itemOf } from '../../papers/feed-item.js'
import type { ServiceContext } from '../context.js'
import { operation } from '../operation.js'
import { enqueueSummaries } from '../../jobs/new-jobs.js'

const itemsAtOnce = 1000
/** Votes that are learned from: older ones say less of what is wanted now. */
const mostVotes = 5000
const backgroundSize = 2000
/** Texts that word frequencies are counted over. */
const corpusSize = 20_000
/** Smaller changes of a score are not written: every write costs, and nobody sees them. */
const smallestChange = 0.004

export interface ScoreContext extends ServiceContext { signal?: AbortSignal }

const ScoreResult = Type.Object({
  scored: Type.Integer({ description: 'Items that were looked at.' }),
  changed: Type.Integer({ description: 'Items whose score changed.' }),
  added: Type.Integer({ description: 'Fetched papers that entered the feed by it.' }),
  dropped: Type.Integer({ description: 'Fetched papers of the last 30 days that left it, because settings changed.' }),
  votes: Type.Integer({ description: 'Votes that were learned from.' })
})

/**
 * Learns from a feed's votes and scores all of it anew, and brings in the fetched papers of the last 30 days that match by now. Where
 * the project's settings have changed, unrated fetched papers of those days that match no more leave; learning alone drops nothing. It holds some thousand texts at a time, however long the feed is. @throws ProjectNotFound
 */
export const projectScore = operation({
  name: 'project_score',
  title: 'Score a feed anew',
  description: 'Learns from the votes of a project and scores its feed.',
  input: ProjectInput,
  output: ScoreResult,
  async handler (context: ScoreContext, { project_id }) {
    const { db, now, relevance, signal } = context
    const started = now()
    const project = await findScoring(db, project_id)
    if (project === undefined) throw new ProjectNotFound(project_id)
    const judged = await listVotes(db, project_id, mostVotes)
    const model = judged.length === 0 ? null : await relevance.train({ interest: project, texts: texts(context, project_id), judged, background: await sampleUnrated(db, project_id, backgroundSize) })
    if (model === null) await deleteModel(db, project_id)
    else await saveModel(db, project_id, model, now())
    signal?.throwIfAborted()

    const settingsChanged = project.scored_at !== null && project.settings_changed_at !== null && project.settings_changed_at > project.scored_at
    const since = rescoringStart(started)
    const result = { scored: 0, changed: 0, added: 0, dropped: 0, votes: judged.length }
    let writing: Promise<unknown> = Promise.resolve()
    for await (const items of prefetch(walkItems(db, project_id, itemsAtOnce))) {
      const scores = await relevance.score(project, model, items)
      const changed = items.map(({ id }, at) => ({ id, ...scores[at]! })).filter((score, at) => differs(items[at]!, score))
      // Reading, scoring and writing go on side by side, a piece each.
      await writing
      writing = replaceScores(db, changed)
      writing.catch(() => {})
      result.scored += items.length
      result.changed += changed.length
      const leaving = settingsChanged ? items.filter((item, at) => item.origin === 'fetch' && item.vote === null && item.ready_at >= since && !entersFeed(scores[at]!, project)) : []
      if (leaving.length > 0) {
        await writing
        result.dropped += await demoteItems(db, project_id, leaving.map(({ id }) => id))
      }
      signal?.throwIfAborted()
    }
    await writing
    result.added = await scoreCandidates(context, project, model)
    await enqueueSummaries(context, project, result.added)
    await compactTally(db, project_id)
    await markScored(db, project, started)
    return result
  }
})

type Scoring = NonNullable<Awaited<ReturnType<typeof findScoring>>>

async function scoreCandidates ({ db, now, relevance, signal }: ScoreContext, project: Scoring, model: Model | null): Promise<number> {
  let added = 0
  for await (const candidates of walkCandidates(db, project.id, rescoringStart(now()), itemsAtOnce)) {
    const scores = await relevance.score(project, model, candidates)
    const entering: ItemValues[] = []
    for (const [at, { paper_id, arxiv_id, pmid, pmcid, openalex_id, ...paper }] of candidates.entries()) {
      const score = scores[at]!
      if (!entersFeed(score, project)) continue
      const record = { ...paper, external_ids: { arxiv: arxiv_id, pmid, pmcid, openalex: openalex_id } }
      entering.push(itemOf({ id: paper_id, record }, { projectId: project.id, relevance: score, readyAt: now(), origin: 'fetch' }))
    }
    if (entering.length > 0) added += await promoteCandidates(db, project.id, entering)
    signal?.throwIfAborted()
  }
  return added
}

interface Shown { relevance_score: number, relevance_class: string, personalized_note: string | null }

const differs = (item: Shown, score: Relevance) =>
  Math.abs(item.relevance_score - score.relevance_score) >= smallestChange || item.relevance_class !== score.relevance_class || item.personalized_note !== score.personalized_note

async function * texts ({ db }: ScoreContext, projectId: string) {
  let given = 0
  for await (const items of walkItems(db, projectId, itemsAtOnce)) {
    yield items.map(({ title, abstract }) => ({ title, abstract }))
    given += items.length
    if (given >= corpusSize) return
  }
}
