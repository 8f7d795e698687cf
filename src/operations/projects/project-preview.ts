import { findProject } from '../../../db/queries/projects.js'
import { listFetchedItems, walkCandidates } from '../../../db/queries/relevance.js'
import { ProjectPreviewInput, ProjectPreviewResult } from '../../../schemas/project.js'
import { ProjectNotFound } from '../../errors/operation-errors.js'
import { entersFeed, rescoringStart } from '../../relevance/interest.js'
import { learnedModel } from '../../relevance/learned-model.js'
import { operation } from '../operation.js'

/** Papers that are compared at most, of the feed and of the others each: a person waits for the answer. */
const mostCompared = 5000
const mostShown = 50

/** @throws ProjectNotFound */
export const projectPreview = operation({
  name: 'project_preview',
  title: 'Preview a change of a project',
  description: 'Says what a change of interest, keywords or thresholds would add to the feed and drop from it, over the papers found in the last 30 days, and saves nothing. Settings that are left out stay as they are; without any, it says what is due anyway.',
  input: ProjectPreviewInput,
  output: ProjectPreviewResult,
  async handler ({ db, account, now, relevance }, { project_id, ...change }) {
    const project = await findProject(db, account.id, project_id)
    if (project === undefined) throw new ProjectNotFound(project_id)
    const changed = { ...project, ...change }
    const since = rescoringStart(now())
    const model = await learnedModel(db, project_id)
    const shown = await listFetchedItems(db, project_id, since, mostCompared)
    const others: Array<{ paper_id: string, title: string, abstract: string | null, relevance_score: number }> = []
    for await (const candidates of walkCandidates(db, project_id, since, 1000)) {
      others.push(...candidates)
      if (others.length >= mostCompared) break
    }
    const [shownScores, otherScores] = [await relevance.score(changed, model, shown), await relevance.score(changed, model, others)]

    const dropped = shown.flatMap(({ paper_id, title, relevance_score: now }, at) => entersFeed(shownScores[at]!, changed) ? [] : [{ paper_id, title, relevance_score: shownScores[at]!.relevance_score, now }])
    const added = others.flatMap(({ paper_id, title }, at) => entersFeed(otherScores[at]!, changed) ? [{ paper_id, title, relevance_score: otherScores[at]!.relevance_score, now: null }] : [])
    const stays = [...shownScores, ...otherScores].filter(score => entersFeed(score, changed))
    return {
      since: since.toISOString(),
      compared: shown.length + others.length,
      complete: shown.length < mostCompared && others.length < mostCompared,
      counts: {
        added: added.length,
        dropped: dropped.length,
        must_read: stays.filter(({ relevance_class }) => relevance_class === 'must_read').length,
        must_read_now: shown.filter(({ relevance_class }) => relevance_class === 'must_read').length
      },
      added: added.sort((a, b) => b.relevance_score - a.relevance_score).slice(0, mostShown),
      dropped: dropped.sort((a, b) => b.now - a.now).slice(0, mostShown)
    }
  }
})
