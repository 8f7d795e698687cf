import { parseFeed } from 'feedsmith'
import { object, objects, readAll, said, text, textOf } from '../answers.js'
import { decodeFile } from '../formats/decode.js'
import { readFeedEntry } from '../records/feed-entry.js'
import { type Source, SourceError } from '../source.js'

const title = 'The feed'
/** Entries at most, the first ones: a feed that holds more is an archive. */
const mostEntries = 2000

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
    const answer = await fetch(new URL(address), { headers: { accept: 'application/atom+xml, application/rss+xml, application/rdf+xml, application/xml;q=0.9, */*;q=0.5' }, maxBytes: 8 * 1024 * 1024 })
    if (answer.status >= 400) textOf(answer, title)
    const pieces: string[] = []
    for await (const piece of decodeFile(once(answer.bytes))) pieces.push(piece)
    const parsed = parse(pieces.join(''))
    const entries = objects(parsed.items ?? parsed.entries).slice(0, mostEntries)
    const head = { address, title: text(parsed.title) || text(object(parsed.title).value) }
    if (entries.length > 0) yield { readings: readAll(entries, entry => readFeedEntry(entry, head)), cursor: null }
  }
}

/** @throws SourceError */
function parse (document: string): Record<string, unknown> {
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
