import { type Static, Type } from 'typebox'
import { Nullable, Words } from './nullable.js'

/** Where to write a backup. */
export const BackupInput = Type.Object(
  { file: Type.String({ minLength: 1, description: 'Path of the backup.' }) },
  { additionalProperties: false }
)
/** The backup to restore; `replace` overwrites existing data. */
export const RestoreInput = Type.Object({
  ...BackupInput.properties,
  replace: Type.Optional(Type.Boolean({ description: 'Delete the existing data first.' })),
  revoke_access: Type.Optional(
    Type.Boolean({
      description:
        'Leave out sessions, MCP keys and share links, end all Atom addresses, and unpublish snapshots: some may have been revoked since ' +
        'the backup.'
    })
  )
}, { additionalProperties: false })

/** Rows by table that were written or restored. */
export const BackupResult = Type.Object({
  file: Type.String({ description: 'Path of the backup.' }),
  version: Type.String({ description: 'Last migration of the database.' }),
  rows: Type.Integer({ description: 'Number of rows in all tables.' })
})

/** Result of a restore, with the credentials that give access again. */
export const RestoreResult = Type.Object({
  ...BackupResult.properties,
  created_at: Type.String({ description: 'When the backup was made.' }),
  sessions: Type.Integer({ description: 'Sessions that work again.' }),
  keys: Type.Integer({ description: 'MCP keys that work again.' }),
  share_links: Type.Integer({ description: 'Share links that work again.' }),
  published_snapshots: Type.Integer({ description: 'Snapshots that are public again.' }),
  index_error: Nullable(Type.String(), 'Why the search index is not complete; the running service completes it.')
})

/** The outcome of a restore drill. */
export const BackupVerification = Type.Object({
  ok: Type.Boolean({ description: 'Whether the backup restores completely.' }),
  file: Type.String({ description: 'Path of the backup.' }),
  created_at: Type.String({ description: 'When the backup was made.' }),
  version: Type.String({ description: 'Last migration of the database that was backed up.' }),
  program: Type.String({ description: 'Version of Litfeed that made the backup.' }),
  rows: Type.Integer({ description: 'Number of rows in the backup.' }),
  compared: Words(['rows', 'counts'], {
    description: 'rows: checksums of all rows; counts: numbers of rows, for a backup of an earlier version.'
  }),
  recorded: Type.Boolean({ description: 'Whether the result was stored beside the file, for the administration page.' }),
  tables: Type.Array(Type.Object({
    name: Type.String({ description: 'Name of the table.' }),
    rows: Type.Integer({ description: 'Rows in the backup.' }),
    restored_rows: Type.Integer({ description: 'Rows in the restored database.' }),
    equal: Type.Boolean({ description: 'Whether nothing is missing or different.' })
  }))
})

/** The outcome of a scheduled backup. */
export const ScheduledBackup = Type.Object({
  file: Type.String({ description: 'Name of the file in BACKUP_DIR.' }),
  rows: Type.Integer({ description: 'Number of rows in all tables.' }),
  bytes: Type.Integer({ description: 'Size of the file.' }),
  removed: Type.Integer({ description: 'Number of older backups that were deleted.' })
})

/** First line of a backup file. */
export const BackupHeader = Type.Object({
  litfeed_backup: Type.Literal(1),
  version: Type.String(),
  program: Type.String(),
  created_at: Type.String()
})
export type BackupHeader = Static<typeof BackupHeader>
