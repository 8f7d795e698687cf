import type { Db } from '../../db/connection.js'
import type { ItemValues } from '../../db/queries/import.js'
import { demoteItems, promoteCandidates } from '../../db/queries/candidates.js'
import { type findScoring } from '../../db/queries/relevance.js'
import { listCandidates, walkMovingPapers } from '../../db/queries/weekly-selection.js'
import { dayMs } from '../../schemas/durations.js'
import { mondayOf } from '../../schemas/utc-time.js'
import { itemOf } from '../papers/feed-item.js'
import { entersFeed } from './interest.js'
import type { LearningRecorder } from './learning-changes.js'
import type { Model } from './model.js'
import type { SignalReader } from './signals.js'
import type { RelevanceWorker } from './worker.js'

/** Papers that one transaction moves: each takes up to a millisecond. */
const batchSize = 50

type Scoring = NonNullable<Awaited<ReturnType<typeof findScoring>>>

interface SelectionContext {
  db: Db
  now: () => Date
  relevance: RelevanceWorker
  signal?: AbortSignal | undefined
}

interface Selection {
  model: Model | null
  signals: SignalReader
  /** Start of the first week to select papers of. */
  since: Date
  /** Whether better papers also displace items that their owner has seen, as after a change of settings. Otherwise these keep places. */
  displacesSeen: boolean
  recorder?: LearningRecorder
}

/** Numbers of papers that entered and left a feed, and the sources of those that entered. */
interface Selected { added: number, dropped: number, sources: string[] }

/**
 * Fills the feed of a project with the best papers of each week, and makes candidates of those that better ones displace. Does nothing
 * without a weekly limit.
 */
export async function selectWeeklyBest (
  context: SelectionContext,
  project: Scoring,
  { since, ...selection }: Selection
): Promise<Selected> {
  const counts: Selected = { added: 0, dropped: 0, sources: [] }
  if (project.weekly_limit === 0) return counts
  for (let monday = mondayOf(since); monday <= context.now(); monday = new Date(monday.getTime() + 7 * dayMs)) {
    const { added, dropped, sources } = await selectBestOfWeek(context, project, { ...selection, monday })
    counts.added += added
    counts.dropped += dropped
    counts.sources.push(...sources)
  }
  return counts
}

async function selectBestOfWeek (
  context: SelectionContext,
  project: Scoring,
  { displacesSeen, monday, ...selection }: Omit<Selection, 'since'> & { monday: Date }
): Promise<Selected> {
  const { db, now, signal } = context
  const counts: Selected = { added: 0, dropped: 0, sources: [] }
  const { id, account_id, weekly_limit: limit, feed_threshold: minScore } = project
  const keepsSeen = !displacesSeen
  for await (const moving of walkMovingPapers(db, account_id, id, { limit, minScore, monday, keepsSeen })) {
    for (let from = 0; from < moving.length; from += batchSize) {
      const batch = moving.slice(from, from + batchSize)
      const leaving = batch.filter(({ item_id }) => item_id !== null)
      if (leaving.length > 0) {
        counts.dropped += await demoteItems(db, account_id, id, leaving.map(({ item_id }) => item_id!), now(), { keepsSeen })
        for (const paper of leaving) selection.recorder?.left(paper)
      }
      const entering = batch.filter(({ item_id }) => item_id === null)
      if (entering.length > 0) {
        const { added, sources } = await enter(context, project, entering.map(({ paper_id }) => paper_id), selection)
        counts.added += added
        counts.sources.push(...sources)
      }
      signal?.throwIfAborted()
    }
  }
  return counts
}

/** Promotes those of a batch of candidates that still match. */
async function enter (
  { db, now, relevance, signal }: SelectionContext,
  project: Scoring,
  paperIds: readonly string[],
  { model, signals, recorder }: Pick<Selection, 'model' | 'signals' | 'recorder'>
): Promise<Omit<Selected, 'dropped'>> {
  const { id, account_id } = project
  const candidates = await listCandidates(db, account_id, id, paperIds)
  const scores = await relevance.score(project, model, await signals.ofPapers(candidates), { owner: account_id, signal })
  const thisWeek = mondayOf(now())
  const items: ItemValues[] = []
  const sources: string[] = []
  for (const [at, { paper_id, title, abstract, found_at, source_name }] of candidates.entries()) {
    const score = scores[at]!
    if (!entersFeed(score, project)) continue
    // A paper of a former week takes its place there, or it would compete with those of this week.
    const readyAt = found_at < thisWeek ? found_at : now()
    const item = itemOf({ id: paper_id, record: { abstract } }, { projectId: id, relevance: score, readyAt, origin: 'fetch' })
    items.push({ ...item, entered_at: found_at < thisWeek ? now() : null })
    sources.push(source_name)
    recorder?.entered({ paper_id, title }, score.relevance_score)
  }
  return { added: items.length > 0 ? await promoteCandidates(db, account_id, id, items) : 0, sources }
}
