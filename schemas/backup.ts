import { Type } from 'typebox'

/** Where to write a backup. */
export const BackupInput = Type.Object(
  { file: Type.String({ minLength: 1, description: 'Path of the backup.' }) },
  { additionalProperties: false }
)
/** The backup to restore; `replace` overwrites existing data. */
export const RestoreInput = Type.Object({
  ...BackupInput.properties,
  replace: Type.Optional(Type.Boolean({ description: 'Delete the existing data first.' }))
}, { additionalProperties: false })

/** Rows by table that were written or restored. */
export const BackupResult = Type.Object({
  file: Type.String({ description: 'Path of the backup.' }),
  version: Type.String({ description: 'Last migration of the database.' }),
  rows: Type.Integer({ description: 'Number of rows in all tables.' })
})

/** First line of a backup file. */
export const BackupHeader = Type.Object({
  litfeed_backup: Type.Literal(1),
  version: Type.String(),
  program: Type.String(),
  created_at: Type.String()
})
