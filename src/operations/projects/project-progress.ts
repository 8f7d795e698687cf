import { minuteMs } from '../../../schemas/durations.js'
import { findProjectStart } from '../../../db/queries/projects.js'
import { listSourceStates, type SourceStateDetails } from '../../../db/queries/sources.js'
import { ProjectInput } from '../../../schemas/project.js'
import { ProjectProgress, type SourceProgress } from '../../../schemas/project-progress.js'
import { ProjectNotFound } from '../../errors/operation-errors.js'
import { operation } from '../operation.js'

/** A project whose sources have all answered counts as new for this long after its creation. */
const newForMs = 10 * minuteMs

/** @throws ProjectNotFound */
export const projectProgress = operation({
  name: 'project_progress',
  title: 'Progress of a first fetch',
  description: 'Returns how far the first fetch of a project is, for each source.',
  input: ProjectInput,
  output: ProjectProgress,
  async handler ({ db, account, now }, { project_id }) {
    const project = await findProjectStart(db, account.id, project_id)
    if (project === undefined) throw new ProjectNotFound(project_id)
    const states = await listSourceStates(db, account.id, project_id)
    const sources = states.map(state => progressOf(state, now()))
    const isDone = sources.every(({ state }) => state === 'done' || state === 'failed')
    const isRecent = now().getTime() - project.created_at.getTime() < newForMs
    const isFirst = states.some(({ last_fetched_at, failures }) => last_fetched_at === null && failures === 0)
    return {
      is_sample: project.is_sample,
      is_new: !project.is_sample && project.matching_state === 'active' && sources.length > 0 && (isFirst || isRecent),
      is_done: isDone,
      is_paused: project.matching_state === 'paused',
      sources,
      disabled_sources: project.disabled_sources ?? 0
    }
  }
})

function progressOf (state: SourceStateDetails, now: Date): SourceProgress {
  const { name, query, last_attempt_at, last_fetched_at, last_error, failures, next_fetch_at, papers_found, papers_entered } = state
  const hasAnswered = last_fetched_at !== null || failures > 0
  // A fetch moves the time of the next one when it ends.
  const isUnderWay = next_fetch_at <= now && last_attempt_at !== null && (last_fetched_at === null || last_fetched_at < last_attempt_at)
  return {
    name,
    query,
    state: hasAnswered ? (failures > 0 ? 'failed' : 'done') : isUnderWay ? 'fetching' : 'waiting',
    papers_found: papers_found ?? 0,
    papers_entered: papers_entered ?? 0,
    error: last_error
  }
}
