import { randomInt } from 'node:crypto'

/** Characters of Zotero's keys. @see https://www.zotero.org/support/dev/web_api/v3/write_requests#object_keys */
const characters = '23456789ABCDEFGHIJKLMNPQRSTUVWXYZ'

/** A new key for an item. */
export const mintItemKey = (): string => Array.from({ length: 8 }, () => characters[randomInt(characters.length)]).join('')
