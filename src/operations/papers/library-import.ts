import { addImportPart, beginLibraryImport, completeImportFile, deleteLibraryImport } from '../../../db/queries/library-imports.js'
import { type UploadUsage, uploadPartBytes } from '../../../db/queries/uploads.js'
import { LibraryImportInput, LibraryImportQueued } from '../../../schemas/library-import.js'
import { mebibytes } from '../../../schemas/mebibytes.js'
import type { ReceivedFile } from '../../../schemas/received-file.js'
import { InvalidArguments, QuotaExceeded, RateLimited } from '../../errors/operation-errors.js'
import { importJob } from '../../jobs/new-jobs.js'
import { decodeBytes } from '../../sources/formats/decode.js'
import type { Context } from '../context.js'
import { isLimited, requireUnlimited } from '../key-access.js'
import { operation } from '../operation.js'
import { requireProject } from '../require-project.js'
import { requirePaperQuota } from '../../papers/paper-quota.js'
import {
  describedFormats, detectImportFormat, detectionBytes, type ImportFile, importTitles, list, opml
} from '../../imports/file-format.js'
import { explainUnreadable } from '../../imports/unreadable-file.js'

/** Imports of an account that wait or run; one of them runs at a time. */
const maxPendingImports = 20
const retryAfterSeconds = 30

/**
 * Stores a file that a person sent, and queues its import. Papers that the feed has keep their votes.
 * @throws ProjectNotFound, InvalidArguments if it is empty or has an unknown format, QuotaExceeded, RateLimited, Forbidden if a key
 *   limited to some projects adds journal feeds
 */
export const libraryImport = operation({
  name: 'library_import',
  title: 'Import a library',
  description:
    'Imports a file of your own library into a project, optionally with an upvote for each paper ' +
    'that it adds, or the journal feeds of an ' +
    'OPML file. It runs as a job and can be undone.',
  input: LibraryImportInput,
  output: LibraryImportQueued,
  scope: 'act',
  async handler (context, { project_id, file, vote = 'none' }) {
    const { db, account, queue, trace } = context
    await requireProject(context, project_id)
    const format = await requireKnownFormat(file)
    if (format === opml) requireUnlimited(context, 'add journal feeds')
    // Journal feeds are no papers, and listed papers are those of sources.
    if (format !== opml && format !== list) await requirePaperQuota(db, account.id, context.maxPapers)
    // Journal feeds are not voted on.
    const import_id = await begin(context, project_id, file, format === opml ? 'none' : vote)
    try {
      let ordinal = 0
      for await (const bytes of file.parts(uploadPartBytes)) {
        await addImportPart(db, account.id, { fileId: import_id, ordinal: ordinal++, bytes })
      }
      const job = importJob({ id: import_id, project_id, account_id: account.id })
      const { id, created } = await queue.enqueue(job, {
        trace,
        isWanted: async transaction => await completeImportFile(transaction, account.id, import_id)
      })
      return { job_id: id, import_id, created }
    } catch (cause) {
      // A database that is not writable keeps what was stored, until maintenance deletes it.
      await deleteLibraryImport(db, account.id, import_id).catch(() => {})
      throw cause
    }
  }
})

/** Refuses a file that is not to be imported before it is stored. @throws InvalidArguments */
async function requireKnownFormat (file: ReceivedFile): Promise<ImportFile['format']> {
  const bytes = await file.readStart(detectionBytes)
  const text = await decodeBytes(bytes)
  if (text.trim() === '') {
    throw new InvalidArguments('file is empty. Send a file with records.', { userMessage: 'The file is empty. Choose another one.' })
  }
  const format = detectImportFormat(text)
  if (format !== undefined) return format
  const explained = explainUnreadable({ bytes, text, name: file.sentName ?? '' })
  const advice = explained === '' ? '' : `${explained} `
  throw new InvalidArguments(`file has an unknown format. ${advice}Formats: ${describedFormats}.`, {
    userMessage: `The file has an unknown format. ${advice}Supported formats: ${importTitles.join(', ')}.`
  })
}

async function begin (
  { db, account, key, now, uploadQuotaBytes }: Context,
  project_id: string,
  file: ReceivedFile,
  vote: 'none' | 'upvote'
): Promise<string> {
  const begun = await beginLibraryImport(db, {
    account_id: account.id,
    project_id,
    file_name: readName(file.sentName),
    vote: vote === 'none' ? null : vote,
    visible_projects: key?.projectIds ?? null,
    pending_bytes: file.size,
    created_at: now(),
    maxAccountBytes: uploadQuotaBytes,
    maxPending: maxPendingImports
  })
  if ('pending' in begun) {
    throw new RateLimited(retryAfterSeconds, `${isLimited({ key }) ? 'Too many' : begun.pending} imports of your account are waiting already.`)
  }
  if ('usage' in begun) throw isLimited({ key }) ? accountFull(file) : quotaExceeded(begun.usage, file, uploadQuotaBytes)
  return begun.id
}

/** Names no totals of the account, which a key for some projects must not learn. */
function accountFull (file: ReceivedFile): QuotaExceeded {
  const usage = `The file “${readName(file.sentName)}” is ${mebibytes(file.size)}, and your account has less space left for uploads.`
  return new QuotaExceeded(`${usage} Send it again later, send a smaller file, or ask the operator to raise UPLOAD_QUOTA.`, {
    userMessage: `${usage} Import it again later, import a smaller file, or ask your administrator for more space.`
  })
}

function quotaExceeded ({ pendingBytes, importBytes, textBytes }: UploadUsage, file: ReceivedFile, quotaBytes: number): QuotaExceeded {
  const usage = `The file “${readName(file.sentName)}” is ${mebibytes(file.size)}. Of your ${mebibytes(quotaBytes)}, queued files use ` +
    `${mebibytes(pendingBytes + importBytes)} and texts of your uploads and imported papers use ${mebibytes(textBytes)}.`
  const waits = pendingBytes + importBytes > 0
  const next = waits ? 'Wait until they are done, then send it again' : 'Send a smaller file'
  return new QuotaExceeded(`${usage} ${next}, or ask the operator to raise UPLOAD_QUOTA.`, {
    userMessage: `${usage} ${waits ? 'Wait until they are done, then import again' : 'Import a smaller file'}, or ask your administrator ` +
      'for more space.'
  })
}

/** People recognize an import by it: one line, without control and invisible characters. */
const readName = (name = ''): string =>
  name
    .slice(0, 1000)
    .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, 200)
    .toWellFormed() || 'Unnamed file'
