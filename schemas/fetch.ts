import { type Static, Type } from 'typebox'
import { Uuid } from './ids.js'
import { Nullable } from './nullable.js'

/** Result of one source in a fetch. */
export const SourceResult = Type.Object({
  name: Type.String({ description: 'Name of the source.' }),
  query: Type.String({ description: 'The query that was sent.' }),
  found: Type.Integer({ description: 'Records that the source returned.' }),
  entered: Type.Integer({ description: 'Papers that are new in the feed.' }),
  rejected: Type.Integer({ description: 'Records that could not be used.' }),
  rejections: Type.Array(Type.String(), { description: 'Withheld records, then reasons for the first rejected ones.' }),
  error: Nullable(Type.String(), 'Why the fetch failed; null if it did not.')
})
export type SourceResult = Static<typeof SourceResult>

/** Results of all sources of a project in a fetch. */
export const FetchResult = Type.Object({
  project_id: Uuid,
  sources: Type.Array(SourceResult, { description: 'Outcome for each source.' })
}, { description: 'Outcome of a fetch.' })
export type FetchResult = Static<typeof FetchResult>
