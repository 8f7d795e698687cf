import { createHash } from 'node:crypto'
import { HttpError, type HttpResponse } from '../http/client.js'
import { redactSecrets } from '../observability/redaction.js'
import { storedKeyRejected, ZoteroError } from './errors.js'
import { type RequestOptions, type ZoteroRequest, zoteroRequests } from './requests.js'
import {
  type Answer, collectionsIn, groupsIn, type ItemsPage, type Json, type LibraryCollection, parseDeletedItems, parseItems, parseKey,
  parseList, parseWriteResult, refused, type WriteResult, type ZoteroGroup, type ZoteroKey
} from './responses.js'

/** Objects on a page; the most that the API allows. */
const pageSize = 100
/** Items of a write; the most that the API allows. */
export const maxItemsPerWrite = 50
/** More would take much memory to parse, in a thread. */
const maxBytes = 3 * 1024 * 1024
/** The answer about a key is parsed on the event loop. */
const maxKeyBytes = 256 * 1024
/** Bytes that hold what the log quotes. */
const maxQuotedBytes = 4000
/** Characters of an answer that the log quotes. */
const maxDetailLength = 300
/** Its answer states the key. */
const keyPath = 'keys/current'
const [maxGroups, maxCollections] = [500, 2000]

/** The Web API of Zotero, version 3, with one key. @see https://www.zotero.org/support/dev/web_api/v3/start */
export type Zotero = ReturnType<typeof openZotero>

/** @throws ZoteroError from all of its functions */
export function openZotero (options: RequestOptions) {
  const { send: request, backoff } = zoteroRequests(options)

  async function send (path: string, details: ZoteroRequest): Promise<Answer> {
    const answer = await request(path, details)
    const { signal } = options
    return { ...answer, signal, get detail () { return path === keyPath ? undefined : quote(answer, options.apiKey) } }
  }

  async function readKey (): Promise<ZoteroKey> {
    const answer = await send(keyPath, { maxBytes: maxKeyBytes })
    if ([401, 403, 404].includes(answer.status)) throw new ZoteroError('key_rejected', storedKeyRejected)
    if (answer.status >= 300) throw refused(answer)
    return parseKey(answer)
  }

  /** Turns statuses other than successes into errors. A 403 is asked about: the key may have been revoked. */
  async function require (answer: Answer, attemptedAction: string): Promise<Answer> {
    if (answer.status === 401 || answer.status === 403) await readKey()
    const error = errorOf(answer, attemptedAction)
    if (error !== undefined) throw error
    return answer
  }

  /** Reads a whole listing, page by page. */
  async function readAll (path: string, attemptedAction: string, max: number): Promise<Json[]> {
    const all: Json[] = []
    for (;;) {
      const answer = await require(await send(path, { query: { limit: pageSize, start: all.length }, maxBytes }), attemptedAction)
      const { page, total } = await parseList(answer)
      for (const each of page) all.push(each)
      if (page.length === 0 || all.length >= Math.min(total, max)) return all.slice(0, max)
    }
  }

  /** One page; undefined if nothing in the library changed since `since`. */
  async function readPage (path: string, query: Record<string, string | number>, since: number): Promise<ItemsPage | undefined> {
    const headers = since > 0 && query.start === 0 ? { 'if-modified-since-version': String(since) } : undefined
    // Where a page is too large, fewer items are requested.
    for (let limit = pageSize; ; limit = Math.ceil(limit / 5)) {
      try {
        const answer = await send(path, { query: { ...query, limit }, maxBytes, ...(headers === undefined ? {} : { headers }) })
        return answer.status === 304 ? undefined : await parseItems(await require(answer, 'read this collection'))
      } catch (error) {
        if (!(error instanceof HttpError) || limit === 1) throw error
      }
    }
  }

  return {
    backoff,

    key: readKey,

    /** Groups of the key's user. */
    groups: async (userId: string): Promise<ZoteroGroup[]> => groupsIn(await readAll(`users/${userId}/groups`, 'list groups', maxGroups)),

    /** Collections of a library. */
    collections: async (library: string): Promise<LibraryCollection[]> =>
      collectionsIn(await readAll(`${library}/collections`, 'read this library', maxCollections)),

    /** Items of a collection that changed since a version, those added first at first. Undefined if nothing in the library changed. */
    items: async (library: string, collection: string, { since, start }: { since: number, start: number }) =>
      await readPage(`${library}/collections/${collection}/items/top`, { since, start, sort: 'dateAdded', direction: 'asc' }, since),

    /** Items by their keys, at most 50; missing ones are left out. */
    async itemsByKey (library: string, keys: readonly string[]): Promise<ItemsPage['items']> {
      const pages = await inParts(keys, async part => {
        const query = { itemKey: part.join(','), includeTrashed: 1, limit: pageSize }
        return await parseItems(await require(await send(`${library}/items`, { query, maxBytes }), 'read this library'))
      })
      return pages.flatMap(({ items }) => items)
    },

    /** Keys of items that were deleted since a version. */
    deletedItems: async (library: string, since: number): Promise<{ keys: string[], version: number }> =>
      await parseDeletedItems(await require(await send(`${library}/deleted`, { query: { since }, maxBytes }), 'read this library')),

    /**
     * Creates items under keys of our own, with version 0, or changes items at the version that they state: sending them again cannot
     * create a second one. Zotero also remembers the write token of a write that succeeded. Items whose answer is too large, which repeats
     * them, are sent again in parts: Zotero says that they exist or have changed.
     */
    async write (library: string, items: readonly Json[]): Promise<WriteResult> {
      const results = await inParts(items, async (part, from) => {
        const token = createHash('sha256').update(JSON.stringify(part)).digest('hex').slice(0, 32)
        const post = async (headers: Record<string, string>) => await send(`${library}/items`, { body: part, headers, maxBytes })
        const first = await post({ 'zotero-write-token': token })
        // Sent before, and its answer was lost: without the token, Zotero says for each item that it exists.
        const answer = await require(first.status === 412 ? await post({}) : first, 'add items to this library')
        const { written, failed } = await parseWriteResult(answer, part.length)
        return { written: written.map(at => at + from), failed: failed.map(each => ({ ...each, at: each.at + from })) }
      })
      return { written: results.flatMap(({ written }) => written), failed: results.flatMap(({ failed }) => failed) }
    }
  }
}

