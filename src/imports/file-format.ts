import { open } from 'node:fs/promises'
import { errorCodeOf } from '../../schemas/thrown.js'
import { InvalidArguments } from '../errors/operation-errors.js'
import { decodeBytes } from '../sources/formats/decode.js'
import type { Format } from '../sources/formats/format.js'
import { findFormat, formatNames, formats, recordFormatOf } from '../sources/formats/index.js'
import { isOpml } from '../sources/projects/opml.js'
import { isPaperList } from './paper-list.js'
import { explainUnreadable, isAccountExport } from './unreadable-file.js'

/** Bytes from which `detectImportFormat` tells a format. */
export const detectionBytes = 64 * 1024

/** The name of the format of journal feeds, which the other formats do not have. */
export const opml = 'opml'
/** The name of the format of lists of identifiers and titles, which are looked up. */
export const list = 'list'
/** The names of everything that imports read. */
export const importFormatNames: readonly string[] = [...formatNames, opml, list]

/** The formats of files, for people. */
export const importTitles: readonly string[] = [
  ...formats.flatMap(({ title, otherTitles = [] }) => [title, ...otherTitles]), 'OPML',
  'text with one DOI, PMID, PMCID or arXiv id per line'
]
/** The formats of files by their names, for programs. */
export const describedFormats = `${importFormatNames.join(', ')} (one DOI, PMID, PMCID or arXiv id per line)`
/** Usual extensions of what imports read, with the dot. */
export const importExtensions: readonly string[] = [...new Set([...formats.flatMap(({ extensions }) => extensions), '.opml', '.txt'])]

/** A file to import. */
export interface ImportFile {
  path: string
  /** Its name in reports. */
  name: string
  format: Format | typeof opml | typeof list
  size: number
}

/**
 * Reads which format a file has, from its start if `formatName` is undefined.
 * @param name in messages
 * @throws InvalidArguments if it cannot be read, is empty, or has an unknown format
 */
export async function inspectFile (
  path: string,
  { name = path, formatName }: { name?: string, formatName?: string | undefined } = {}
): Promise<ImportFile> {
  const { head, size } = await readHead(path)
  if (formatName !== undefined) {
    const format = formatName === opml || formatName === list ? formatName : findFormat(formatName)
    if (format === undefined) {
      throw new InvalidArguments(`Format ${JSON.stringify(formatName)} is unknown. Formats: ${describedFormats}.`)
    }
    return { path, name, format, size }
  }
  const text = await decodeBytes(head)
  if (text.trim() === '') throw new InvalidArguments(`${name} is empty. Name a file with records.`)
  const format = detectImportFormat(text)
  if (format === undefined) {
    const advice = explainUnreadable({ bytes: head, text, name })
    throw new InvalidArguments(
      `${name} has an unknown format. ${advice}${advice && ' '}Formats: ${describedFormats}. ` +
        'If it has one of them, name it with --format. Nothing was imported.'
    )
  }
  return { path, name, format, size }
}

/** Detects the format of a file to import from its start, records or not; undefined if it is unknown. */
export function detectImportFormat (text: string): ImportFile['format'] | undefined {
  if (isAccountExport(text)) return undefined
  return isOpml(text) ? opml : recordFormatOf(text) ?? (isPaperList(text) ? list : undefined)
}

async function readHead (path: string): Promise<{ head: Uint8Array, size: number }> {
  try {
    const handle = await open(path)
    try {
      const stat = await handle.stat()
      if (!stat.isFile()) throw new InvalidArguments(`${path} is not a file. Name a file with records.`)
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(detectionBytes), 0, detectionBytes, 0)
      return { head: buffer.subarray(0, bytesRead), size: stat.size }
    } finally {
      await handle.close()
    }
  } catch (cause) {
    if (cause instanceof InvalidArguments) throw cause
    const code = errorCodeOf(cause)
    throw new InvalidArguments(
      `${path} cannot be read: ${code === 'ENOENT' ? 'the file does not exist' : code === 'EACCES' ? 'permission denied' : code}. ` +
        'Check its name and permissions.',
      { cause }
    )
  }
}
