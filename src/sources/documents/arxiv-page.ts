import type { HttpResponse } from '../../http/client.js'
import { excerpt, rejectedQuery, unexpectedAnswer } from '../requests/answers.js'
import type { Page } from '../requests/bisect.js'
import { type Caller, headOf, readRecordPage } from '../requests/read-answer.js'
import { arxivAtom } from '../formats/arxiv-atom.js'
import { plainText } from '../formats/plain-text.js'
import { SourceError } from '../source.js'

const title = 'arXiv'

/**
 * Parses an answer of arXiv's API: its entries, the number of results, and what ended the answer early.
 * @param query the query that was sent; empty for a list of ids
 * @throws SourceError
 */
export async function parseArxivPage (answer: HttpResponse, query: string, caller: Caller): Promise<Page & { total: number }> {
  // An entry explains a bad query, under any status.
  const text = headOf(answer.status === 400 ? { ...answer, status: 200 } : answer, title)
  const head = text.slice(0, 8192)
  const at = head.search(/\/api\/errors[^<>]{0,500}<\/id>/)
  const error = at === -1 ? undefined : /<summary[^<>]*>([^<]{1,500})<\/summary>/.exec(head.slice(at))?.[1]
  if (error !== undefined) throw rejectedQuery(title, plainText(error))
  if (!/<feed[\s>]/.test(head)) {
    throw answer.status === 400 ? rejectedQuery(title, excerpt(text), 400) : unexpectedAnswer(title, 'an Atom feed', text)
  }
  // arXiv searches all fields for a field that it does not know, and says so only in the feed's title.
  const asked = plainText(/<title[^<>]*>([^<]{1,4000})<\/title>/.exec(head)?.[1] ?? '')
  const rewritten = /\ball:([A-Za-z_]+):/.exec(asked)?.[1]
  if (rewritten !== undefined && !query.includes(`all:${rewritten}:`)) {
    throw new SourceError(
      'bad_query',
      `arXiv does not know ${query.includes(`${rewritten}:`) ? `the field "${rewritten}"` : 'a field'} in the query.`,
      { detail: asked.slice(0, 160) }
    )
  }
  return { ...await readRecordPage(answer, title, arxivAtom, caller), total: Number(/totalResults[^<>]*>(\d+)</.exec(head)?.[1] ?? 0) }
}
