import type { StoredNotice } from '../../db/queries/notices.js'
import type { PaperMetadata } from '../../schemas/metadata.js'
import { type Notice, type NoticeKind, noticeKinds, standingKinds, uniqueKinds, warningKinds } from '../../schemas/notice.js'
import { daysApart, firstDayOf } from '../../schemas/partial-date.js'
import type { StoredMetadata } from './retractions.js'
import { confirmsNotice, noticeOriginTitle, noticePrecedenceOf } from './source-traits.js'

const isConfirmed = ({ source, kind }: Pick<StoredNotice, 'source' | 'kind'>): boolean => confirmsNotice(source, kind)

const labels: Readonly<Record<NoticeKind, string>> = {
  retraction: 'Retracted',
  withdrawal: 'Withdrawn',
  partial_retraction: 'Partly retracted',
  expression_of_concern: 'Expression of concern',
  reinstatement: 'Reinstated',
  correction: 'Corrected',
  published: 'Published',
  new_version: 'New version'
}

/**
 * Merges the notices of several sources on one paper, most serious first. The policy:
 * - A notice keeps the kind that its source gives it: a correction never becomes a retraction, or the other way round. Where sources
 *   disagree about the kind, each is a notice with its source.
 * - Notices of one kind are one if they share a DOI or PMID. A paper has one retraction, whatever its sources name. Of two sources that
 *   name no common identifier, notices that do not contradict each other are paired if their dates lie within half a year, the nearest
 *   first, where a month or a year is a period; without a date, if each source states one of the kind.
 * - A preprint may have several published forms, such as in proceedings and in a journal. A source that names none means the first.
 * - A retraction is not confirmed while only sources state it that name no notice, such as OpenAlex.
 * - A notice is current as long as one source states it, and withdrawn when none does.
 */
export function mergeNotices (stated: readonly StoredNotice[]): Notice[] {
  const groups: StoredNotice[][] = []
  for (const each of [...stated].sort(inOrder)) {
    const ofKind = groups.filter(([first]) => first!.kind === each.kind)
    const isUnnamedForm = each.kind === 'published' && each.doi === null && each.pmid === null
    const candidates = ofKind.filter(others => others.every(other => other.source !== each.source && !contradicts(each, other)))
    const group = (uniqueKinds.has(each.kind) || isUnnamedForm ? ofKind[0] : undefined) ??
      ofKind.find(others => others.some(other => hasSameIdentifier(each, other))) ??
      nearest(each, candidates) ?? onlyOne(each, candidates, stated)
    if (group === undefined) groups.push([each])
    else group.push(each)
  }
  return groups.map(noticeOf).sort((a, b) =>
    noticeKinds.indexOf(a.kind) - noticeKinds.indexOf(b.kind) || (b.date ?? '').localeCompare(a.date ?? ''))
}

/** Days between the dates that two sources give one notice. */
const maxDaysApart = 183

/** The notices whose dates are nearest to that of another; undefined if none is near. */
function nearest (notice: StoredNotice, candidates: readonly StoredNotice[][]): StoredNotice[] | undefined {
  const daysTo = (others: readonly StoredNotice[]) =>
    Math.min(...others.map(({ date }) => date === null || notice.date === null ? Infinity : daysApart(date, notice.date)))
  const near = candidates.filter(others => daysTo(others) <= maxDaysApart)
  return near.sort((a, b) => daysTo(a) - daysTo(b))[0]
}

/** Notices that cannot be compared by date with another, because either has none, if each of their sources states one of the kind. */
function onlyOne (
  notice: StoredNotice,
  candidates: readonly StoredNotice[][],
  stated: readonly StoredNotice[]
): StoredNotice[] | undefined {
  const isOnly = (each: StoredNotice) => !stated.some(other =>
    other !== each && other.source === each.source && other.kind === each.kind && other.withdrawn_at === null)
  const undated = candidates.filter(others => notice.date === null || others.every(({ date }) => date === null))
  return isOnly(notice) ? undated.find(others => others.every(isOnly)) : undefined
}

const exactness = ({ date }: StoredNotice): number => date?.length ?? 11

/**
 * By the precedence of the source, then by date, so that the result does not depend on which source was asked first. Days come before
 * months and years, which may be near to several.
 */
