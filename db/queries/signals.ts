import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Author } from '../../schemas/paper.js'
import type { Db } from '../connection.js'
import { anyAlikePaper, type FormField } from './alike-papers.js'
import { anyUuid } from './any-of.js'
import { journalIds, type JournalIds } from './follows.js'
import { readInIndexOrder } from './index-order.js'
import { isOwnProject, isVisibleToKey, type ProjectIds } from './ownership.js'

/** Papers of one owner that may name a DOI as that of their other form. If more do, it is that of a volume, and they are not one work. */
const maxNaming = 3

/** The DOI of a paper's other form, as SQL; null if too many papers name it, shared ones or its owner's. */
const formOf = (field: FormField) => {
  const name = sql.lit(field)
  // Without the order, the planner may read the table until it has met enough of them.
  const isNamedByFew = (isOwner: RawBuilder<unknown>) => sql`(select count(*) from (
    select from paper as naming
    where naming.metadata ? ${name} and lower(naming.metadata->>${name}) = lower(paper.metadata->>${name}) and ${isOwner}
    order by naming.account_id, naming.created_at, naming.id limit ${sql.lit(maxNaming + 1)}) as named) <= ${sql.lit(maxNaming)}`
  return sql<string | null>`case when paper.metadata ? ${name} and ${isNamedByFew(sql`naming.account_id is null`)}
    and ${isNamedByFew(sql`naming.account_id = paper.account_id`)} then paper.metadata->>${name} end`.as(field)
}

/** Identifiers by which references name a work: those of the paper, and the DOIs of its other forms. */
export const workIds = [
  'paper.doi', 'paper.arxiv_id', 'paper.pmid', 'paper.openalex_id', formOf('published_doi'), formOf('preprint_doi')
] as const
/** As a text: an array would be parsed character by character. Identifiers contain no spaces. */
const cited = sql<string | null>`array_to_string(paper_citation.cited, ' ')`

/**
 * The papers that the account starred or upvoted in a project: starred ones first, then the newest votes. The limit comes before the join,
 * which would otherwise read every liked paper.
 */
export const listLikedPapers = (db: Db, accountId: string, projectId: string, limit: number) => readInIndexOrder(db, transaction =>
  transaction.selectFrom(eb => eb.selectFrom('project_paper').select(['paper_id', 'voted_at'])
    .select(sql<boolean>`vote = 'star'`.as('starred'))
    .where('project_id', '=', projectId).where(isOwnProject(accountId, projectId))
    // Literals, as in the partial index.
    .where(sql<SqlBool>`vote in ('star', 'upvote')`)
    .orderBy('starred', 'desc').orderBy('voted_at', 'desc').orderBy('paper_id').limit(limit).as('liked'))
    .innerJoin('paper', 'paper.id', 'liked.paper_id')
    .select(['paper.id as paper_id', 'paper.title', 'liked.starred'])
    .orderBy('liked.starred', 'desc').orderBy('liked.voted_at', 'desc').orderBy('paper.id').execute())

/** Service-wide facts of papers that the caller has read already: their identifiers and references. */
export const listReferences = (db: Db, paperIds: readonly string[]) =>
  db.selectFrom('paper').leftJoin('paper_citation', 'paper_citation.paper_id', 'paper.id')
    .select(['paper.id as paper_id']).select(workIds).select(cited.as('cited'))
    .where('paper.id', '=', anyUuid(paperIds)).execute()

/** The same for what follows are compared with. */
export const listPeople = (db: Db, paperIds: readonly string[]): Promise<PeopleOfPaper[]> =>
  db.selectFrom('paper').select(['paper.id as paper_id', 'paper.authors', 'paper.venue_name']).select(journalIds.as('metadata'))
    .where('paper.id', '=', anyUuid(paperIds)).execute()

interface PeopleOfPaper { paper_id: string, authors: Author[], venue_name: string | null, metadata: JournalIds }

/** Identifiers by which papers are looked up. */
export interface CitedIds { dois: readonly string[], arxivIds: readonly string[], pmids: readonly string[], openalexIds: readonly string[] }

/** Any of the papers with one of these identifiers, or that name one of the DOIs as that of their other form: shared ones and its own. */
const anyOfForms = (accountId: string, { dois, arxivIds, pmids, openalexIds }: CitedIds) => anyAlikePaper(accountId, {
  doi: dois, arxiv_id: arxivIds, pmid: pmids, openalex_id: openalexIds, published_doi: dois, preprint_doi: dois
})

/** The identifiers of stored papers with one of these, or whose other form has it: of shared papers and the account's own. */
export const listIdentifiers = (db: Db, accountId: string, ids: CitedIds) =>
  db.selectFrom('paper').select(workIds).where('paper.id', '=', anyOfForms(accountId, ids)).execute()

/**
 * The account's liked papers with one of these identifiers, or whose other form has it, along their indexes: a few look-ups for each
 * identifier.
 * @param projectIds limits it to these feeds
 */
export const listCitedLikes = (db: Db, accountId: string, ids: CitedIds, projectIds: ProjectIds = null) =>
  db.selectFrom('project_paper').innerJoin('project', 'project.id', 'project_paper.project_id')
    .innerJoin('paper', 'paper.id', 'project_paper.paper_id')
    .select(['project_paper.project_id', 'paper.id as paper_id', 'paper.title'])
    .select(sql<'upvote' | 'star'>`project_paper.vote`.as('vote')).select(workIds)
    .where('project.account_id', '=', accountId).where(isVisibleToKey(projectIds)).where('vote', 'in', ['star', 'upvote'])
    .where('project_paper.paper_id', '=', anyOfForms(accountId, ids))
    .orderBy('voted_at', 'desc').orderBy('project_paper.id').limit(100).execute()
