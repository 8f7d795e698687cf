import { createHash } from 'node:crypto'
import { isObject } from '../../schemas/json-object.js'
import { visibleText } from '../../schemas/visible-text.js'
import { HttpError, type HttpResponse } from '../http/client.js'
import { redactSecrets } from '../observability/redaction.js'
import { ZoteroError } from './errors.js'
import { type RequestOptions, type ZoteroRequest, zoteroRequests } from './requests.js'

/** Objects on a page; the most that the API allows. */
const pageSize = 100
/** Where a page is too large, fewer items are requested. */
const minPageSize = 4
/** Items of a write; the most that the API allows. */
export const maxItemsPerWrite = 50
/** Parsing more would hold up the event loop. */
const maxBytes = 3 * 1024 * 1024
/** Characters of an answer that the log quotes. */
const maxDetailLength = 300
/** Its answer states the key. */
const keyPath = 'keys/current'
const [maxGroups, maxCollections] = [500, 2000]

/** JSON of unknown form. */
export type Json = Record<string, unknown>

/** Libraries that a key opens: what it may do in the user's own, in all groups, and in single groups. */
export interface ZoteroKey { userId: string, username: string, user: Access, allGroups: Access, groups: ReadonlyMap<string, Access> }
export interface Access { read: boolean, write: boolean }

/** A page of a listing. `version` is the library's. */
export interface ItemsPage { items: Array<{ key: string, version: number, data: Json }>, total: number, version: number }

/** The result of a write, by place in the request. */
export interface WriteResult {
  /** Created, changed, or already as requested. */
  written: number[]
  failed: Array<{ at: number, code: number }>
}

/** `detail` quotes it for the log, without secrets. */
interface Answer extends HttpResponse { detail: string | undefined }

/** The Web API of Zotero, version 3, with one key. @see https://www.zotero.org/support/dev/web_api/v3/start */
export type Zotero = ReturnType<typeof openZotero>

/** @throws ZoteroError from all of its functions */
export function openZotero (options: RequestOptions) {
  const request = zoteroRequests(options)

  async function send (path: string, details: ZoteroRequest): Promise<Answer> {
    const answer = await request(path, details)
    return { ...answer, get detail () { return path === keyPath ? undefined : quote(answer, options.apiKey) } }
  }

  async function readKey (): Promise<ZoteroKey> {
    const answer = await send(keyPath, { maxBytes })
    if ([401, 403, 404].includes(answer.status)) throw keyRejected()
    if (answer.status >= 300) throw refused(answer)
    const { userID, username, access } = objectOf(answer)
    if (typeof userID !== 'number' && typeof userID !== 'string') throw unexpected(answer)
    const { user, groups } = record(access)
    const { all, ...single } = record(groups)
    return {
      userId: String(userID),
      username: typeof username === 'string' && username !== '' ? username.slice(0, 200) : `User ${String(userID)}`,
      user: accessOf(user),
      allGroups: accessOf(all),
      groups: new Map(Object.entries(single).map(([id, each]) => [id, accessOf(each)]))
    }
  }

  /** Turns statuses other than successes into errors. A 403 is asked about: the key may have been revoked. */
  async function require (answer: Answer, attemptedAction: string): Promise<Answer> {
    const { status } = answer
    if (status >= 200 && status < 300) return answer
    const { detail } = answer
    if (status === 401 || status === 403) {
      await readKey()
      throw new ZoteroError(
        'forbidden',
        `This Zotero key cannot ${attemptedAction}. Create a key with this permission and connect again.`,
        { detail }
      )
    }
    if (status === 404) {
      throw new ZoteroError('not_found', 'Zotero does not have this library or collection any more. Choose another one.', { detail })
    }
    if (status === 409) throw new ZoteroError('busy', 'The library is locked at Zotero.', { retryAfter: 60, detail })
    if (status === 412 || status === 428) throw new ZoteroError('conflict', 'The library changed at Zotero meanwhile.', { detail })
    throw refused(answer)
  }

  /** Reads a whole listing, page by page. */
  async function readAll (path: string, attemptedAction: string, max: number): Promise<Json[]> {
    const all: Json[] = []
    for (;;) {
      const answer = await require(await send(path, { query: { limit: pageSize, start: all.length }, maxBytes }), attemptedAction)
      const page = listOf(answer)
      all.push(...page)
      if (page.length === 0 || all.length >= Math.min(countIn(answer, 'total-results') ?? 0, max)) return all.slice(0, max)
    }
  }

  /** One page; undefined if nothing in the library changed since `since`. */
  async function readPage (path: string, query: Record<string, string | number>, since: number): Promise<ItemsPage | undefined> {
    const headers = since > 0 && query.start === 0 ? { 'if-modified-since-version': String(since) } : undefined
    for (let limit = pageSize; ; limit = Math.floor(limit / 5)) {
      try {
        const answer = await send(path, { query: { ...query, limit }, maxBytes, ...(headers === undefined ? {} : { headers }) })
        return answer.status === 304 ? undefined : pageOf(await require(answer, 'read this collection'))
      } catch (error) {
        if (!(error instanceof HttpError) || Math.floor(limit / 5) < minPageSize) throw error
      }
    }
  }

  return {
    key: readKey,

    /** Groups of the key's user. */
    async groups (userId: string): Promise<Array<{ id: string, name: string }>> {
      const groups = await readAll(`users/${userId}/groups`, 'list groups', maxGroups)
      return groups.map(({ id, data }) => ({ id: String(id), name: nameIn(data) })).filter(({ id }) => /^\d{1,12}$/.test(id))
    },

    async collections (library: string): Promise<Array<{ key: string, name: string, parent: string | undefined }>> {
      const collections = await readAll(`${library}/collections`, 'read this library', maxCollections)
      return collections
        .map(({ key, data }) => {
          const { parentCollection } = record(data)
          return { key: String(key), name: nameIn(data), parent: typeof parentCollection === 'string' ? parentCollection : undefined }
        })
        .filter(({ key }) => isKey(key))
    },

    /** Items of a collection that changed since a version, those added first at first. Undefined if nothing in the library changed. */
    items: async (library: string, collection: string, { since, start }: { since: number, start: number }) =>
      await readPage(`${library}/collections/${collection}/items/top`, { since, start, sort: 'dateAdded', direction: 'asc' }, since),

    /** Items by their keys, at most 50; missing ones are left out. */
    async itemsByKey (library: string, keys: readonly string[]): Promise<ItemsPage['items']> {
      const query = { itemKey: keys.join(','), includeTrashed: 1, limit: pageSize }
      return pageOf(await require(await send(`${library}/items`, { query, maxBytes }), 'read this library')).items
    },

    /** Keys of items that were deleted since a version. */
    async deletedItems (library: string, since: number): Promise<{ keys: string[], version: number }> {
      const answer = await require(await send(`${library}/deleted`, { query: { since }, maxBytes }), 'read this library')
      const { items } = objectOf(answer)
      return { keys: Array.isArray(items) ? items.filter(isKey) : [], version: versionOf(answer) }
    },

    /**
     * Creates items under keys of our own, with version 0, or changes items at the version that they state: sending them again cannot
     * create a second one. Zotero also remembers the write token of a write that succeeded.
     */
    async write (library: string, items: readonly Json[]): Promise<WriteResult> {
      const token = createHash('sha256').update(JSON.stringify(items)).digest('hex').slice(0, 32)
      const post = async (headers: Record<string, string>) => await send(`${library}/items`, { body: items, headers, maxBytes })
      const first = await post({ 'zotero-write-token': token })
      // Sent before, and its answer was lost: without the token, Zotero says for each item that it exists.
      const answer = await require(first.status === 412 ? await post({}) : first, 'add items to this library')
      const { success, unchanged, failed } = objectOf(answer)
      const places = (value: unknown) => Object.keys(record(value)).map(Number).filter(at => at in items)
      return {
        written: [...places(success), ...places(unchanged)],
        failed: places(failed).map(at => ({ at, code: Number(record(record(failed)[at]).code) }))
      }
    }
  }
}

