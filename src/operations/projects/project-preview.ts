import type { Static } from 'typebox'
import type { Db } from '../../../db/connection.js'
import { walkCandidates } from '../../../db/queries/candidates.js'
import { listKeptItems, walkFetchedItems } from '../../../db/queries/fetched-items.js'
import { findProject } from '../../../db/queries/projects.js'
import type { Relevance } from '../../../schemas/relevance.js'
import { ProjectPreviewInput, ProjectPreviewResult, rescoringDays } from '../../../schemas/project.js'
import { ProjectNotFound } from '../../errors/operation-errors.js'
import { entersFeed, rescoringStart } from '../../relevance/interest.js'
import { learnedModel } from '../../relevance/learned-model.js'
import { signalReader } from '../../relevance/signals.js'
import { learnChangedInterest } from '../../relevance/trial-lessons.js'
import { visibleSettings } from '../../relevance/visible-settings.js'
import { bestOfWeeks, firstWeek, type Ranked } from '../../relevance/weekly-best.js'
import type { Context } from '../context.js'
import { operation } from '../operation.js'

/** Items of the feed that are compared, and as many candidates. Bounded, because a person waits. */
const maxComparedItems = 5000
/** Few, since a text may be long. It divides `maxComparedItems`. */
const batchSize = 100
const maxListedItems = 50

/** A paper with its score after the change, without its text: there may be thousands. */
interface Compared extends Ranked {
  paper_id: string
  title: string
  /** Current score; null for a candidate. */
  now: number | null
  relevance_class: Relevance['relevance_class']
  /** Whether it would be in the feed without a weekly limit. */
  matches: boolean
}

type PaperToCompare = Pick<Compared, 'paper_id' | 'title' | 'at' | 'now'> & { abstract: string | null }

/** @throws ProjectNotFound, RateLimited */
export const projectPreview = operation({
  name: 'project_preview',
  title: 'Preview a change of a project',
  description: [
    `Returns which papers of the last ${rescoringDays} days a change of interest, keywords or thresholds would add to a feed and drop ` +
    'from it. Nothing is saved.',
    'Imported and rated papers stay; not_compared counts them. paper_get, paper_markdown and paper_cite take each paper_id.',
    'Omitted settings stay unchanged. Without settings, previews pending changes.',
    'Use it before project_update, with the same settings.',
    'Example: {"project_id": "0b54c2ab-…", "feed_threshold": 0.3}'
  ].join(' '),
  input: ProjectPreviewInput,
  output: ProjectPreviewResult,
  scope: 'act',
  async handler (context, { project_id, ...change }) {
    const project = await findProject(context.db, context.account.id, project_id)
    if (project === undefined) throw new ProjectNotFound(project_id)
    const changed = { ...project, ...visibleSettings(change) }
    return await context.sharedWork.changePreviews(context.account.id, async () => await preview(context, project, changed))
  }
})

type PreviewedProject = NonNullable<Awaited<ReturnType<typeof findProject>>>

async function preview (
  context: Context,
  project: PreviewedProject,
  changed: PreviewedProject
): Promise<Static<typeof ProjectPreviewResult>> {
  const { db, account, now, relevance } = context
  const { id: projectId } = project
  const since = rescoringStart(now())
  const signals = await signalReader(db, account.id, projectId)
  // Scored as after saving: a model of the present interest would rate the same paper otherwise.
  const model = await learnChangedInterest(context, { project, changed, model: await learnedModel(db, account.id, projectId), signals })
  const compare = async (papers: readonly PaperToCompare[]): Promise<Compared[]> => {
    const scores = await relevance.score(changed, model, await signals.ofPapers(papers), { owner: account.id })
    return papers.map(({ paper_id, title, at, now }, index) => {
      const { relevance_score: score, relevance_class } = scores[index]!
      const matches = entersFeed(scores[index]!, changed)
      return { paper_id, title, at, now, score, relevance_class, matches, isInFeed: now !== null, isKept: false }
    })
  }

  const feedItems: Compared[] = []
  let mustReadNow = 0
  for await (const items of walkFetchedItems(db, account.id, projectId, since, batchSize)) {
    feedItems.push(...await compare(items.map(item => ({ ...item, at: item.ready_at, now: item.relevance_score }))))
    mustReadNow += items.filter(({ relevance_class }) => relevance_class === 'must_read').length
    if (feedItems.length >= maxComparedItems) break
  }
  const allCandidates: Compared[] = []
  for await (const candidates of walkCandidates(db, account.id, projectId, since, batchSize)) {
    allCandidates.push(...await compare(candidates.map(candidate => ({ ...candidate, at: candidate.found_at, now: null }))))
    if (allCandidates.length >= maxComparedItems) break
  }

  const compared = [...feedItems, ...allCandidates]
  const matching = compared.filter(({ matches }) => matches)
  const remaining = changed.weekly_limit === 0
    ? new Set(matching)
    : withinLimit(matching, { limit: changed.weekly_limit, since: firstWeek(now()), kept: await kept(db, account.id, projectId, now()) })
  const listed = ({ paper_id, title, score, now }: Compared) => ({ paper_id, title, relevance_score: score, now })
  const dropped = compared.filter(paper => paper.isInFeed && !remaining.has(paper)).map(listed)
  const added = compared.filter(paper => !paper.isInFeed && remaining.has(paper)).map(listed)
  return {
    since: since.toISOString(),
    compared: compared.length,
    not_compared: Math.max(project.papers - feedItems.length, 0),
    complete: feedItems.length < maxComparedItems && allCandidates.length < maxComparedItems,
    counts: {
      added: added.length,
      dropped: dropped.length,
      must_read: [...remaining].filter(({ relevance_class }) => relevance_class === 'must_read').length,
      must_read_now: mustReadNow
    },
    added: added.sort((a, b) => b.relevance_score - a.relevance_score).slice(0, maxListedItems),
    dropped: dropped.sort((a, b) => b.now! - a.now!).slice(0, maxListedItems)
  }
}

/** Items that stay with any settings and count towards their week's limit. */
async function kept (db: Db, accountId: string, projectId: string, now: Date): Promise<Ranked[]> {
  const items = await listKeptItems(db, accountId, projectId, firstWeek(now), maxComparedItems)
  return items.map(({ ready_at, relevance_score }) => ({ at: ready_at, score: relevance_score, isInFeed: true, isKept: true }))
}

/** The papers that a weekly limit admits. The first, incomplete week of the window stays unchanged. */
function withinLimit (
  papers: readonly Compared[],
  { limit, since, kept }: { limit: number, since: Date, kept: readonly Ranked[] }
): Set<Compared> {
  const best = bestOfWeeks<Ranked>([...papers.filter(({ at }) => at >= since), ...kept], limit)
  return new Set(papers.filter(paper => paper.at < since ? paper.isInFeed : best.has(paper)))
}
