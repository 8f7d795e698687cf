import type { Caller } from '../../db/caller.js'
import type { ProjectIds } from '../../db/queries/ownership.js'
import { listItemsByIdentifier } from '../../db/queries/identifiers.js'
import { listProjectsOfItems, resolveCandidate, resolveReference } from '../../db/queries/papers.js'
import type { KeyScope } from '../../schemas/key.js'
import { uuidForm } from '../../schemas/ids.js'
import { shortText } from '../../schemas/short-text.js'
import { AmbiguousReference, AmbiguousShortId, PaperNotFound } from '../errors/operation-errors.js'
import { identifierInTexts, namedIdentifier } from './identifier-in-text.js'
import { allVersions, formatIdentifier } from './pasted-identifier.js'

/** The account that owns the feeds; a key may be limited to some of them. */
interface ReferenceCaller extends Caller { key?: { scope?: KeyScope, projectIds: ProjectIds } | undefined }

/** Whether a reference, in lower case, is a UUID or the first eight digits of one. */
export const isId = (reference: string): boolean => idForm.test(reference)

const idForm = new RegExp(`^${uuidForm}$|^[0-9a-f]{8}$`)

/** Addresses of pages: of a paper, and of a feed in which an item is open. Any host: people reach the service under several names. */
const pageForms = [
  /^https?:\/\/[^\s?#]+\/papers\/([0-9a-f-]{36})(?:[/?#]|$)/,
  /^https?:\/\/[^\s?#]+\/(?:feed|projects\/[0-9a-f-]{36})\?(?:[^#]*&)?item=([0-9a-f-]{8,36})(?:[&#]|$)/
]

/** The id that a reference is, or that the address of a page contains, in lower case; undefined for other references. */
export function idIn (reference: string): string | undefined {
  const text = reference.trim().toLowerCase()
  const id = pageForms.map(form => form.exec(text)?.[1]).find(found => found !== undefined) ?? text
  return isId(id) ? id : undefined
}

/**
 * The id of the paper that a reference means: a paper or feed item in the caller's feeds, by UUID, short id or former id.
 * @throws PaperNotFound, AmbiguousShortId
 */
export const resolvePaperId = async (caller: ReferenceCaller, reference: string): Promise<string> =>
  onlyPaper(reference, await resolve(caller, reference))

/**
 * The same for calls that only read the paper: it may also be one that was found for a feed and is not in it, such as one that a change of
 * settings would add. @throws PaperNotFound, AmbiguousShortId
 */
export async function resolveReadablePaperId (caller: ReferenceCaller, reference: string): Promise<string> {
  try {
    return await resolvePaperId(caller, reference)
  } catch (error) {
    const id = idIn(reference)
    if (!(error instanceof PaperNotFound) || id === undefined) throw error
    const { db, account, key } = caller
    const candidates = await resolveCandidate(db, account.id, id, key?.projectIds)
    if (candidates.length === 0) throw error
    return onlyPaper(reference, candidates)
  }
}

/** @throws AmbiguousShortId if the matches of a reference are several papers */
function onlyPaper (reference: string, matches: ReadonlyArray<{ paper_id: string }>): string {
  const ids = [...new Set(matches.map(({ paper_id }) => paper_id))].sort()
  if (ids.length > 1) throw new AmbiguousShortId(reference, ids)
  return ids[0]!
}

/**
 * The feed item that a reference means: an item's own, or that of a paper which is in one feed of the caller.
 * @throws PaperNotFound, AmbiguousShortId, AmbiguousReference
 */
export async function resolveItemId (caller: ReferenceCaller, reference: string): Promise<string> {
  const matches = await resolve(caller, reference)
  onlyPaper(reference, matches)
  const items = [...new Set(matches.filter(({ is_item }) => is_item).map(({ item_id }) => item_id))].sort()
  if (items.length === 1) return items[0]!
  const all = matches.map(({ item_id }) => item_id).sort()
  if (all.length > 1) throw new AmbiguousReference(reference, await listProjectsOfItems(caller.db, caller.account.id, all))
  return all[0]!
}

/** Tries ids first: eight digits can be a short id or a PubMed id. */
async function resolve ({ db, account, key }: ReferenceCaller, reference: string) {
  const text = reference.trim()
  const id = idIn(text)
  const byId = id === undefined ? [] : await resolveReference(db, account.id, id, key?.projectIds)
  if (byId.length > 0) return byId
  const identifier = namedIdentifier(text, { digitsArePmid: true }) ?? identifierInTexts([text])
  const found = identifier === undefined ? [] : await listItemsByIdentifier(db, account.id, allVersions(identifier), key?.projectIds)
  const preferred = found.filter(({ is_preferred }) => is_preferred)
  if (found.length > 0) {
    return (preferred.length > 0 ? preferred : found).map(({ id, paper_id }) => ({ paper_id, item_id: id, is_item: false }))
  }
  // A short id of digits that was sent as a number has lost its zeros.
  const byPadded = /^\d{1,7}$/.test(text) ? await resolveReference(db, account.id, text.padStart(8, '0'), key?.projectIds) : []
  if (byPadded.length === 0) throw notFound({ key }, reference)
  return byPadded
}

/** The error for a reference that nothing matches. Digits alone may have been meant as a short id. */
function notFound ({ key }: Pick<ReferenceCaller, 'key'>, reference: string): PaperNotFound {
  const identifier = namedIdentifier(reference) ?? identifierInTexts([reference])
  if (identifier === undefined) return new PaperNotFound(reference)
  const next = key?.scope === 'read' ? 'The user can add it in the dashboard.' : 'paper_add adds it to a project.'
  const fact = `No paper with ${shortText(formatIdentifier(identifier), 80)} is in your feeds.`
  return new PaperNotFound(reference, { why: `${fact} ${next}`, userMessage: fact })
}
