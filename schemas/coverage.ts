import { type Static, Type } from 'typebox'
import { time } from './fields.js'
import { Nullable } from './nullable.js'

/** Whether a feed has what its sources published, so that "nothing new" differs from "could not check". */
export const Coverage = Type.Object({
  complete: Type.Boolean({ description: 'Whether every source was checked. If false, papers may be missing: tell the user.' }),
  as_of: Nullable(time(), 'Time up to which all sources were checked; null if one never was.'),
  failing: Type.Array(Type.Object({
    source: Type.String({ description: 'Name of the source.' }),
    since: time('Papers from this time on may be missing.'),
    message: Type.String({ description: 'The reason, with a fault code in parentheses.' })
  }, { description: 'A source that was not checked.' }), { description: 'Sources that were not checked.' })
}, { description: 'Whether the feed has what its sources published.' })
export type Coverage = Static<typeof Coverage>