const inOrder = (a: StoredNotice, b: StoredNotice) =>
  noticePrecedenceOf(b.source) - noticePrecedenceOf(a.source) ||
  exactness(b) - exactness(a) || (a.date ?? '').localeCompare(b.date ?? '') || (a.doi ?? '').localeCompare(b.doi ?? '') ||
  (a.pmid ?? '').localeCompare(b.pmid ?? '')

const hasSameIdentifier = (a: StoredNotice, b: StoredNotice) =>
  (a.doi !== null && a.doi === b.doi) || (a.pmid !== null && a.pmid === b.pmid)

const contradicts = (a: StoredNotice, b: StoredNotice) =>
  (a.doi !== null && b.doi !== null && a.doi !== b.doi) || (a.pmid !== null && b.pmid !== null && a.pmid !== b.pmid)

function noticeOf (members: readonly StoredNotice[]): Notice {
  const current = members.filter(({ withdrawn_at }) => withdrawn_at === null)
  const stated = current.length > 0 ? current : members
  const { kind } = stated[0]!
  const confirmed = stated.some(isConfirmed)
  const firstOf = (name: 'doi' | 'pmid' | 'url') => stated.map(each => each[name]).find(value => value !== null) ?? null
  const times = (values: Array<string | null>) => values.map(value => new Date(value!).toISOString()).sort()
  // A source that only confirms is no news; the first that does is.
  const news = confirmed ? stated.filter(isConfirmed) : stated
  return {
    kind,
    label: confirmed ? labels[kind] : `Reported as retracted by ${noticeOriginTitle(stated[0]!.source)}`,
    date: dateIn(stated),
    doi: firstOf('doi'),
    pmid: firstOf('pmid'),
    url: firstOf('url'),
    sources: [...new Set(stated.map(({ source }) => source))],
    confirmed,
    first_seen: times(news.map(({ found_at }) => found_at))[0]!,
    withdrawn: current.length > 0 ? null : times(members.map(({ withdrawn_at }) => withdrawn_at)).at(-1)!
  }
}

/** The date that the first source states, to the day if another states a day within it. */
function dateIn (stated: readonly StoredNotice[]): string | null {
  const dates = stated.flatMap(({ date }) => date ?? [])
  const exact = dates.filter(date => date.startsWith(dates[0]!)).reduce((best, date) => date.length > best.length ? date : best, '')
  return exact === '' ? null : firstDayOf(exact)
}

/** The notices that a paper has now. */
export const currentNotices = (stated: readonly StoredNotice[]): Notice[] =>
  mergeNotices(stated).filter(({ withdrawn }) => withdrawn === null)

const withdrawalLabels: Readonly<Partial<Record<NoticeKind, string>>> = {
  retraction: 'No longer reported as retracted',
  withdrawal: 'No longer reported as withdrawn',
  partial_retraction: 'No longer reported as partly retracted',
  expression_of_concern: 'No longer under an expression of concern'
}

/** The warnings that no source states any more, each with a label that says so, unless one as serious stands. */
export function withdrawalsIn (stated: readonly StoredNotice[]): Notice[] {
  const merged = mergeNotices(stated)
  const hasWarning = (atLeast: NoticeKind) =>
    merged.some(({ kind, withdrawn }) => withdrawn === null && noticeKinds.indexOf(kind) <= noticeKinds.indexOf(atLeast))
  return merged.filter(({ kind, withdrawn }) => withdrawn !== null && warningKinds.has(kind) && !hasWarning(kind))
    .map(notice => ({ ...notice, label: withdrawalLabels[notice.kind]!, date: null, url: null }))
}

/** The news on a paper since a time: new notices, and warnings from before that were withdrawn. */
export const newsSince = (stated: readonly StoredNotice[], since: Date): Notice[] => [
  ...currentNotices(stated).filter(({ first_seen }) => new Date(first_seen) > since),
  ...withdrawalsIn(stated).filter(({ first_seen, withdrawn }) => new Date(first_seen) <= since && new Date(withdrawn!) > since)
]

/** Whether a current notice was first stated now. A further source of one is no news, unless it is the first that confirms it. */
export const hasNews = (stated: readonly StoredNotice[], now: Date): boolean =>
  currentNotices(stated).some(({ first_seen }) => new Date(first_seen) >= now)

