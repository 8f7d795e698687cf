import type { RawEntry } from './bibtex-entries.js'
import { maxRecordCharacters } from './lines.js'

/** Maximum total size of abbreviations in memory. */
const maxStringCharacters = 4 * 1024 * 1024
/** Maximum total size of books and proceedings in memory. */
const maxParentCharacters = 16 * 1024 * 1024

export const crossrefForm = /\bcrossref\s*=\s*[{"]\s*(?<key>[^\s,{}"]+)\s*[}"]\s*,?/i
const parentTypes = new Set([
  'book',
  'collection',
  'conference',
  'inproceedings',
  'mvbook',
  'mvcollection',
  'mvproceedings',
  'mvreference',
  'periodical',
  'proceedings',
  'reference'
])

/** The file's @string definitions. */
export class Strings {
  readonly #texts = new Map<string, string>()
  #size = 0

  add (text: string): void {
    const name = /^@\s*string\s*[{(]\s*([^\s=]+)\s*=/i.exec(text)?.[1]?.toLowerCase()
    if (name === undefined || this.#size + text.length > maxStringCharacters) return
    this.#size += text.length
    this.#texts.set(name, text)
  }

  /** Returns the definitions that a text uses, each after the definitions that it uses itself. */
  usedIn (text: string): string {
    const used = new Map<string, string>()
    this.#collect(text, used, 0)
    return [...used.values()].map(each => `${each}\n`).join('')
  }

  #collect (text: string, used: Map<string, string>, depth: number): void {
    if (this.#texts.size === 0 || depth > 10) return
    for (const [, word] of text.matchAll(/[=#]\s*([^\s,={}"#%()\d][^\s,={}"#%()]*)/g)) {
      const name = word!.toLowerCase()
      const definition = this.#texts.get(name)
      if (definition === undefined || used.has(name)) continue
      this.#collect(definition, used, depth + 1)
      used.set(name, definition)
    }
  }
}

/** An entry with its position, and the text of the entry that it refers to. */
export interface LinkedEntry { entry: RawEntry, place: number, parent?: string }

/** Holds papers until the book or proceedings of their "crossref" is read, which BibTeX places after them. */
export class Parents {
  readonly #textByKey = new Map<string, string>()
  #parentCharacters = 0
  /** Held entries by the key of their crossref. */
  readonly #pending = new Map<string, LinkedEntry[]>()
  #pendingCharacters = 0

  /** Returns entries whose crossref was not found. */
  unresolved (): LinkedEntry[] {
    const unresolved = [...this.#pending.values()].flat().sort((a, b) => a.place - b.place)
    this.#pending.clear()
    this.#pendingCharacters = 0
    return unresolved
  }

  /** Returns the entries that this entry completes, then the entry itself unless its crossref is still missing. */
  * add (place: number, entry: RawEntry): Iterable<LinkedEntry> {
    const own = entry.key.toLowerCase()
    const parentKey = crossrefForm.exec(entry.text)?.groups?.key?.toLowerCase()
    const parent = parentKey === undefined ? undefined : this.#textByKey.get(parentKey)
    if (own !== '' && entry.fault === undefined) yield * this.#release(entry, own)
    if (parentKey === undefined || parentKey === own) yield { entry, place }
    else if (parent !== undefined) yield { entry, place, parent }
    else {
      const waiting = this.#pending.get(parentKey)
      if (waiting === undefined) this.#pending.set(parentKey, [{ entry, place }])
      else waiting.push({ entry, place })
      this.#pendingCharacters += entry.text.length
    }
    if (this.#pendingCharacters > maxRecordCharacters) yield * this.unresolved()
  }

  * #release (entry: RawEntry, key: string): Iterable<LinkedEntry> {
    if (parentTypes.has(entry.type) && this.#parentCharacters + entry.text.length <= maxParentCharacters) {
      this.#textByKey.set(key, entry.text)
      this.#parentCharacters += entry.text.length
    }
    const released = this.#pending.get(key) ?? []
    this.#pending.delete(key)
    for (const { entry: child, place } of released) {
      this.#pendingCharacters -= child.text.length
      yield { entry: child, place, parent: entry.text }
    }
  }
}
