import { type Static, Type } from 'typebox'
import { ProjectId } from './ids.js'

/** Files and target project of an import. */
export const ImportInput = Type.Object({
  project_id: ProjectId,
  files: Type.Array(Type.String({ minLength: 1 }), { minItems: 1, description: 'Paths of the files.' }),
  format: Type.Optional(Type.String({ description: 'The files\' format; detected from their content by default.' }))
}, { additionalProperties: false })

/** A record that could not be imported. */
export const Rejection = Type.Object({
  file: Type.String({ description: 'The file as given.' }),
  record: Type.Integer({ minimum: 0, description: 'The record\'s place in the file, from 1.' }),
  reason: Type.String({ description: 'Why it was rejected, with the record\'s key, line, first author, year and DOI, if known.' })
})
export type Rejection = Static<typeof Rejection>

/** Counts of an import, with its rejections. */
export const ImportResult = Type.Object({
  read: Type.Integer({ description: 'Records in the files, rejected ones included.' }),
  created: Type.Integer({ description: 'Records that are new in the feed.' }),
  updated: Type.Integer({ description: 'Records that were in the feed and were completed or changed.' }),
  unchanged: Type.Integer({ description: 'Records that were in the feed already.' }),
  rejected: Type.Array(Rejection, { description: 'Records that were rejected.' })
})
export type ImportResult = Static<typeof ImportResult>
