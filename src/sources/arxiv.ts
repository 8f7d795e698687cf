import type { OutsideAnswer } from '../http/client.js'
import { said, textOf } from './answers.js'
import { arxivAtom } from './formats/arxiv-atom.js'
import type { Reading } from './formats/format.js'
import { halving, type Piece, unreadShortfall } from './bisect.js'
import { plainText } from './formats/plain-text.js'
import { type Source, SourceError } from './source.js'
import { anyOf, topicsOf, unbalanced } from './topics.js'

const title = 'arXiv'
const pageSize = 200
/** The API shows no more of one question's results. */
const reachable = 30_000
const fields = new Set(['ti', 'au', 'abs', 'co', 'jr', 'cat', 'rn', 'id', 'all', 'submittedDate', 'lastUpdatedDate'])

/** @see https://info.arxiv.org/help/api/user-manual.html */
export const arxiv: Source = {
  name: 'arxiv',
  title,
  covers: 'Preprints in physics, mathematics, computer science, statistics, engineering, economics and quantitative biology.',
  queryHelp: 'arXiv\'s query language: fields ti, au, abs, cat, all; AND, OR, ANDNOT; quotes and parentheses. Example: cat:cs.CL AND abs:"retrieval augmented".',
  group: 'arxiv',
  // One request every three seconds, one at a time: https://info.arxiv.org/help/api/tou.html
  interval: 3000,
  // A paper has the date of its submission and is shown when it is announced: days later over a weekend, more over holidays and where moderators hold it.
  overlap: 14,
  urlSetting: 'ARXIV_URL',
  defaultUrl: 'https://export.arxiv.org',
  queryOf: interest => anyOf(topicsOf(interest), phrase => `all:${phrase}`),
  check (query) {
    const unknown = [...query.replace(/"[^"]*"/g, '""').matchAll(/([A-Za-z_]+):/g)].map(([, field]) => field!).find(field => !fields.has(field))
    if (unknown !== undefined) return `arXiv has no field "${unknown}"; it has ${[...fields].join(', ')}.`
    return unbalanced(query)
  },
  async * search ({ fetch, baseUrl }, { query, from, to, cursor }) {
    const compact = (date: string) => date.replaceAll('-', '')
    const question = `(${query}) AND submittedDate:[${compact(from)}0000 TO ${compact(to)}2359]`
    let total = Infinity
    const pieces = halving(async (start, size) => {
      const url = new URL(`${baseUrl}/api/query`)
      // The oldest first: what arrives meanwhile stands behind what was read.
      url.search = String(new URLSearchParams({ search_query: question, start: String(start), max_results: String(size), sortBy: 'submittedDate', sortOrder: 'ascending' }))
      const page = await readPage(await fetch(url), query)
      total = page.total
      return page
    })
    for (let start = Number(cursor ?? 0); start < total; start += pageSize) {
      if (start >= reachable) {
        yield { readings: [], cursor: null, shortfall: `arXiv has ${total} papers for this question, and shows ${reachable}. Ask for less.` }
        return
      }
      const readings = await pieces.read(start, pageSize)
      // It happens for a moment: taken for the end, it would hide the rest for good.
      if (readings.length === 0 && start < total) throw new SourceError('unavailable', `arXiv answered without papers where it has ${total - start} more.`)
      if (readings.length === 0) break
      const next = start + pageSize
      yield { readings, cursor: next < total ? String(next) : null, shortfall: unreadShortfall(title, pieces.unread) }
    }
  }
}

async function readPage (answer: OutsideAnswer, query: string): Promise<Piece & { total: number }> {
  // A wrong question is explained in an entry, under whatever status.
  const text = answer.status === 400 ? answer.bytes.toString('utf8') : textOf(answer, title)
  const head = text.slice(0, 8192)
  const error = /<id>[^<]*\/api\/errors[^<]*<\/id>[^]*?<summary[^>]*>([^<]{1,500})<\/summary>/.exec(head)?.[1]
  if (error !== undefined) throw new SourceError('bad_query', `arXiv cannot answer the question: ${plainText(error)}.`)
  if (!/<feed[\s>]/.test(head)) throw new SourceError(answer.status === 400 ? 'bad_query' : 'wrong_answer', `arXiv answered with something that is no Atom feed${said(text)}.`)
  // What arXiv does not understand it asks for everywhere, and says so in the feed's title alone.
  const asked = plainText(/<title[^>]*>([^<]{1,4000})<\/title>/.exec(head)?.[1] ?? '')
  const rewritten = /\ball:([A-Za-z_]+):/.exec(asked)?.[1]
  if (rewritten !== undefined && !query.includes(`all:${rewritten}:`)) throw new SourceError('bad_query', `arXiv does not understand "${rewritten}:" in the question.`)
  const readings: Reading[] = []
  let broken: string | undefined
  for await (const reading of arxivAtom.read(once(text))) {
    if ('reason' in reading && reading.ended === true) broken = reading.reason
    readings.push(reading)
  }
  return { readings, total: Number(/totalResults[^>]*>(\d+)</.exec(head)?.[1] ?? 0), broken }
}

async function * once (text: string): AsyncIterable<string> {
  yield text
}
