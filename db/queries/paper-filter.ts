import { type Expression, sql, type SqlBool } from 'kysely'
import { apostrophes, foldedLetters, hyphens, nameSpellings } from '../../schemas/name-form.js'
import type { PaperFilter } from '../../schemas/search-filter.js'
import { markdownReady } from './papers.js'

/** Whether a part is in a name; case and accents do not matter, and no character has a meaning of its own. */
const contains = (name: Expression<unknown>, part: string) =>
  sql<SqlBool>`position(${sqlNameForm(sql`${part}::text`)} in ${sqlNameForm(name)}) > 0`

/** Letters that become one letter, and those that become two, with their capitals, which few collations know. */
const letters = Object.entries(foldedLetters).flatMap(([letter, plain]) => [letter, letter.toUpperCase()]
  .filter(each => [...each].length === 1 && each > '\x7f').map(each => [each, plain] as const))
const [single, double] = [
  letters.filter(([, plain]) => plain.length === 1),
  // JavaScript has no single capital of "ß".
  [...letters.filter(([, plain]) => plain.length > 1), ['ẞ', 'ss'] as const]
]
const translated = [single.map(([letter]) => letter).join('') + hyphens + apostrophes + 'ς',
  single.map(([, plain]) => plain).join('') + '-'.repeat(hyphens.length) + "'".repeat(apostrophes.length) + 'σ'] as const

/** As `nameForm`. */
function sqlNameForm (text: Expression<unknown>): Expression<string> {
  const withoutMarks = sql<string>`normalize(regexp_replace(normalize(${text}, nfd), '[\\u0300-\\u036f]', '', 'g'), nfc)`
  const plain = double.reduce(
    (text, [letter, plain]) => sql<string>`replace(${text}, ${sql.lit(letter)}, ${sql.lit(plain)})`,
    sql<string>`translate(${withoutMarks}, ${sql.lit(translated[0])}, ${sql.lit(translated[1])})`
  )
  return sql<string>`lower(case when ${text} ~ '[^\\x01-\\x7f]' then ${plain} else ${text} end)`
}

/** A filter as SQL conditions on rows of `project_paper`. Dates are YYYY-MM-DD, so their order is that of text. */
export function paperConditions (filter: PaperFilter): Array<Expression<SqlBool>> {
  const { yearFrom, yearTo, venue, issn, author, authorId, hasFullText, minScore, maxScore } = filter
  const conditions: Array<Expression<SqlBool>> = []
  if (yearFrom !== undefined) conditions.push(sql<SqlBool>`project_paper.published_date >= ${`${yearFrom}-01-01`}::date`)
  if (yearTo !== undefined) conditions.push(sql<SqlBool>`project_paper.published_date <= ${`${yearTo}-12-31`}::date`)
  if (venue !== undefined) conditions.push(ofPaper(contains(sql.ref('paper.venue_name'), venue)))
  if (author !== undefined) {
    const isNamed = sql.join(nameSpellings(author).map(spelling => contains(sql`author ->> 'name'`, spelling)), sql` or `)
    conditions.push(ofPaper(sql<SqlBool>`exists (select from jsonb_array_elements(paper.authors) as author where ${isNamed})`))
  }
  if (issn !== undefined) {
    conditions.push(ofPaper(sql<SqlBool>`(paper.metadata->>'issn' = ${issn} or paper.metadata->>'issn_l' = ${issn}
      or paper.metadata->'issns' @> ${JSON.stringify([issn])}::jsonb)`))
  }
  if (authorId !== undefined) conditions.push(ofPaper(sql<SqlBool>`paper.authors @> ${JSON.stringify([authorId])}::jsonb`))
  if (hasFullText !== undefined) {
    const owner = sql`(select account_id from project as owner where owner.id = project_paper.project_id)`
    conditions.push(ofPaper(hasFullText ? markdownReady(owner) : sql<SqlBool>`not ${markdownReady(owner)}`))
  }
  if (minScore !== undefined) conditions.push(sql<SqlBool>`project_paper.relevance_score >= ${minScore}`)
  if (maxScore !== undefined && maxScore < 1) conditions.push(sql<SqlBool>`project_paper.relevance_score < ${maxScore}`)
  return conditions
}

/** Whether a filter reads lists in records, which may have thousands of authors. */
export const readsLists = ({ issn, author, authorId }: PaperFilter) => [issn, author, authorId].some(each => each !== undefined)

const ofPaper = (condition: Expression<SqlBool>) =>
  sql<SqlBool>`exists (select from paper where paper.id = project_paper.paper_id and ${condition})`
