import { sql } from 'kysely'
import type { Db } from '../connection.js'

/** Items of a feed whose summary is of the abstract, since a time and but for some: what must be read first, then the newest. */
export const listExtracted = (db: Db, projectId: string, since: Date, but: readonly string[], limit: number) =>
  db.selectFrom('project_paper').innerJoin('paper', 'paper.id', 'project_paper.paper_id')
    .select(['project_paper.id', 'paper.title'])
    .select(sql<string>`paper.abstract`.as('abstract'))
    .where('project_id', '=', projectId).where('summary_origin', '=', 'abstract').where('ready_at', '>=', since).where('paper.abstract', 'is not', null)
    .where(({ not }) => not(sql<boolean>`project_paper.id = any(${[...but]}::uuid[])`))
    .orderBy(sql`relevance_class = 'must_read'`, 'desc').orderBy('ready_at', 'desc').orderBy('project_paper.id').limit(limit).execute()

/** Puts a written summary in the place of the abstract's sentences. */
export const saveSummary = (db: Db, itemId: string, summary: string) =>
  db.updateTable('project_paper').set({ summary, summary_origin: 'model' }).where('id', '=', itemId).execute()
