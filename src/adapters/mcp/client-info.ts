import type { Client } from '../../accounts/keys.js'
import { isObject } from '../../../schemas/json-object.js'
import { capabilitiesKey } from './eras/headers.js'
import { appMimeType, appsExtension } from './resources.js'

const maxLength = 100

/** Returns how a request's client names itself: in `clientInfo` of initialize, or in `_meta` of the modern era. */
export function clientOf (params: Record<string, unknown>): Client | undefined {
  const info = params.clientInfo ?? (isObject(params._meta) ? params._meta['io.modelcontextprotocol/clientInfo'] : undefined)
  if (!isObject(info)) return undefined
  const name = readText(info.name)
  return name === '' ? undefined : { name, version: readText(info.version) || null }
}

/** People read it on the Connect page: one line, without control and invisible characters. */
const readText = (value: unknown): string =>
  typeof value === 'string'
    ? value
      .slice(0, 1000)
      .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
      .trim()
      .slice(0, maxLength)
    : ''

/**
 * Whether a client may show cards, from the `_meta` of a request. Modern requests repeat the client's capabilities. Legacy clients state
 * them in initialize alone, which leaves no session; those without the extension ignore a card.
 */
export function mayShowCards (meta: unknown): boolean {
  const capabilities = isObject(meta) ? meta[capabilitiesKey] : undefined
  if (!isObject(capabilities)) return true
  const extension =
    isObject(capabilities.extensions) && Object.hasOwn(capabilities.extensions, appsExtension)
      ? capabilities.extensions[appsExtension]
      : undefined
  return isObject(extension) && Array.isArray(extension.mimeTypes) && extension.mimeTypes.includes(appMimeType)
}
