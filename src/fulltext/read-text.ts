import { writeIfWritable } from '../../db/connection.js'
import { findMarkdown, listTextParts, markTextRead, saveDivision, type TextDivision } from '../../db/queries/markdown.js'
import type { Caller } from '../../db/caller.js'
import { dayMs } from '../../schemas/durations.js'
import { Unavailable } from '../errors/operation-errors.js'
import { divideText } from './parts/divide.js'
import type { DividedText } from './parts/read-part.js'

interface Reader extends Caller {
  readonly now: () => Date
}

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
 * @throws Unavailable if the text is replaced meanwhile
 */
export async function readText ({ db, account }: Caller, stored: StoredText, maxCharacters = Infinity): Promise<string> {
  const length = Math.min(stored.characters ?? 0, maxCharacters)
  if (stored.markdown.length >= length) return stored.markdown
  const parts = await listTextParts(db, account.id, stored, { from: 0, to: length })
  const text = parts.map(({ markdown }) => markdown).join('')
  if (text.length < length) throw replaced()
  return text
}

/**
 * Opens a text to read parts of it; one that an earlier version stored as a whole is divided first.
 * @throws Unavailable, also while it is read, if the text is replaced meanwhile
 */
export async function openText (reader: Caller, stored: StoredText): Promise<DividedText> {
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
