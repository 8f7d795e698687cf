import { type Static, Type } from 'typebox'
import { ProjectId, Uuid } from './ids.js'
import { ImportResult, Rejection } from './import.js'
import { Nullable } from './nullable.js'
import { ReceivedFile } from './received-file.js'

/** The largest file of a library, in bytes: about 20,000 records. */
export const maxLibraryBytes = 20 * 1024 * 1024
/** Rejections that are kept. */
export const maxKeptRejections = 200

/** A file of a person's library, and the project that it enters. */
export const LibraryImportInput = Type.Object(
  {
    project_id: ProjectId,
    file: Type.Unsafe<ReceivedFile>({ maxBytes: maxLibraryBytes, description: `The file, at most ${maxLibraryBytes / 1024 / 1024} MB.` }),
    learn: Type.Optional(
      Type.Boolean({ description: 'Whether to upvote the papers that it adds, so that the project learns from them.', default: false })
    )
  },
  { additionalProperties: false }
)

/** Counts of an import, with its first rejections. */
export const LibraryImportCounts = Type.Object({
  ...Type.Omit(ImportResult, ['rejected']).properties,
  rejected_count: Type.Integer({ description: 'Records that were rejected.' }),
  rejected: Type.Array(Type.Omit(Rejection, ['file']), { description: `The first ${maxKeptRejections} rejected records.` })
}, { description: 'What an import did.' })
export type LibraryImportCounts = Static<typeof LibraryImportCounts>

/** An import of a library. */
export const LibraryImport = Type.Object({
  id: Uuid,
  file_name: Type.String({ description: 'The name of the file.' }),
  learned: Type.Boolean({ description: 'Whether its papers were upvoted.' }),
  created_at: Type.String({ format: 'date-time', description: 'When it began.' }),
  result: Nullable(LibraryImportCounts, 'What it did; null while it runs and if it was interrupted.'),
  undone_at: Nullable(Type.String({ format: 'date-time' }), 'When it was undone.')
}, { description: 'An import.' })
export type LibraryImport = Static<typeof LibraryImport>

/** The newest imports into a project. */
export const LibraryImports = Type.Object({ items: Type.Array(LibraryImport, { description: 'Newest first, at most 20.' }) })

/** Names an import. */
export const LibraryImportReference = Type.Object({
  project_id: ProjectId,
  import_id: Type.String({ format: 'uuid', description: 'The import\'s UUID.' })
}, { additionalProperties: false })

/** The result of undoing an import. */
export const LibraryImportUndone = Type.Object({ removed: Type.Integer({ description: 'Papers that left the feed.' }) })
