import { findProject } from '../../../db/queries/projects.js'
import { listFetchedItems, walkCandidates } from '../../../db/queries/relevance.js'
import { ProjectPreviewInput, ProjectPreviewResult } from '../../../schemas/project.js'
import { ProjectNotFound } from '../../errors/operation-errors.js'
import { entersFeed, rescoringStart } from '../../relevance/interest.js'
import { learnedModel } from '../../relevance/learned-model.js'
import { operation } from '../operation.js'

/** Of the feed and of the candidates each. Bounded, because a person waits. */
const maxComparedItems = 5000
const maxListedItems = 50

/** @throws ProjectNotFound */
export const projectPreview = operation({
  name: 'project_preview',
  title: 'Preview a change of a project',
  description: [
    'Returns which papers of the last 30 days a change of interest, keywords or thresholds would add to a feed and drop from it. Nothing ' +
    'is saved.',
    'Settings that are left out stay as they are; without any, it returns what is due anyway.',
    'Use it before project_update, with the same settings.',
    'Example: {"project_id": "0b54c2ab-6f2e-4d6c-9d0f-3a8f5b1f7a11", "feed_threshold": 0.3}'
  ].join(' '),
  input: ProjectPreviewInput,
  output: ProjectPreviewResult,
  scope: 'act',
  async handler ({ db, account, now, relevance }, { project_id, ...change }) {
    const project = await findProject(db, account.id, project_id)
    if (project === undefined) throw new ProjectNotFound(project_id)
    const changed = { ...project, ...change }
    const since = rescoringStart(now())
    const model = await learnedModel(db, account.id, project_id)
    const feedItems = await listFetchedItems(db, account.id, project_id, since, maxComparedItems)
    const allCandidates: Array<{ paper_id: string, title: string, abstract: string | null, relevance_score: number }> = []
    for await (const candidates of walkCandidates(db, account.id, project_id, since, 1000)) {
      allCandidates.push(...candidates)
      if (allCandidates.length >= maxComparedItems) break
    }
    const [feedScores, candidateScores] = [
      await relevance.score(changed, model, feedItems),
      await relevance.score(changed, model, allCandidates)
    ]

    const dropped = feedItems.flatMap(({ paper_id, title, relevance_score: now }, at) => entersFeed(feedScores[at]!, changed)
      ? []
      : [{ paper_id, title, relevance_score: feedScores[at]!.relevance_score, now }])
    const added = allCandidates.flatMap(({ paper_id, title }, at) => entersFeed(candidateScores[at]!, changed)
      ? [{ paper_id, title, relevance_score: candidateScores[at]!.relevance_score, now: null }]
      : [])
    const remaining = [...feedScores, ...candidateScores].filter(score => entersFeed(score, changed))
    return {
      since: since.toISOString(),
      compared: feedItems.length + allCandidates.length,
      complete: feedItems.length < maxComparedItems && allCandidates.length < maxComparedItems,
      counts: {
        added: added.length,
        dropped: dropped.length,
        must_read: remaining.filter(({ relevance_class }) => relevance_class === 'must_read').length,
        must_read_now: feedItems.filter(({ relevance_class }) => relevance_class === 'must_read').length
      },
      added: added.sort((a, b) => b.relevance_score - a.relevance_score).slice(0, maxListedItems),
      dropped: dropped.sort((a, b) => b.now - a.now).slice(0, maxListedItems)
    }
  }
})
