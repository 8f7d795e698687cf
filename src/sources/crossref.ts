import { jsonOf, object, objects, readAll, text } from './answers.js'
import { readCrossref } from './records/crossref.js'
import { type Source, SourceError } from './source.js'
import { mentions, topicsIn, topicsOf } from './topics.js'

const title = 'Crossref'
const pageSize = 100
/** Pages of one topic at most: what matches best comes first. */
const mostPages = 20
const types = ['journal-article', 'proceedings-article', 'posted-content', 'book-chapter']

/** @see https://api.crossref.org/swagger-ui/index.html */
export const crossref: Source = {
  name: 'crossref',
  title,
  covers: 'Every field: what publishers register with a DOI. Abstracts are often missing.',
  queryHelp: 'Topics, separated by commas; a work matches that has all words of one in its title, abstract, authors or journal. Example: gene editing retina, base editors.',
  group: 'crossref',
  interval: 500,
  urlSetting: 'CROSSREF_URL',
  defaultUrl: 'https://api.crossref.org',
  queryOf: interest => topicsOf(interest).join(', '),
  check: query => topicsIn(query).length > 0 ? null : 'it names no topic; topics are words, separated by commas.',
  async * search ({ fetch, baseUrl, contact }, { query, from, to, cursor }) {
    const topics = topicsIn(query)
    let shortfall: string | undefined
    // A cursor of Crossref's lives five minutes: a walk goes on at the topic that it was at.
    for (let at = Number(cursor ?? 0); at < topics.length; at++) {
      const wanted = mentions([topics[at]!])
      let mark = '*'
      for (let page = 1, more = true; more; page++) {
        const url = new URL(`${baseUrl}/works`)
        url.search = String(new URLSearchParams({
          'query.bibliographic': topics[at]!,
          filter: [`from-created-date:${from}`, `until-created-date:${to}`, ...types.map(type => `type:${type}`)].join(','),
          rows: String(pageSize),
          cursor: mark,
          ...(contact === undefined ? {} : { mailto: contact })
        }))
        const { message, status } = jsonOf(await fetch(url), title)
        const { items, 'next-cursor': next } = object(message)
        if (!Array.isArray(items)) throw new SourceError('wrong_answer', `Crossref answered without a list of works (its status: ${text(status) || 'none'}).`)
        const readings = readAll(objects(items), readCrossref)
        // It matches any word of the topic, those with all of them first: behind a page without one there is none.
        const matching = readings.filter(reading => 'record' in reading && wanted([reading.record.title, reading.record.abstract, reading.record.venue_name, ...reading.record.authors.map(({ name }) => name)].join(' ')))
        const wanting = matching.length > 0 && items.length === pageSize && typeof next === 'string' && next !== mark
        more = wanting && page < mostPages
        if (wanting && !more) shortfall = `Crossref has more than ${mostPages * pageSize} works for the topic "${topics[at]!}": those that match best were looked at. Name a narrower topic.`
        yield { readings: [...matching, ...readings.filter(reading => 'reason' in reading)], cursor: more ? String(at) : at + 1 < topics.length ? String(at + 1) : null, shortfall }
        mark = text(next)
      }
    }
  }
}
