import { writeIfWritable } from '../../db/connection.js'
import { findMarkdown, listTextParts, markTextRead, saveDivision, type TextDivision } from '../../db/queries/markdown.js'
import type { Caller } from '../../db/caller.js'
import { dayMs } from '../../schemas/durations.js'
import { Unavailable } from '../errors/operation-errors.js'
import { divideText } from './parts/divide.js'
import type { FairQueue } from '../threads/fair-queue.js'
import type { DividedText } from './parts/read-part.js'

interface Reader extends Caller {
  readonly now: () => Date
}

/** What reads of long texts need, in which accounts take turns. */
export interface TextReader extends Caller {
  readonly sharedDb: Caller['db']
  readonly sharedWork: {
    /** Statements that read long texts. */
    readonly textReads: FairQueue
    readonly longTexts: <T>(accountId: string, read: () => Promise<T>) => Promise<T>
  }
}

/** Characters that one statement reads, about. Others use the database between statements. */
const statementCharacters = 500_000
/** Length from which a text is long: few of them are read at a time, since each is in memory several times until it is sent. */
const minLongCharacters = 1_000_000

/** A full text, as far as the end of its first part. */
export type StoredText = NonNullable<Awaited<ReturnType<typeof findMarkdown>>>

/**
 * Finds the full text that the account may read: its own, else the shared one. Shared texts that nobody reads may be deleted, so reading
 * one is recorded, once a day.
 */
export async function findText ({ db, account, now }: Reader, paperId: string): Promise<StoredText | undefined> {
  const text = await findMarkdown(db, account.id, paperId)
  const readBefore = new Date(now().getTime() - dayMs)
  if (text === undefined || text.account_id !== null || text.read_at > readBefore) return text
  // Texts can be read although the database accepts no writes.
  await writeIfWritable(markTextRead(db, paperId, { now: now(), readBefore }))
  return text
}

/**
 * Reads a text: all of it, or its beginning.
 * @param maxCharacters reads no further part once it has as many; default: all
 * @throws Unavailable if the text is replaced meanwhile, RateLimited if too many long texts are being read
 */
export async function readText (reader: TextReader, stored: StoredText, maxCharacters = Infinity): Promise<string> {
  const { account, sharedWork } = reader
  const length = Math.min(stored.characters ?? 0, maxCharacters)
  if (stored.markdown.length >= length) return stored.markdown
  const read = async () => {
    const others = await readParts(reader, stored, { from: stored.markdown.length, to: length })
    const text = [stored, ...others].map(({ markdown }) => markdown).join('')
    if (text.length < length) throw replaced()
    return text
  }
  return length < minLongCharacters ? await read() : await sharedWork.longTexts(account.id, read)
}

/**
 * Reads the parts that have the characters from one offset to another, in order, by several statements if they are long.
 * @throws Unavailable if the text is replaced meanwhile
 */
async function readParts ({ sharedDb, account, sharedWork }: TextReader, stored: StoredText, { from, to }: { from: number, to: number }) {
  const parts: Awaited<ReturnType<typeof listTextParts>> = []
  for (let next = from; next <= to && (parts.length === 0 || next < stored.characters!);) {
    const range = { from: next, to: Math.min(next + statementCharacters, to) }
    const found = await sharedWork.textReads.run(account.id, async () => await listTextParts(sharedDb, account.id, stored, range))
    // Without the part that begins there, the one before it is found.
    if (found.length === 0 || (parts.length > 0 && found[0]!.start !== next)) throw replaced()
    parts.push(...found)
    next = found.at(-1)!.start + found.at(-1)!.markdown.length
  }
  return parts
}

/**
 * Opens a text to read parts of it; one that an earlier version stored as a whole is divided first.
 * @throws Unavailable, also while it is read, if the text is replaced meanwhile
 */
export async function openText (reader: TextReader, stored: StoredText): Promise<DividedText> {
  const { characters, sections, markdown } = stored
  if (characters === null || sections === null) {
    const division = await divideText(markdown)
    await writeIfWritable(saveDivision(reader.db, stored, division))
    return dividedText(markdown, division)
  }
  return {
    characters,
    sections,
    async read (from, to) {
      if (to < markdown.length || markdown.length === characters) return [stored]
      if (to - from > statementCharacters) return await readParts(reader, stored, { from, to })
      const parts = await listTextParts(reader.db, reader.account.id, stored, { from, to })
      if (parts.length === 0) throw replaced()
      return parts
    }
  }
}

/** A divided text in memory. */
export const dividedText = (markdown: string, { partStarts, sections }: TextDivision): DividedText => ({
  characters: markdown.length,
  sections,
  read: async (from, to) => partStarts
    .map((start, at) => ({ start, end: partStarts[at + 1] ?? Infinity }))
    .filter(({ start, end }) => start <= to && end > from)
    .map(({ start, end }) => ({ start, markdown: markdown.slice(start, end) }))
})

const replaced = () => new Unavailable('The text was converted again during this call.', { seconds: 1 })
