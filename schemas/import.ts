import { type Static, Type } from 'typebox'
import { ProjectId } from './ids.js'

/** Which files to import, and into which project. */
export const ImportInput = Type.Object({
  project_id: ProjectId,
  files: Type.Array(Type.String({ minLength: 1 }), { minItems: 1, description: 'Paths of the files.' }),
  format: Type.Optional(Type.String({ description: 'The files\' format; told from their content where it is left out.' }))
}, { additionalProperties: false })

/** A record that could not be imported. */
export const Rejection = Type.Object({
  file: Type.String({ description: 'The file as it was named.' }),
  record: Type.Integer({ minimum: 0, description: 'The record\'s place in the file, from 1.' }),
  reason: Type.String({ description: 'Why it was not taken, behind the key that the record has in its file, if it has one.' })
})
export type Rejection = Static<typeof Rejection>

/** Counts of an import, with its rejections. */
export const ImportResult = Type.Object({
  read: Type.Integer({ description: 'Records in the files, rejected ones included.' }),
  created: Type.Integer({ description: 'Records that are new in the feed.' }),
  updated: Type.Integer({ description: 'Records that were there and have been completed or changed.' }),
  unchanged: Type.Integer({ description: 'Records that were there as they are.' }),
  rejected: Type.Array(Rejection, { description: 'Records that could not be taken.' })
})
export type ImportResult = Static<typeof ImportResult>
