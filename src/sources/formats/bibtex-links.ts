import type { RawEntry } from './bibtex-entries.js'
import { longestRecord } from './lines.js'

/** Definitions of abbreviations, all together, that are kept for the entries after them. */
const mostStrings = 4 * 1024 * 1024
/** Books and proceedings, all together, that are kept for the papers in them. */
const mostParents = 16 * 1024 * 1024

export const crossrefForm = /\bcrossref\s*=\s*[{"]\s*(?<key>[^\s,{}"]+)\s*[}"]\s*,?/i
const parentTypes = new Set(['book', 'collection', 'conference', 'inproceedings', 'mvbook', 'mvcollection', 'mvproceedings', 'mvreference', 'periodical', 'proceedings', 'reference'])

/** The file's @string definitions. */
export class Strings {
  readonly #texts = new Map<string, string>()
  #size = 0

  add (text: string): void {
    const name = /^@\s*string\s*[{(]\s*([^\s=]+)\s*=/i.exec(text)?.[1]?.toLowerCase()
    if (name === undefined || this.#size + text.length > mostStrings) return
    this.#size += text.length
    this.#texts.set(name, text)
  }

  /** The definitions of the words in a text, and of those in their definitions before them. */
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

/** An entry that can be read now, with its place and the text of the entry that it refers to. */
export interface Met { entry: RawEntry, place: number, parent?: string }

/** Papers wait here for the book or proceedings that they name with "crossref", since BibTeX puts those behind them. */
export class Parents {
  readonly #known = new Map<string, string>()
  #knownSize = 0
  /** By the key that they wait for. */
  readonly #waiting = new Map<string, Met[]>()
  #waitingSize = 0

  /** Those whose book did not come. */
  left (): Met[] {
    const left = [...this.#waiting.values()].flat().sort((a, b) => a.place - b.place)
    this.#waiting.clear()
    this.#waitingSize = 0
    return left
  }

  /** The entries that can be read when this one has come: those that waited for it, then itself, unless it must wait. */
  * meet (place: number, entry: RawEntry): Iterable<Met> {
    const own = entry.key.toLowerCase()
    const wanted = crossrefForm.exec(entry.text)?.groups?.key?.toLowerCase()
    const parent = wanted === undefined ? undefined : this.#known.get(wanted)
    if (own !== '' && entry.fault === undefined) yield * this.#release(entry, own)
    if (wanted === undefined || wanted === own) yield { entry, place }
    else if (parent !== undefined) yield { entry, place, parent }
    else {
      const waiting = this.#waiting.get(wanted)
      if (waiting === undefined) this.#waiting.set(wanted, [{ entry, place }])
      else waiting.push({ entry, place })
      this.#waitingSize += entry.text.length
    }
    if (this.#waitingSize > longestRecord) yield * this.left()
  }

  * #release (entry: RawEntry, key: string): Iterable<Met> {
    if (parentTypes.has(entry.type) && this.#knownSize + entry.text.length <= mostParents) {
      this.#known.set(key, entry.text)
      this.#knownSize += entry.text.length
    }
    const released = this.#waiting.get(key) ?? []
    this.#waiting.delete(key)
    for (const { entry: child, place } of released) {
      this.#waitingSize -= child.text.length
      yield { entry: child, place, parent: entry.text }
    }
  }
}
