import { type Kysely, sql } from 'kysely'

/** Texts that LaTeX can change: a formula, a command or quotes. */
const mayHaveLatex = sql`~ '[$\\\\]|\`\`'`

/** Indexes papers with LaTeX again, by their words as they are displayed. */
export async function up (db: Kysely<any>): Promise<void> {
  await sql`
    insert into search_pending (project_id, item_id)
    select project_paper.project_id, project_paper.id from project_paper join paper on paper.id = project_paper.paper_id
    where paper.title ${mayHaveLatex} or paper.abstract ${mayHaveLatex} or project_paper.summary ${mayHaveLatex}
      or paper.authors::text ${mayHaveLatex}`.execute(db)
}