/** Sends items in one request, or in several where the answer would be too large. @param send takes a part, and where it begins */
async function inParts<Item, Result> (
  items: readonly Item[],
  send: (part: readonly Item[], from: number) => Promise<Result>,
  from = 0
): Promise<Result[]> {
  try {
    return [await send(items, from)]
  } catch (error) {
    if (!(error instanceof HttpError) || error.fault !== 'too_large' || items.length === 1) throw error
  }
  const half = Math.ceil(items.length / 2)
  return [...await inParts(items.slice(0, half), send, from), ...await inParts(items.slice(half), send, from + half)]
}

/** The error of an answer about a library; undefined for a success. */
function errorOf (answer: Answer, attemptedAction: string): ZoteroError | undefined {
  const { status, detail } = answer
  if (status >= 200 && status < 300) return undefined
  if (status === 401 || status === 403) {
    const message = `This Zotero key cannot ${attemptedAction}. Create a key with this permission and connect again.`
    return new ZoteroError('forbidden', message, { detail })
  }
  if (status === 404) {
    return new ZoteroError('not_found', 'Zotero does not have this library or collection any more. Choose another one.', { detail })
  }
  if (status === 409) return new ZoteroError('busy', 'The library is locked at Zotero.', { retryAfter: 60, detail })
  if (status === 412 || status === 428) return new ZoteroError('conflict', 'The library changed at Zotero meanwhile.', { detail })
  return refused(answer)
}

const quote = ({ bytes }: HttpResponse, apiKey: string): string =>
  redactSecrets(bytes.toString('utf8', 0, maxQuotedBytes).replaceAll(apiKey, '[secret]').slice(0, maxDetailLength))