const quote = ({ bytes }: HttpResponse, apiKey: string): string =>
  redactSecrets(bytes.toString('utf8').replaceAll(apiKey, '[secret]').slice(0, maxDetailLength))

const refused = ({ status, detail }: Answer) =>
  new ZoteroError('unexpected', `Zotero refused the request (status ${status}).`, { detail })

const keyRejected = () =>
  new ZoteroError('key_rejected', 'Zotero does not accept the key. It may have been revoked. Connect again with a new key.')

const unexpected = ({ detail }: Answer) => new ZoteroError('unexpected', 'Zotero sent an unexpected response.', { detail })

function parse (answer: Answer): unknown {
  try {
    return JSON.parse(answer.bytes.toString('utf8'))
  } catch {
    throw unexpected(answer)
  }
}

function objectOf (answer: Answer): Json {
  const value = parse(answer)
  if (!isObject(value)) throw unexpected(answer)
  return value
}

function listOf (answer: Answer): Json[] {
  const value = parse(answer)
  if (!Array.isArray(value)) throw unexpected(answer)
  return value.filter(isObject)
}

function pageOf (answer: Answer): ItemsPage {
  const items = listOf(answer)
    .map(({ key, version, data }) => ({ key: String(key), version: Number(version), data: record(data) }))
    .filter(({ key }) => isKey(key))
  return { items, total: countIn(answer, 'total-results') ?? items.length, version: versionOf(answer) }
}

function versionOf (answer: Answer): number {
  const version = countIn(answer, 'last-modified-version')
  if (version === undefined) throw unexpected(answer)
  return version
}

function countIn ({ headers }: Answer, name: string): number | undefined {
  const value = headers.get(name) ?? ''
  return /^\d{1,9}$/.test(value) ? Number(value) : undefined
}

const record = (value: unknown): Json => isObject(value) ? value : {}
const isKey = (value: unknown): value is string => typeof value === 'string' && /^[A-Z0-9]{8}$/.test(value)
const nameIn = (data: unknown): string =>
  visibleText(String(record(data).name ?? '').replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')).trim().slice(0, 200).toWellFormed() || 'Unnamed'
const accessOf = (access: unknown): Access => ({ read: record(access).library === true, write: record(access).write === true })
