import type { StatedNotice } from '../../../db/queries/notice-checks.js'
import type { JsonObject } from '../../../schemas/json-object.js'
import { standingKinds, warningKinds } from '../../../schemas/notice.js'
import { firstDayOf, lastDayOf } from '../../../schemas/partial-date.js'
import { doiVersions, versionInDoi, versionlessDoi } from '../../papers/doi-versions.js'
import { arxivDoi, arxivIn, doiIn, idsIn } from '../../papers/identifiers.js'
import { createYielder } from '../../threads/yielder.js'
import { datePartsIn, partialDateOfParts } from '../formats/date-parts.js'
import { plainText } from '../formats/plain-text.js'
import { object, objects, text, texts, unexpectedAnswer } from '../requests/answers.js'
import { readItems } from '../requests/read-answer.js'
import { readPartialDate } from '../../papers/stated-date.js'
import type { NoticeSource, SourceContext } from '../source.js'
import { arxivOnly, isArxivDoi, noticeCollection, statedNotice } from './stated.js'
import { isNoticeTitle, markInTitle } from './title-marks.js'
import { noticeKindOf } from './update-types.js'

const title = 'Crossref'
/** DOIs of one request, whose address stays below 4 kB. */
const batchSize = 40
/** Notices that one batch may have. One with more is asked again in halves. */
const maxRows = 500
/** Updates of a work, and versions of it that others update, which are read. Real ones have a few. */
const maxUpdates = 100

/** The first day on which a warning may have been stated. */
const startOf = (date: string | null): string => date === null ? '' : firstDayOf(date)
/** The last day on which a reinstatement may have been stated. One without a date ends any warning. */
const endOf = (date: string | null): string => lastDayOf(date ?? '9999')

/**
 * A work names its updates in `updated-by`, and an update its work in `update-to`; publishers deposit the second, and some records lack the
 * first. Updates of Retraction Watch are among them. Likewise a preprint states `is-preprint-of`, and its published form `has-preprint`,
 * also of preprints on arXiv, which have no DOI at Crossref.
 */
