import type { Db } from '../../db/connection.js'
import type { ItemValues } from '../../db/queries/import.js'
import { demoteItems, promoteCandidates } from '../../db/queries/candidates.js'
import { type findScoring } from '../../db/queries/relevance.js'
import { listCandidates, listMovingPapers } from '../../db/queries/weekly-selection.js'
import { dayMs } from '../../schemas/durations.js'
import { mondayOf } from '../../schemas/utc-time.js'
import { itemOf } from '../papers/feed-item.js'
import { entersFeed } from './interest.js'
import type { LearningRecorder } from './learning-changes.js'
import type { Model } from './model.js'
import type { SignalReader } from './signals.js'
import type { RelevanceWorker } from './worker.js'

const batchSize = 100

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
  // A statement for each: the database serves others in between.
  for (let monday = mondayOf(since); monday <= context.now(); monday = new Date(monday.getTime() + 7 * dayMs)) {
    const { added, dropped, sources } = await selectBestOfWeek(context, project, { ...selection, monday })
    counts.added += added
    counts.dropped += dropped
    counts.sources.push(...sources)
  }
  return counts
}

async function selectBestOfWeek (
  { db, now, relevance, signal }: SelectionContext,
  project: Scoring,
  { model, signals, monday, displacesSeen, recorder }: Omit<Selection, 'since'> & { monday: Date }
): Promise<Selected> {
  const counts: Selected = { added: 0, dropped: 0, sources: [] }
  const { id, account_id, weekly_limit: limit, feed_threshold: minScore } = project
  const moving = await listMovingPapers(db, account_id, id, { limit, minScore, monday, keepsSeen: !displacesSeen })
  const leaving = moving.filter(({ item_id }) => item_id !== null)
  const entering = moving.filter(({ item_id }) => item_id === null)

  for (let from = 0; from < leaving.length; from += batchSize) {
    const batch = leaving.slice(from, from + batchSize)
    counts.dropped += await demoteItems(db, account_id, id, batch.map(({ item_id }) => item_id!), now())
    for (const paper of batch) recorder?.left(paper)
    signal?.throwIfAborted()
  }
  const thisWeek = mondayOf(now())
  for (let from = 0; from < entering.length; from += batchSize) {
    const candidates = await listCandidates(db, account_id, id, entering.slice(from, from + batchSize).map(({ paper_id }) => paper_id))
    const scores = await relevance.score(project, model, await signals.ofPapers(candidates), { owner: account_id, signal })
    const items: ItemValues[] = []
    for (const [at, { paper_id, title, abstract, found_at, source_name }] of candidates.entries()) {
      const score = scores[at]!
      if (!entersFeed(score, project)) continue
      // A paper of a former week takes its place there, or it would compete with those of this week.
      const readyAt = found_at < thisWeek ? found_at : now()
      const item = itemOf({ id: paper_id, record: { abstract } }, { projectId: id, relevance: score, readyAt, origin: 'fetch' })
      items.push({ ...item, entered_at: found_at < thisWeek ? now() : null })
      counts.sources.push(source_name)
      recorder?.entered({ paper_id, title }, score.relevance_score)
    }
    if (items.length > 0) counts.added += await promoteCandidates(db, account_id, id, items)
    signal?.throwIfAborted()
  }
  return counts
}
