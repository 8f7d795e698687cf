import { sql } from 'kysely'
import { uniqueKinds } from '../../schemas/notice.js'
import { areCompatible } from '../../schemas/partial-date.js'
import type { Db } from '../connection.js'
import type { PaperNoticeTable } from '../tables/notices.js'
import { anyText, anyUuid } from './any-of.js'

type Identity = Pick<PaperNoticeTable, 'source' | 'kind' | 'reference' | 'date' | 'doi' | 'pmid'>

/**
 * Gives stored notices the references under which their source states them now. A source may add an identifier later, or take one back: the
 * notice stays the same then, and is no news to those who were told of it.
 */
export async function renameNotices (
  transaction: Db,
  checked: ReadonlyArray<{ id: string, notices: readonly Identity[], isPartial?: boolean }>,
  sources: readonly string[]
): Promise<void> {
  const papers = checked.filter(({ notices }) => notices.length > 0)
  if (papers.length === 0) return
  const stored = await transaction.selectFrom('paper_notice')
    .select(['id', 'paper_id', 'source', 'kind', 'reference', 'date', 'doi', 'pmid'])
    .where('paper_id', '=', anyUuid(papers.map(({ id }) => id))).where('source', '=', anyText(sources)).where('withdrawn_at', 'is', null)
    .execute()
  const ofPaper = new Map<string, Array<typeof stored[number]>>()
  for (const row of stored) ofPaper.set(row.paper_id, [...ofPaper.get(row.paper_id) ?? [], row])
  const renamed = papers.flatMap(({ id, notices, isPartial }) => listRenamed(ofPaper.get(id) ?? [], notices, isPartial))
  if (renamed.length === 0) return
  await sql`
    update paper_notice set reference = renamed.reference
    from jsonb_to_recordset(${JSON.stringify(renamed)}::jsonb) as renamed (id uuid, reference text)
    where paper_notice.id = renamed.id`.execute(transaction)
}

/**
 * The current notices on a paper whose source now states them under another reference. Notices are the same if they share an identifier,
 * or else if their dates agree or one has none and no other could be meant: two corrections of one day stay two.
 * @param isPartial whether the source may state more: then only an identifier tells
 */
export function listRenamed (
  stored: ReadonlyArray<Identity & { id: string }>,
  stated: readonly Identity[],
  isPartial = false
): Array<{ id: string, reference: string }> {
  const keyOf = ({ source, kind, reference }: Identity) => `${source} ${kind} ${reference}`
  const [storedKeys, statedKeys] = [new Set(stored.map(keyOf)), new Set(stated.map(keyOf))]
  const lost = new Set(stored.filter(notice => !statedKeys.has(keyOf(notice))))
  const gained = new Set(stated.filter(notice => !storedKeys.has(keyOf(notice))))
  const renamed: Array<{ id: string, reference: string }> = []
  for (const isSame of isPartial ? rules.slice(0, 1) : rules) {
    const matches = (a: Identity, b: Identity) =>
      a.source === b.source && a.kind === b.kind && scopeOf(a) === scopeOf(b) && isSame(idsOf(a), idsOf(b))
    // All that a rule could mean, before any is taken.
    const meant = new Map([...gained].map(notice => [notice, [...lost].filter(former => matches(former, notice))]))
    const counts = new Map<Identity, number>()
    for (const former of [...meant.values()].flat()) counts.set(former, (counts.get(former) ?? 0) + 1)
    for (const [notice, formers] of meant) {
      const isClear = uniqueKinds.has(notice.kind) || (formers.length === 1 && counts.get(formers[0]!) === 1)
      const former = isClear ? formers.find(each => lost.has(each)) : undefined
      if (former === undefined) continue
      lost.delete(former)
      gained.delete(notice)
      renamed.push({ id: former.id, reference: notice.reference })
    }
  }
  return renamed
}

/** What tells a notice from others of its kind. */
interface Ids { date: string | null, doi: string | null, pmid: string | null, isVersion: boolean }

/** A notice on the published form of a preprint names that form, and has its DOI. */
const ofForm = /^form:(\S+) (.*)$/s

const scopeOf = ({ reference }: Identity): string => ofForm.exec(reference)?.[1] ?? ''

function idsOf ({ reference, date, doi, pmid }: Identity): Ids {
  const ofOther = ofForm.exec(reference)?.[2]
  const named = (name: string) => ofOther?.startsWith(name) === true ? ofOther.slice(name.length) : null
  return {
    date,
    doi: ofOther === undefined ? doi : named('doi:'),
    pmid: ofOther === undefined ? pmid : named('pmid:'),
    // Each version of a preprint is news.
    isVersion: /^(?:arxiv:|v\d+$)/.test(reference)
  }
}

const isNamed = ({ doi, pmid }: Ids): boolean => doi !== null || pmid !== null

/** Whether notices state different identifiers of one kind. */
const contradict = (a: Ids, b: Ids): boolean =>
  (a.doi !== null && b.doi !== null && a.doi !== b.doi) || (a.pmid !== null && b.pmid !== null && a.pmid !== b.pmid)

const mayBeSame = (a: Ids, b: Ids): boolean => !a.isVersion && !b.isVersion && !contradict(a, b)

/** When two notices are one, surest first. */
const rules: ReadonlyArray<(a: Ids, b: Ids) => boolean> = [
  (a, b) => (a.doi !== null && a.doi === b.doi) || (a.pmid !== null && a.pmid === b.pmid),
  (a, b) => mayBeSame(a, b) && a.date !== null && a.date === b.date,
  (a, b) => mayBeSame(a, b) && a.date !== null && b.date !== null && areCompatible(a.date, b.date),
  (a, b) => mayBeSame(a, b) && (a.date === null || b.date === null) && !(isNamed(a) && isNamed(b))
]