export const crossrefNotices: NoticeSource = {
  identifiers: ['doi', 'arxiv'],
  batchSize,
  statedAs: [
    { name: 'crossref', title, precedence: 5 },
    { name: 'retraction-watch', title: 'Retraction Watch', precedence: 3 }
  ],
  async check (context, papers) {
    const found = noticeCollection(papers)
    const dois = papers.flatMap(({ doi }) => doi === null || isArxivDoi(doi) ? [] : doi)
    // Commas separate filters, and cannot be escaped.
    const listed = dois.filter(doi => !doi.includes(','))
    const logUnknown = (type: string) => context.log?.info({ source: 'crossref', type }, 'Crossref sent an unknown type of update.')
    let isPartial = false
    const list = async (filter: string, dois: readonly string[], select: string) => {
      const all: JsonObject[] = []
      for (let from = 0; from < dois.length; from += batchSize) {
        const { works, isTruncated } = await listWorks(context, filter, dois.slice(from, from + batchSize), select)
        if (isTruncated && papers.length > 1) throw unexpectedAnswer(title, 'all works of a list', `more than ${works.length} works`)
        isPartial ||= isTruncated
        all.push(...works)
      }
      return all
    }
    const works = await list('doi', listed, 'DOI,title,type,updated-by,update-to,relation')
    for (const doi of dois.filter(doi => !listed.includes(doi))) works.push(...await findWork(context, doi))
    for (const work of works) addForms(found, work)
    const known = listed.filter(doi => found.has('doi', doi))
    // A notice may name the version that was current then.
    const updates = updatesByDoi(await list('updates', known.flatMap(doiVersions), 'DOI,update-to'), known)
    const yieldIfDue = createYielder()
    const seen = new Set<string>()
    for (const work of works) {
      await yieldIfDue()
      const doi = doiIn(text(work.DOI))
      if (doi === null || seen.has(doi)) continue
      seen.add(doi)
      const ofVersions = updates.get(versionlessDoi(doi))
      // Both listings together: one may have the retraction alone, and the other the reinstatement that ends it.
      const stated = [...objects(work['updated-by']).slice(0, maxUpdates), ...ofVersions?.get(doi) ?? []]
      const ofOthers = [...ofVersions ?? []].flatMap(([updated, ofVersion]) => updated === doi ? [] : ofVersion)
      found.add('doi', doi, [
        ...updatesIn(stated, doi, { ofOthers, onUnknown: logUnknown }), ...noticeInTitle(work, doi, [...stated, ...ofOthers])
      ])
    }
    const preprints = works.flatMap(({ DOI, type }) => type === 'posted-content' ? doiIn(text(DOI)) ?? [] : [])
    const arxivIds = papers.flatMap(paper => arxivOnly(paper) ?? [])
    // Crossref may keep the DOI of a relation as it was deposited.
    const related = [...preprints, ...arxivIds.flatMap(id => [arxivDoi(id), `10.48550/arXiv.${id}`])].filter(doi => !doi.includes(','))
    const addPreprint = (arxiv: string, stated: readonly StatedNotice[]) =>
      found.add('arxiv', arxiv, paper => arxivOnly(paper) === null ? undefined : stated)
    for (const id of arxivIds) addPreprint(id, [])
    for (const work of await list('relation.object', related, 'DOI,relation')) {
      const form = doiIn(text(work.DOI))
      if (form === null) continue
      for (const { 'id-type': type, id } of objects(object(work.relation)['has-preprint'])) {
        const published = [statedNotice('crossref', 'published', { doi: form })]
        const doi = type === 'doi' ? doiIn(text(id)) : null
        const arxiv = type === 'arxiv' ? arxivIn(text(id)) : idsIn([doi]).arxiv
        if (arxiv !== null) addPreprint(arxiv, published)
        else if (doi !== null && doi !== form && preprints.includes(doi)) found.add('doi', doi, published)
      }
    }
    const checked = found.checked()
    const ownDois = new Map(papers.map(({ id, doi }) => [id, doi === null ? null : versionlessDoi(doi)]))
    /** The DOI of another work that is the notice of a paper's warning. A publisher may replace the text at the paper's own DOI. */
    const warningOf = (id: string, { kind, doi }: StatedNotice) =>
      warningKinds.has(kind) && doi !== null && versionlessDoi(doi) !== ownDois.get(id) ? doi : undefined
    const warnings = new Set(checked.flatMap(({ id, notices }) => notices.flatMap(notice => warningOf(id, notice) ?? [])))
    const unlisted = [...warnings].filter(doi => !doi.includes(',') && !dois.includes(doi)).slice(0, batchSize)
    const ofUnlisted = updatesByDoi(await list('updates', unlisted, 'DOI,update-to'), unlisted)
    const notices = new Map([...works, ...await list('doi', unlisted, 'DOI,title,updated-by')].flatMap(notice => {
      const doi = doiIn(text(notice.DOI))
      if (doi === null) return []
      const deposited = [updates, ofUnlisted].flatMap(listed => listed.get(versionlessDoi(doi))?.get(doi) ?? [])
      return [[doi, { isMarked: isMarkedNotice(notice), endedBy: endsOf([...objects(notice['updated-by']), ...deposited], doi) }]]
    }))
    // Publishers deposit that a paper retracts its notice, or the notice itself: only another work takes a warning back, or its own title.
    const isTakenBack = (id: string, notice: StatedNotice, own: ReadonlySet<string>) => {
      const { isMarked = false, endedBy = [] } = notices.get(warningOf(id, notice) ?? '') ?? {}
      return isMarked || endedBy.some(doi => !own.has(doi) && versionlessDoi(doi) !== ownDois.get(id))
    }
    return checked.map(paper => {
      const own = new Set(paper.notices.flatMap(notice => warningOf(paper.id, notice) ?? []))
      return { ...paper, notices: paper.notices.filter(notice => !isTakenBack(paper.id, notice, own)), isPartial }
    })
  }
}

