import { randomInt } from 'node:crypto'

/** Characters of Zotero's keys. @see https://www.zotero.org/support/dev/web_api/v3/write_requests#object_keys */
const characters = '23456789ABCDEFGHIJKLMNPQRSTUVWXYZ'

/** Whether a value of an answer is the key of an item or a collection. */
export const isItemKey = (value: unknown): value is string => typeof value === 'string' && /^[A-Z0-9]{8}$/.test(value)

/** A new key for an item. */
export const mintItemKey = (): string => Array.from({ length: 8 }, () => characters[randomInt(characters.length)]).join('')
