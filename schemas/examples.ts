import { Type } from 'typebox'
import { Uuid } from './ids.js'
import { Nullable } from './nullable.js'

/** Example papers that a call looked up. */
export const FoundExamples = Type.Array(Type.Object({
  text: Type.String({ description: 'As sent.' }),
  title: Nullable(Type.String(), 'The title of the paper; null if it was not found.'),
  problem: Nullable(Type.String(), 'Why it was not found, and what to do; null if it was.')
}), { description: 'The examples that were looked up, in their order.' })

/** Example papers of a project that was created. */
export const LookedUpExamples = Type.Object({
  job_id: Uuid,
  import_id: Type.String({ format: 'uuid', description: 'Of the import, which lists what was not found.' }),
  count: Type.Integer({ description: 'Examples that are looked up.' }),
  problems: Type.Array(Type.Object({
    text: Type.String({ description: 'As sent.' }),
    problem: Type.String({ description: 'Why it cannot be looked up, and what to do.' })
  }), { description: 'Examples that cannot be looked up.' })
}, { description: 'Only with examples: they are looked up in the background.' })
