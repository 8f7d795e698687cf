import type { IncomingHttpHeaders } from 'node:http'
import { HEADER_MISMATCH, INVALID_PARAMS, ProtocolError, UNSUPPORTED_VERSION } from '../errors.js'
import { isObject } from '../../../../schemas/json-object.js'
import { redactSecrets } from '../../../observability/redaction.js'
import { isModern, isOfModernEra, modernVersions, servedVersions } from '../versions.js'

const versionKey = 'io.modelcontextprotocol/protocolVersion'
export const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities'

interface Request { method: string, params?: Record<string, unknown> }

/** Whether a message belongs to the modern era, according to its `_meta` or its version header. */
export function isModernMessage ({ params }: Request, headers: IncomingHttpHeaders): boolean {
  const meta = params?._meta
  if (isObject(meta) && Object.hasOwn(meta, versionKey)) return true
  const version = headers['mcp-protocol-version']
  return typeof version === 'string' && isOfModernEra(version)
}

/**
 * Checks that the headers of a modern request repeat its body, because proxies route by the headers.
 * @see the specification of 2026-07-28, Streamable HTTP
 * @throws ProtocolError -32602, -32020 or -32022, in that order
 */
export function checkModernRequest ({ method, params = {} }: Request, headers: IncomingHttpHeaders): void {
  const meta = isObject(params._meta) ? params._meta : {}
  const requested = meta[versionKey]
  if (typeof requested !== 'string') {
    throw invalidMeta(`params._meta["${versionKey}"] is required, a string like "${modernVersions[0]}".`)
  }
  if (!isObject(meta[capabilitiesKey])) {
    throw invalidMeta(`params._meta["${capabilitiesKey}"] is required, an object; {} is enough.`)
  }
  compare('MCP-Protocol-Version', headers['mcp-protocol-version'], requested)
  if (!isModern(requested)) {
    throw new ProtocolError(
      UNSUPPORTED_VERSION,
      `Revision ${requested.slice(0, 32)} is not supported. Supported: ${servedVersions.join(', ')}.`,
      { data: { supported: modernVersions, requested: redactSecrets(requested) } }
    )
  }
  compare('Mcp-Method', headers['mcp-method'], method)
  const name = (Object.hasOwn(targetReaders, method) ? targetReaders[method] : undefined)?.(params)
  if (name !== undefined) compare('Mcp-Name', headers['mcp-name'], String(name))
}

const invalidMeta = (message: string) => new ProtocolError(INVALID_PARAMS, message, { status: 400 })

/** Read the target that a request repeats in the header Mcp-Name, by method. */
const targetReaders: Readonly<Record<string, (params: Record<string, unknown>) => unknown>> = {
  'tools/call': ({ name }) => name,
  'prompts/get': ({ name }) => name,
  'resources/read': ({ uri }) => uri
}

function compare (header: string, sent: string | string[] | undefined, expected: string): void {
  if (typeof sent !== 'string') {
    throw new ProtocolError(HEADER_MISMATCH, `The header ${header} is missing; it must repeat the body's value.`)
  }
  if (decode(sent) !== expected) {
    throw new ProtocolError(HEADER_MISMATCH, `The header ${header} differs from the body; both must have the same value.`)
  }
}

/** Decodes `=?base64?…?=`, the form of values that a header cannot hold literally. */
function decode (value: string): string {
  const encoded = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(value.trim())?.[1]
  return encoded === undefined ? value.trim() : Buffer.from(encoded, 'base64').toString('utf8')
}
