import { type Static, Type } from 'typebox'
import { time } from './fields.js'
import { ProjectId, ProjectReference, Uuid } from './ids.js'
import { ImportResult, Rejection } from './import.js'
import { mebibytes } from './mebibytes.js'
import { Nullable, Words } from './nullable.js'
import { page, paging } from './paging.js'
import { ListedPaper, maxExamples, ProjectInput } from './project.js'
import { ReceivedFile } from './received-file.js'

/** The largest file of a library, in bytes: about 20,000 records. */
export const maxLibraryBytes = 20 * 1024 * 1024
/** Rejections of an import that are kept, the first. */
export const maxKeptRejections = 1000
/** Rejections of each import that a list of imports states, the first. */
export const maxListedRejections = 20
/** Ended imports of an account that are kept and can be undone, the newest. */
export const maxKeptImports = 200

/** The votes that an import can give. */
const importVotes = ['none', 'upvote'] as const

/** A file of a person's library, and the project that it enters. */
export const LibraryImportInput = Type.Object(
  {
    project_id: ProjectReference,
    file: Type.Unsafe<ReceivedFile>({
      maxBytes: maxLibraryBytes,
      description: `The file, at most ${mebibytes(maxLibraryBytes)}: records in any import format, or the journal feeds of an OPML ` +
        'file.'
    }),
    vote: Type.Optional(
      Words(importVotes, { description: 'upvote: upvotes added papers, which trains the project.', default: 'none' })
    )
  },
  { additionalProperties: false }
)

/** Papers by identifiers and titles, and the project that they enter. */
export const ExamplesAddInput = Type.Object(
  {
    project_id: ProjectReference,
    papers: Type.Array(ListedPaper, {
      minItems: 1,
      maxItems: maxExamples,
      description: 'DOIs, PMIDs, PMCIDs, arXiv ids or titles.'
    }),
    vote: Type.Optional(Words(importVotes, { description: 'upvote: upvotes them, which trains the project.', default: 'upvote' }))
  },
  { additionalProperties: false }
)

/** The job that imports a file. */
export const LibraryImportQueued = Type.Object(
  {
    job_id: Uuid,
    import_id: Type.String({ format: 'uuid', description: 'UUID from GET /api/projects/{project_id}/imports.' }),
    created: Type.Boolean({ description: 'Always true: each file has its own job.' })
  },
  { description: 'The queued job. GET /api/jobs/{job_id} returns its state and progress; its result has the counts and rejected records.' }
)

/** Progress of an import. */
export const ImportProgress = Type.Object({
  bytes: Type.Integer({ description: 'Bytes read.' }),
  total_bytes: Type.Integer({ description: 'Total bytes.' }),
  read: Type.Integer({ description: 'Records read.' })
}, { description: 'Progress of an import.' })
export type ImportProgress = Static<typeof ImportProgress>

/** A rejected record of an import. */
const LibraryRejection = Type.Omit(Rejection, ['file'])
export type LibraryRejection = Static<typeof LibraryRejection>

/** Counts of an import, with its first rejections. */
export const LibraryImportCounts = Type.Object({
  ...Type.Omit(ImportResult, ['rejected']).properties,
  rejected_count: Type.Integer({ description: 'Number of rejected records.' }),
  rejected: Type.Array(LibraryRejection, {
    description: `The first ${maxListedRejections} rejected records. ` +
      'GET /api/projects/{project_id}/imports/{import_id}/rejections lists more.'
  })
}, { description: 'Counts of an import.' })
export type LibraryImportCounts = Static<typeof LibraryImportCounts>

/** States of an import; interrupted: its process ended before the file was stored, or its job failed and was deleted since. */
const importStates = ['waiting', 'running', 'done', 'failed', 'interrupted'] as const

/** An import of a library. */
export const LibraryImport = Type.Object({
  id: Uuid,
  file_name: Type.String({ description: 'The name of the file.' }),
  learned: Type.Boolean({ description: 'Whether added papers were upvoted.' }),
  created_at: time('Start time.'),
  state: Words(importStates, { description: 'State of its job.' }),
  progress: Nullable(ImportProgress, 'Progress; null before the start.'),
  error: Nullable(Type.String(), 'Error message of a failed import.'),
  result: Nullable(LibraryImportCounts, 'Counts; null until done.'),
  feeds: Nullable(Type.Integer(), 'Journal feeds added; null for a file of papers.'),
  undone_at: Nullable(time(), 'Time of the undo.'),
  undo_pending: Type.Boolean({ description: 'Whether the undo is still removing papers.' })
}, { description: 'An import.' })
export type LibraryImport = Static<typeof LibraryImport>

/** Imports on a page. */
export const importsPageSize = 20

/** Names a project, and a page of its imports. */
export const LibraryImportsInput = Type.Object({ ...ProjectInput.properties, offset: paging.offset }, { additionalProperties: false })

/** A page of the imports into a project. */
export const LibraryImports = Type.Object({
  items: Type.Array(LibraryImport, { description: `Newest first, at most ${importsPageSize}.` }),
  ...page
})

/** Names an import, and a page of its rejected records. */
export const LibraryImportRejectionsInput = Type.Object({
  ...ProjectInput.properties,
  import_id: Type.String({ format: 'uuid', description: 'The import\'s UUID.' }),
  ...paging
}, { additionalProperties: false })

/** A page of the rejected records of an import. */
export const LibraryImportRejections = Type.Object({
  items: Type.Array(LibraryRejection, {
    description: `In the order of the file. The first ${maxKeptRejections.toLocaleString('en')} of an import are kept.`
  }),
  rejected_count: Type.Integer({ description: 'Number of rejected records, including those that are not kept.' }),
  ...page
})

/** Names an import. */
export const LibraryImportReference = Type.Object({
  project_id: ProjectId,
  import_id: Type.String({ format: 'uuid', description: 'The import\'s UUID.' })
}, { additionalProperties: false })

/** The result of undoing an import. */
export const LibraryImportUndone = Type.Object({
  removed: Type.Integer({ description: 'Papers removed from the feed.' }),
  feeds_removed: Type.Integer({ description: 'Journal feeds removed from the project.' })
})
