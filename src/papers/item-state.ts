import { type ItemMarks, maxNoteLength, maxTagLength, maxTags, maxUnitedNoteLength } from '../../schemas/item-state.js'
import { normalForm } from '../../schemas/normal-form.js'
import { cleanTags, tagKey } from '../../schemas/tags.js'
import { InvalidArguments } from '../errors/operation-errors.js'
import { wellFormed } from './well-formed.js'

/** Cleans the tags of a request. @throws InvalidArguments for a tag that is too long */
export function checkedTags (tags: readonly string[]): string[] {
  const clean = cleanTags(tags)
  const long = clean.findIndex(tag => [...tag].length > maxTagLength)
  if (long !== -1) {
    const start = [...clean[long]!].slice(0, 20).join('')
    throw new InvalidArguments(`A tag has at most ${maxTagLength} characters; "${start}…" is longer. Shorten it.`)
  }
  return clean
}

/** Cleans a note: NFC, lines that end in LF, without characters that people cannot see. @returns null for a blank one */
export function cleanNote (note: string): string | null {
  const text = normalForm(wellFormed(note.replace(/\r\n?/g, '\n')), 'NFC').trim()
  return text === '' ? null : text
}

/** New tags and a new note, clean. */
type TextMarks = { [Name in 'tags' | 'note']: ItemMarks[Name] | undefined }

/** Whether tags or a note exceed what an item takes, unless a merge of papers gave it as much. */
export const exceedsLimits = ({ tags = [], note = null }: TextMarks): boolean => tags.length > maxTags || lengthOf(note) > maxNoteLength

/**
 * Lets the owner reduce the tags and the note of a merged item step by step.
 * @throws InvalidArguments if tags or note exceed the limits and the item has other tags, or a shorter note
 */
export function requireReduced ({ tags = [], note = null }: TextMarks, stored: Pick<ItemMarks, 'tags' | 'note'>): void {
  const keys = new Set(stored.tags.map(tagKey))
  if (tags.length > maxTags && !tags.every(tag => keys.has(tagKey(tag)))) throw tooLong('tags', `must have at most ${maxTags} items`)
  if (lengthOf(note) > Math.max(maxNoteLength, lengthOf(stored.note))) {
    throw tooLong('note', `must have at most ${maxNoteLength} characters`)
  }
}

/**
 * A new note that replaces the stored one, or is added to it if it is based on another. Paragraphs that both have stand once.
 * @param bases the notes that it may replace; undefined: any @throws InvalidArguments if both together are too long
 */
export function uniteNotes (stored: string | null, note: string | null, bases: ReadonlyArray<string | null> | undefined): string | null {
  if (stored === null || bases === undefined || bases.includes(stored) || hasParagraphs(note, stored)) return note
  if (note === null || hasParagraphs(stored, note)) return stored
  const united = `${stored}\n\n${note}`
  if (united.length > maxUnitedNoteLength) throw tooLong('note', `must have at most ${maxUnitedNoteLength} characters with the stored one`)
  return united
}

const hasParagraphs = (note: string | null, other: string) => `\n\n${note ?? ''}\n\n`.includes(`\n\n${other}\n\n`)
const lengthOf = (note: string | null): number => note === null ? 0 : [...note].length
const tooLong = (argument: string, problem: string) =>
  new InvalidArguments(`${argument} ${problem}`, { invalid: { path: argument, problem } })