/** The works that a filter lists, and whether there are more. One that Crossref does not know is missing. */
async function listWorks (
  context: SourceContext,
  filter: string,
  dois: readonly string[],
  select: string
): Promise<{ works: JsonObject[], isTruncated: boolean }> {
  const { fetch, baseUrl, contact } = context
  const url = new URL(`${baseUrl}/works`)
  url.search = String(new URLSearchParams({
    filter: dois.map(doi => `${filter}:${doi}`).join(','),
    select,
    rows: String(maxRows),
    ...(contact === undefined ? {} : { mailto: contact })
  }))
  const { answer: { message, status }, items: works } = await readItems(await fetch(url), title, { list: ['message', 'items'] }, context)
  const { items, 'total-results': total } = object(message)
  if (!Array.isArray(items)) throw unexpectedAnswer(title, 'a list of works', text(status))
  return { works, isTruncated: typeof total === 'number' && total > works.length }
}

async function findWork (context: SourceContext, doi: string): Promise<JsonObject[]> {
  const { fetch, baseUrl, contact } = context
  const url = new URL(`${baseUrl}/works/${encodeURIComponent(doi)}`)
  if (contact !== undefined) url.search = String(new URLSearchParams({ mailto: contact }))
  const answer = await fetch(url)
  const list = { list: ['message'], fields: ['DOI', 'title', 'type', 'updated-by', 'update-to', 'relation'] }
  return answer.status === 404 ? [] : (await readItems(answer, title, list, context)).items
}

/** By DOIs without version, the updates of each of their versions that works state in `update-to`, as `updated-by` would list them. */
function updatesByDoi (works: readonly JsonObject[], dois: readonly string[]): Map<string, Map<string, JsonObject[]>> {
  const updates = new Map(dois.map(doi => [versionlessDoi(doi), new Map<string, JsonObject[]>()]))
  for (const { DOI, 'update-to': stated } of works) {
    for (const update of objects(stated).slice(0, maxUpdates)) {
      const updated = doiIn(text(update.DOI))
      const ofVersions = updated === null ? undefined : updates.get(versionlessDoi(updated))
      if (updated === null || ofVersions === undefined) continue
      const listed = ofVersions.get(updated) ?? []
      if (listed.length === maxUpdates || (listed.length === 0 && ofVersions.size === maxUpdates)) continue
      ofVersions.set(updated, listed)
      listed.push({ ...update, DOI })
    }
  }
  return updates
}

/** Adds the published form and the new versions that a work states. */
function addForms (found: ReturnType<typeof noticeCollection>, work: JsonObject): void {
  const doi = doiIn(text(work.DOI))
  if (doi === null) return
  const published = objects(object(work.relation)['is-preprint-of']).flatMap(({ 'id-type': type, id }) => {
    const form = type === 'doi' ? doiIn(text(id)) : null
    return form === null || form === doi ? [] : [statedNotice('crossref', 'published', { doi: form })]
  })
  found.add('doi', doi, [...published, ...newVersions(work, doi)])
}

/** Relations that name older forms of a work, which are no news. */
const olderForms = ['replaces', 'is-version-of', 'has-preprint', 'is-preprint-of']

/**
 * Works that replace the work, and its other versions. `has-version` may also name an earlier one: the numbers in versioned DOIs or the
 * opposite relation tell.
 */
function newVersions (work: JsonObject, doi: string): StatedNotice[] {
  const relation = object(work.relation)
  const related = (name: string) =>
    objects(relation[name]).flatMap(({ 'id-type': type, id }) => type === 'doi' ? doiIn(text(id)) ?? [] : [])
  const older = new Set([doi, ...olderForms.flatMap(related)])
  const isLater = (version: string) =>
    versionlessDoi(version) !== versionlessDoi(doi) || (versionInDoi(version) ?? 1) > (versionInDoi(doi) ?? 1)
  const versions = [...related('is-replaced-by'), ...related('has-version').filter(isLater)].filter(version => !older.has(version))
  return [...new Set(versions)].map(version => statedNotice('crossref', 'new_version', { doi: version }))
}

/**
 * The notices in a list of updates. A reinstatement ends the warnings that its source stated before. It is a notice itself, since other
 * sources may still state such a warning, unless a later warning supersedes it.
 * @param work the DOI that is updated; a notice on itself is none
 * @param ofOthers updates of other versions of the work: a warning about one version holds for all, and so does its end
 */
