import { jsonOf, objects, object, readAll, text } from './answers.js'
import { readEuropepmc } from './records/europepmc.js'
import { type Source, SourceError } from './source.js'
import { anyOf, topicsOf, unbalanced } from './topics.js'

const title = 'Europe PMC'
const pageSize = 200

/** @see https://europepmc.org/RestfulWebService */
export const europepmc: Source = {
  name: 'europepmc',
  title,
  covers: 'The life sciences: all of PubMed, and preprints of many servers.',
  queryHelp: 'Europe PMC\'s query language. Example: (TITLE_ABS:"gene editing" AND SRC:PPR) OR AUTH:"Doudna J".',
  group: 'europepmc',
  interval: 1000,
  urlSetting: 'EUROPEPMC_URL',
  defaultUrl: 'https://www.ebi.ac.uk/europepmc/webservices/rest',
  queryOf: interest => anyOf(topicsOf(interest), phrase => `TITLE_ABS:${phrase}`),
  check: unbalanced,
  async * search ({ fetch, baseUrl, contact }, { query, from, to, cursor }) {
    for (let mark = cursor ?? '*'; ;) {
      const url = new URL(`${baseUrl}/search`)
      url.search = String(new URLSearchParams({
        query: `(${query}) AND (FIRST_IDATE:[${from} TO ${to}])`,
        format: 'json',
        resultType: 'core',
        pageSize: String(pageSize),
        cursorMark: mark,
        ...(contact === undefined ? {} : { email: contact })
      }))
      const answer = jsonOf(await fetch(url), title)
      if (answer.resultList === undefined) {
        // Errors come with status 200.
        const code = Number(text(answer.errCode) || 0)
        const fault = code >= 500 ? 'unavailable' : code >= 400 ? 'bad_query' : 'wrong_answer'
        throw new SourceError(fault, `Europe PMC cannot answer the question: ${(text(answer.errMsg) || 'it sent no list of results').slice(0, 200)}.`)
      }
      const results = objects(object(answer.resultList).result)
      if (results.length === 0) return
      const next = text(answer.nextCursorMark)
      const last = next === '' || next === mark
      yield { readings: readAll(results, readEuropepmc), cursor: last ? null : next }
      if (last) return
      mark = next
    }
  }
}
