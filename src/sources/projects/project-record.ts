import type { ProjectDetails } from '../../../db/queries/projects.js'
import { noWeeklyLimit, type Project } from '../../../schemas/project.js'
import { disabledMessage } from './disabled.js'

/** Converts a stored project to the published record. The states of its sources are in the order of the project's sources. */
export function projectOf ({
  papers,
  must_read,
  unrated,
  created_at,
  updated_at,
  last_fetched_at,
  source_states,
  weekly_limit,
  ...project
}: ProjectDetails): Project {
  const positions = new Map(project.sources.map(({ name, query }, position) => [`${name} ${query}`, position]))
  const time = (text: string | null) => text === null ? null : new Date(text).toISOString()
  return {
    ...project,
    ...(weekly_limit === noWeeklyLimit ? {} : { weekly_limit }),
    source_states: (source_states ?? [])
      .map(({ disabled, last_error, ...state }) => ({
        ...state,
        last_error: disabled ? disabledMessage : last_error,
        last_fetched_at: time(state.last_fetched_at),
        next_fetch_at: time(state.next_fetch_at)!
      }))
      .sort((a, b) => positions.get(`${a.name} ${a.query}`)! - positions.get(`${b.name} ${b.query}`)!),
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
    last_fetched_at: last_fetched_at?.toISOString() ?? null,
    counts: { papers, must_read, unrated }
  }
}