function updatesIn (
  updates: readonly JsonObject[],
  work: string,
  { ofOthers = [], onUnknown }: { ofOthers?: readonly JsonObject[], onUnknown?: (type: string) => void } = {}
): StatedNotice[] {
  const all = [...updates, ...ofOthers].flatMap((update, at) => {
    const kind = noticeKindOf(update, onUnknown)
    const doi = doiIn(text(update.DOI))
    // Retraction Watch knows of retractions without a notice that has a DOI.
    if (kind === undefined || (doi === null && !warningKinds.has(kind)) || (at >= updates.length && !standingKinds.has(kind))) return []
    const source = update.source === 'retraction-watch' ? 'retraction-watch' : 'crossref'
    return [{ kind, source, doi, date: updatedOn(object(update.updated)) }]
  })
  const reinstatements = all.filter(({ kind }) => kind === 'reinstatement')
  const lastEnds = new Map<string, string>()
  for (const { source, date } of reinstatements) {
    const [end, last] = [endOf(date), lastEnds.get(source)]
    if (last === undefined || end > last) lastEnds.set(source, end)
  }
  const isEnded = (source: string, date: string | null) => lastEnds.has(source) && startOf(date) <= lastEnds.get(source)!
  const standing = all.filter(({ kind, source, date }) => kind !== 'reinstatement' && !(warningKinds.has(kind) && isEnded(source, date)))
  const lastWarning = all.reduce((last, { kind, date }) => warningKinds.has(kind) && startOf(date) > last ? startOf(date) : last, '')
  const current = reinstatements.filter(({ date }) => lastWarning <= endOf(date))
  // Some publishers replace the text at the same DOI.
  return [...standing.filter(({ kind, doi }) => doi !== work || kind !== 'new_version'), ...current]
    .map(({ kind, source, doi, date }) => statedNotice(source, kind, { doi, date }))
}

/**
 * The retraction or withdrawal that the title of a work states, where no update does. The title of a work that updates another may quote
 * the title of that; a reinstated work may keep the mark.
 */
function noticeInTitle (work: JsonObject, doi: string, updates: readonly JsonObject[]): StatedNotice[] {
  const title = plainText(texts(work.title)[0] ?? '')
  const kind = isRetractedTalk(work, title) ? 'retraction' : markInTitle(title)
  const isStated = updates.some(update => endings.has(noticeKindOf(update) ?? ''))
  const isNotice = objects(work['update-to']).some(update => {
    const updated = doiIn(text(update.DOI))
    return updated !== null && versionlessDoi(updated) !== versionlessDoi(doi) && endings.has(noticeKindOf(update) ?? '')
  })
  return kind === undefined || isStated || isNotice ? [] : [statedNotice('crossref', kind)]
}

/** IEEE replaces the text of a retracted talk, and its title begins like that of a notice. */
const isRetractedTalk = ({ type }: JsonObject, title: string): boolean =>
  type === 'proceedings-article' && /^\W*notice of retraction\s*:/i.test(title)

/** Kinds of updates that say whether a work still holds. */
const endings: ReadonlySet<string> = new Set(['retraction', 'withdrawal', 'reinstatement'])

/** Whether the title of a notice says that the notice does not stand: "WITHDRAWN: Retraction notice to …". */
const isMarkedNotice = (notice: JsonObject): boolean => {
  const title = plainText(texts(notice.title)[0] ?? '')
  return isNoticeTitle(title) && /^\W*(?:RETRACTED|WITHDRAWN|REMOVED)\b/.test(title)
}

/** The DOIs of works that retract, withdraw or remove a notice, unless it was reinstated since. */
const endsOf = (updates: readonly JsonObject[], doi: string): string[] =>
  updatesIn(updates, doi)
    .flatMap(update => (update.kind === 'retraction' || update.kind === 'withdrawal') && update.doi !== null ? update.doi : [])

/** Whether a work has been retracted, and not reinstated since. */
export const isRetracted = (work: JsonObject, doi: string): boolean =>
  updatesIn(objects(work['updated-by']), doi).some(({ kind }) => kind === 'retraction')

function updatedOn (updated: JsonObject): string | null {
  const parts = datePartsIn(updated)
  return parts?.[0] == null ? readPartialDate(text(updated['date-time']).slice(0, 10)) : partialDateOfParts(parts)
}
