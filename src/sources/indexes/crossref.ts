import { setTimeout as sleep } from 'node:timers/promises'
import { jsonOf, object, objects, readAll, text } from '../answers.js'
import { readCrossref } from '../records/crossref.js'
import { type Source, SourceError } from '../source.js'
import { mentions, topicsIn, topicsOf } from '../topics.js'

const title = 'Crossref'
const pageSize = 100
/** Pages of one topic at most: what matches best comes first. */
const mostPages = 20
const types = ['journal-article', 'proceedings-article', 'posted-content', 'book-chapter']

/** @see https://api.crossref.org/swagger-ui/index.html */
export const crossref: Source = {
  name: 'crossref',
  title,
  queryHelp: 'Topics, separated by commas; a work matches that has all words of one in its title, abstract, authors or journal. Example: gene editing retina, base editors.',
  group: 'crossref',
  interval: 500,
  urlSetting: 'CROSSREF_URL',
  defaultUrl: 'https://api.crossref.org',
  queryOf: interest => topicsOf(interest).join(', '),
  check: query => topicsIn(query).length > 0 ? null : 'it names no topic; topics are words, separated by commas.',
  async * search ({ fetch, baseUrl, contact }, { query, from, to, cursor }) {
    const topics = topicsIn(query)
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
        const answer = await fetch(url)
        const { message, status } = jsonOf(answer, title)
        const { items, 'next-cursor': next } = object(message)
        if (!Array.isArray(items)) throw new SourceError('wrong_answer', `Crossref answered without a list of works (its status: ${text(status) || 'none'}).`)
        const readings = readAll(objects(items), readCrossref)
        // It matches any word of the topic, those with all of them first: behind a page without one there is none.
        const matching = readings.filter(reading => 'record' in reading && wanted([reading.record.title, reading.record.abstract, reading.record.venue_name, ...reading.record.authors.map(({ name }) => name)].join(' ')))
        more = matching.length > 0 && items.length === pageSize && typeof next === 'string' && next !== mark && page < mostPages
        yield { readings: [...matching, ...readings.filter(reading => 'reason' in reading)], cursor: more ? String(at) : at + 1 < topics.length ? String(at + 1) : null }
        mark = text(next)
        await sleep(Math.max(askedPace(answer.headers) - this.interval, 0))
      }
    }
  }
}

/** Milliseconds between requests that the answer asks for. @see https://www.crossref.org/documentation/retrieve-metadata/rest-api/access-and-authentication/ */
function askedPace (headers: Headers): number {
  const limit = Number(headers.get('x-rate-limit-limit'))
  const seconds = Number(/^(\d+)s$/.exec(headers.get('x-rate-limit-interval') ?? '')?.[1])
  return limit > 0 && seconds > 0 ? Math.min(seconds * 1000 / limit, 10_000) : 0
}
