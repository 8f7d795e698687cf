import type { Db } from '../../db/connection.js'

/** What a statement returned. */
export interface Answer {
  rows: readonly object[]
  /** Characters of the rows as JSON. */
  characters: number
}

/** Runs work with a database that records what each statement returned. @returns the answers, and the result of the work */
export async function recordAnswers <T> (db: Db, work: (recorded: Db) => Promise<T>): Promise<{ answers: Answer[], result: T }> {
  const answers: Answer[] = []
  const recorded = db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult ({ result }) {
      answers.push({ rows: result.rows, characters: JSON.stringify(result.rows).length })
      return result
    }
  })
  return { result: await work(recorded), answers }
}
