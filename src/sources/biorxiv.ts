import { jsonOf, object, objects, readAll, text } from './answers.js'
import { dayAfter, windows } from './days.js'
import { readPreprint } from './records/preprint.js'
import { type Source, SourceError } from './source.js'
import { mentions, topicsIn, topicsOf } from './topics.js'

/** Days of one question: the service walks narrow windows well. */
const days = 3

/** The two servers of one service; it gives whole days, of which the topics are picked here. @see https://api.biorxiv.org */
const server = (name: 'biorxiv' | 'medrxiv', title: string, covers: string): Source => ({
  name,
  title,
  covers,
  queryHelp: `Topics, separated by commas; a preprint of ${title} matches that has all words of one in its title, abstract or category. * takes everything. Example: gene editing, retina.`,
  group: 'biorxiv',
  interval: 1000,
  urlSetting: 'BIORXIV_URL',
  defaultUrl: 'https://api.biorxiv.org',
  queryOf: interest => topicsOf(interest).join(', '),
  check: query => query.trim() === '*' || topicsIn(query).length > 0 ? null : 'it names no topic; topics are words, separated by commas, or * for everything.',
  async * search ({ fetch, baseUrl }, { query, from, to, cursor }) {
    const wanted = query.trim() === '*' ? () => true : mentions(topicsIn(query))
    // "2026-11-19:60" is the window that begins on the 19th, from its 60th record on.
    const [begin = from, offset = '0'] = cursor?.split(':') ?? []
    let start = Number(offset)
    for (const window of windows(begin, to, days)) {
      for (; ;) {
        const answer = jsonOf(await fetch(new URL(`${baseUrl}/details/${name}/${window.from}/${window.to}/${start}/json`)), title)
        const message = objects(answer.messages)[0]
        const status = text(message?.status)
        if (message === undefined || (answer.collection === undefined && !/no (?:posts|papers|articles)/i.test(status))) {
          throw new SourceError('wrong_answer', `${title} answered without a list of preprints${status === '' ? '' : `: ${status.slice(0, 160)}`}.`)
        }
        const all = objects(answer.collection)
        start += all.length
        // As many come at once as the service likes; the total counts versions.
        const ended = all.length === 0 || start >= Number(object(message).total ?? start)
        const readings = readAll(all, item => readPreprint(item, name)).filter(reading => 'reason' in reading || wanted(`${reading.record.title} ${reading.record.abstract} ${text(reading.record.metadata.category)}`))
        const next = ended ? windowAfter(window.to, to) : `${window.from}:${start}`
        yield { readings, cursor: next }
        if (ended) break
      }
      start = 0
    }
  }
})

const windowAfter = (end: string, last: string): string | null => end < last ? `${dayAfter(end)}:0` : null

export const biorxiv = server('biorxiv', 'bioRxiv', 'Preprints in biology.')
export const medrxiv = server('medrxiv', 'medRxiv', 'Preprints in medicine and public health.')
