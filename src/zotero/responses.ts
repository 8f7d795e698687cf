import { isObject } from '../../schemas/json-object.js'
import { visibleText } from '../../schemas/visible-text.js'
import type { HttpResponse } from '../http/client.js'
import type { AnswerValues } from './answer-task.js'
import { ZoteroError } from './errors.js'
import { isItemKey } from './item-keys.js'
import { valuesIn } from './read-answer.js'

/** JSON of unknown form. */
export type Json = Record<string, unknown>

/** Libraries that a key opens: what it may do in the user's own, in all groups, and in single groups. */
export interface ZoteroKey { userId: string, username: string, user: Access, allGroups: Access, groups: ReadonlyMap<string, Access> }
interface Access { read: boolean, write: boolean }

/** A group of the key's user. */
export interface ZoteroGroup { id: string, name: string }

/** A collection of a library; `parent` is the key of the collection that holds it. */
export interface LibraryCollection { key: string, name: string, parent: string | undefined }

/** A page of a listing. `version` is the library's. */
export interface ItemsPage { items: Array<{ key: string, version: number, data: Json }>, total: number, version: number }

/** The result of a write, by place in the request. */
export interface WriteResult {
  /** Created, changed, or already as requested. */
  written: number[]
  failed: Array<{ at: number, code: number }>
}

/** A response of the API; `detail` quotes it for the log, without secrets. `signal` ends parsing it. */
export interface Answer extends HttpResponse { detail: string | undefined, signal: AbortSignal | undefined }

/** The error of a request that Zotero refused. */
export const refused = ({ status, detail }: Answer): ZoteroError =>
  new ZoteroError('unexpected', `Zotero refused the request (status ${status}).`, { detail })

/** Parses what a key may do, from a small answer. @throws ZoteroError */
export function parseKey (answer: Answer): ZoteroKey {
  const { userID, username, access } = objectOf(answer)
  if (typeof userID !== 'number' && typeof userID !== 'string') throw unexpected(answer)
  const { user, groups } = record(access)
  const { all, ...single } = record(groups)
  return {
    userId: String(userID),
    username: typeof username === 'string' && username !== '' ? username.slice(0, 200).toWellFormed() : `User ${String(userID)}`,
    user: accessOf(user),
    allGroups: accessOf(all),
    groups: new Map(Object.entries(single).map(([id, each]) => [id, accessOf(each)]))
  }
}

/** Parses a page of a listing, and the number of objects on all of its pages. @throws ZoteroError */
export const parseList = async (answer: Answer): Promise<{ page: Json[], total: number }> =>
  ({ page: await valuesOf(answer, 'list'), total: countIn(answer, 'total-results') ?? 0 })

/** Groups, without those whose id is invalid. */
export const groupsIn = (list: readonly Json[]): ZoteroGroup[] =>
  list.map(({ id, data }) => ({ id: String(id), name: nameIn(data) })).filter(({ id }) => /^\d{1,12}$/.test(id))

/** Collections, without those whose key is invalid. */
export const collectionsIn = (list: readonly Json[]): LibraryCollection[] =>
  list
    .map(({ key, data }) => {
      const { parentCollection } = record(data)
      return { key: String(key), name: nameIn(data), parent: typeof parentCollection === 'string' ? parentCollection : undefined }
    })
    .filter(({ key }) => isItemKey(key))

/** Parses a page of items. @throws ZoteroError */
export async function parseItems (answer: Answer): Promise<ItemsPage> {
  const items = (await valuesOf(answer, 'list'))
    .map(({ key, version, data }) => ({ key: String(key), version: Number(version), data: record(data) }))
    .filter(({ key }) => isItemKey(key))
  return { items, total: countIn(answer, 'total-results') ?? items.length, version: versionOf(answer) }
}

/** Parses the keys of deleted items. @throws ZoteroError */
export const parseDeletedItems = async (answer: Answer): Promise<{ keys: string[], version: number }> =>
  ({ keys: await valuesOf(answer, 'deleted'), version: versionOf(answer) })

/** Parses the result of a write of a number of items. @throws ZoteroError */
export async function parseWriteResult (answer: Answer, count: number): Promise<WriteResult> {
  const [{ success, unchanged, failed } = {}] = await valuesOf(answer, 'written')
  const places = (value: unknown) => Object.keys(record(value)).map(Number).filter(at => Number.isInteger(at) && at >= 0 && at < count)
  return {
    written: [...places(success), ...places(unchanged)],
    failed: places(failed).map(at => ({ at, code: Number(record(record(failed)[at]).code) }))
  }
}

const unexpected = ({ detail }: Answer) => new ZoteroError('unexpected', 'Zotero sent an unexpected response.', { detail })

function objectOf (answer: Answer): Json {
  try {
    const value: unknown = JSON.parse(answer.bytes.toString('utf8'))
    if (isObject(value)) return value
  } catch {}
  throw unexpected(answer)
}

async function valuesOf<Kind extends keyof AnswerValues> (answer: Answer, kind: Kind): Promise<Array<AnswerValues[Kind]>> {
  const values = await valuesIn(answer, kind, answer.signal)
  if (values === undefined) throw unexpected(answer)
  return values
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

/** Characters that are kept of a name, and characters that are read. */
const [maxNameLength, maxReadLength] = [200, 2000]

const nameIn = (data: unknown): string => {
  const name = String(record(data).name ?? '').slice(0, maxReadLength)
  return visibleText(name.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')).trim().slice(0, maxNameLength).toWellFormed() || 'Unnamed'
}
const accessOf = (access: unknown): Access => ({ read: record(access).library === true, write: record(access).write === true })
