import { type Static, Type } from 'typebox'
import { Nullable } from './nullable.js'

/** The first fetch of one source. */
export const SourceProgress = Type.Object({
  name: Type.String({ description: 'Name of the source.' }),
  query: Type.String({ description: 'The project\'s query for it; empty: its keywords.' }),
  state: Type.Union([Type.Literal('waiting'), Type.Literal('fetching'), Type.Literal('done'), Type.Literal('failed')]),
  papers_found: Type.Integer({ description: 'Papers found so far.' }),
  papers_entered: Type.Integer({ description: 'Papers added to the feed so far.' }),
  error: Nullable(Type.String(), 'Why it failed, or what the source withheld.')
})
export type SourceProgress = Static<typeof SourceProgress>

/** How far the first fetch of a project is. */
export const ProjectProgress = Type.Object({
  is_sample: Type.Boolean({ description: 'Whether the papers are invented.' }),
  is_new: Type.Boolean({ description: 'Whether the first fetch is running or has just ended.' }),
  is_done: Type.Boolean({ description: 'Whether every source has answered.' }),
  is_paused: Type.Boolean({ description: 'Whether the owner paused the project, so that nothing is fetched.' }),
  sources: Type.Array(SourceProgress),
  disabled_sources: Type.Integer({ description: 'Number of other sources, which administrators disabled.' })
})
export type ProjectProgress = Static<typeof ProjectProgress>
