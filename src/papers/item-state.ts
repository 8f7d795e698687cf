import { maxTagLength } from '../../schemas/item-state.js'
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
  const text = wellFormed(note.replace(/\r\n?/g, '\n')).normalize('NFC').trim()
  return text === '' ? null : text
}

/** The filter of queries for the filters of a request. */
export const markFilterOf = ({ seen, saved, tag }: { seen?: boolean | undefined, saved?: boolean | undefined, tag?: string | undefined }) =>
  ({ seen, saved, tagKey: tag === undefined ? undefined : tagKey(tag) })