/** Metadata as it is published: with the notices of which the account was notified. */
export type NoticedMetadata = PaperMetadata & { notices?: Notice[] }

/** The metadata of a paper with its current notices. Its record may still state a retraction that has been withdrawn. */
export function withNotices (
  { notices: _untrusted, retracted_by: _internal, ...metadata }: StoredMetadata & { notices?: unknown },
  stated: readonly StoredNotice[]
): NoticedMetadata {
  if (stated.length === 0) return metadata
  const merged = mergeNotices(stated)
  const notices = merged.filter(({ withdrawn }) => withdrawn === null)
  const isReinstated = merged.some(({ kind }) => kind === 'retraction') && !notices.some(({ kind }) => kind === 'retraction')
  const { retracted: _, ...others } = metadata
  return { ...(isReinstated ? others : metadata), ...(notices.length === 0 ? {} : { notices }) }
}

/**
 * The metadata of a paper for readers who must not learn that the account watches it: without notices, with a retraction that its record
 * states and no source withdrew.
 */
export function publicMetadata (metadata: PaperMetadata, stated: readonly StoredNotice[]): PaperMetadata {
  const { notices: _, ...others } = withNotices(metadata, stated)
  return others
}

/** The notices of a published paper. */
export const noticesIn = (metadata: object): Notice[] => (metadata as NoticedMetadata).notices ?? []

/** A change of a paper's standing, in a few words. */
export type PaperChange = Pick<Notice, 'kind' | 'label'>

/** Distinct changes of a paper, most serious first: its notices, and a retraction that only its record states. */
export function paperChanges (metadata: object): PaperChange[] {
  const notices = noticesIn(metadata).map(({ kind, label }) => ({ kind, label }))
  const isStated = (metadata as PaperMetadata).retracted === true && !notices.some(({ kind }) => kind === 'retraction')
  const changes = isStated ? [retractedByRecord, ...notices] : notices
  return changes.filter(({ label }, at) => changes.findIndex(each => each.label === label) === at)
}

/** A retraction that a source stated with the paper's record. */
const retractedByRecord: PaperChange = { kind: 'retraction', label: 'Reported as retracted' }

/** A notice as a sentence: "Retracted on 2010-02-06 (Crossref, PubMed): https://doi.org/10.1016/…". */
export function describeNotice ({ label, date, sources, confirmed, url }: Notice): string {
  const by = confirmed ? ` (${sources.map(noticeOriginTitle).join(', ')})` : ''
  return `${label}${date === null ? '' : ` on ${date}`}${by}${url === null ? '' : `: ${url}`}`
}

/** Everything that became of a paper as one text; undefined if nothing is known. For references and tables. */
export function describeNotices (metadata: object): string | undefined {
  const isStated = paperChanges(metadata)[0] === retractedByRecord
  const all = [...(isStated ? [retractedByRecord.label] : []), ...noticesIn(metadata).map(describeNotice)]
  return all.length === 0 ? undefined : `${all.join('. ')}.`
}

/** The changes of a paper in a few words: "Retracted. Corrected."; null if there are none. */
export const listChanges = (changes: readonly PaperChange[]): string | null => changes.map(({ label }) => `${label}.`).join(' ') || null

/**
 * A title for lists that have no other field for a warning: "Retracted: Title", and "Retracted, reinstated: Title" where another source
 * states that it was reinstated.
 */
export function titleWithWarning (title: string, metadata: object): string {
  const changes = paperChanges(metadata)
  const warning = changes.find(({ kind }) => warningKinds.has(kind))
  if (warning === undefined) return title
  const reinstatement = changes.find(({ kind }) => kind === 'reinstatement')
  return `${warning.label}${reinstatement === undefined ? '' : `, ${reinstatement.label.toLowerCase()}`}: ${title}`
}

/** A paragraph to put before a paper's full text in Markdown, with a reinstatement beside a warning; empty without a warning. */
export function markdownWarning (metadata: object): string {
  const standing = noticesIn(metadata).filter(({ kind }) => standingKinds.has(kind))
  const notices = paperChanges(metadata).some(({ kind }) => warningKinds.has(kind)) ? standing : []
  const warning = describeNotices({ ...metadata, notices })
  return warning === undefined ? '' : `> **${warning}**\n\n`
}
