import { normalForm } from './normal-form.js'
import { visibleText } from './visible-text.js'

/** A tag as it is stored: NFC, trimmed, with single spaces, without characters that people cannot see. */
export const cleanTag = (tag: string): string => normalForm(visibleText(tag.toWellFormed()), 'NFC').replace(/\s+/gu, ' ').trim()

/** The form of a tag in which tags that differ in case alone are equal. */
export const tagKey = (tag: string): string => normalForm(cleanTag(tag).toUpperCase().toLowerCase(), 'NFC')

/** Cleans tags. Drops blank ones, and all but the first of those that differ in case alone. */
export function cleanTags (tags: readonly string[]): string[] {
  const byKey = new Map<string, string>()
  for (const tag of tags.map(cleanTag)) if (tag !== '' && !byKey.has(tagKey(tag))) byKey.set(tagKey(tag), tag)
  return [...byKey.values()]
}
