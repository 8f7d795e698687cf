import { setImmediate as others } from 'node:timers/promises'
import { parseFeed } from 'feedsmith'
import { type JsonObject, object, objects, readAll, said, text, textOf } from './answers.js'
import { decodeFile } from './formats/decode.js'
import type { Reading } from './formats/format.js'
import { type FeedHead, readFeedEntry, venueOf } from './records/feed-entry.js'
import { type Source, SourceError } from './source.js'

const title = 'The feed'
/** Anybody may name a feed, and others wait while its document is taken apart: what that costs goes with its tags and attributes. */
const [mostMegabytes, mostTags, mostAttributes] = [2, 40_000, 40_000]
/** Entries at most, the first ones, which are the newest: a feed that holds more is an archive. */
const mostEntries = 500
/** Entries that are read before others have their turn. */
const entriesAtOnce = 10

/** RSS and Atom feeds of journals, in whichever dialect. A feed has no window: what stands in it is new, or known already. */
export const feed: Source = {
  name: 'feed',
  title: 'RSS or Atom feed',
  covers: 'One journal or group of your choice, by the address of its RSS or Atom feed.',
  queryHelp: 'The address of a journal\'s RSS or Atom feed. Example: https://journal.example.org/rss/latest.xml.',
  group: 'feed',
  interval: 500,
  urlSetting: null,
  defaultUrl: '',
  queryOf: () => '',
  check: query => /^https?:\/\/[^\s/]+/i.test(query.trim()) && URL.canParse(query.trim()) ? null : 'a feed is named by its address, which begins with http:// or https://.',
  async * search ({ fetch }, { query }) {
    const address = query.trim()
    const answer = await fetch(new URL(address), { headers: { accept: 'application/atom+xml, application/rss+xml, application/rdf+xml, application/xml;q=0.9, */*;q=0.5' }, maxBytes: mostMegabytes * 1024 * 1024 })
    if (answer.status >= 400) textOf(answer, title)
    const pieces: string[] = []
    for await (const piece of decodeFile(once(answer.bytes))) pieces.push(piece)
    const parsed = parse(pieces.join(''))
    const all = objects(parsed.items ?? parsed.entries)
    const entries = all.slice(0, mostEntries)
    const shortfall = all.length > mostEntries ? `The feed has ${all.length} entries, of which the first ${mostEntries} were read.` : undefined
    const head = { address, venue: venueOf(text(parsed.title) || text(object(parsed.title).value)) }
    if (entries.length > 0) yield { readings: await readEntries(entries, head), cursor: null, shortfall }
  }
}

async function readEntries (entries: JsonObject[], head: FeedHead): Promise<Reading[]> {
  const readings: Reading[] = []
  for (let at = 0; at < entries.length; at += entriesAtOnce) {
    readings.push(...readAll(entries.slice(at, at + entriesAtOnce), entry => readFeedEntry(entry, head)).map((reading, place) => ({ ...reading, place: at + place + 1 })))
    await others()
  }
  return readings
}

/** @throws SourceError */
function parse (document: string): Record<string, unknown> {
  for (const [mark, most, what] of [['<', mostTags, 'tags'], ['=', mostAttributes, 'attributes']] as const) {
    if (hasMore(document, mark, most)) throw new SourceError('wrong_answer', `The feed has more than ${most} ${what}, which is the most that is read. Name one with fewer or shorter entries.`)
  }
  // A feed that was cut off would read as a shorter one.
  if (/^\s*</.test(document) && !/<\/(?:\w+:)?(?:feed|rss|RDF)\s*>$/.test(withoutEndComments(document).slice(-100))) {
    throw new SourceError('wrong_answer', `The address answered with something that is no whole RSS or Atom feed${said(document)}.`)
  }
  try {
    return object(parseFeed(document).feed)
  } catch (cause) {
    throw new SourceError('wrong_answer', `The address answered with something that is no RSS or Atom feed${said(document)}.`, { cause })
  }
}

function hasMore (document: string, mark: string, most: number): boolean {
  let count = 0
  for (let at = document.indexOf(mark); at !== -1; at = document.indexOf(mark, at + 1)) if (++count > most) return true
  return false
}

/** A document without the comments that may follow its last element. */
function withoutEndComments (document: string): string {
  let rest = document.trimEnd()
  while (rest.endsWith('-->')) {
    const begin = rest.lastIndexOf('<!--')
    if (begin === -1) break
    rest = rest.slice(0, begin).trimEnd()
  }
  return rest
}

async function * once (bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}
