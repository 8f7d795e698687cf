import { type KeyScope, keyScopes } from '../../../../schemas/key.js'
import { redactSecrets } from '../../../observability/redaction.js'
import { INVALID_PARAMS, ProtocolError } from '../errors.js'
import type { Call, Method } from '../method.js'
import { resourcesOf } from '../resources.js'
import { refuseCursor } from './paging.js'

const maxShownUri = 200

const lists = new Map(
  keyScopes.map(scope => [
    scope,
    Object.freeze({ resources: resourcesOf(scope).map(({ text, ...listed }) => ({ ...listed, size: Buffer.byteLength(text) })) })
  ])
)
const contents = new Map(
  keyScopes.map(scope => [
    scope,
    new Map(
      resourcesOf(scope).map(({ uri, mimeType, text, _meta }) => [uri, Object.freeze({ contents: [{ uri, mimeType, text, _meta }] })])
    )
  ])
)
const templates = Object.freeze({ resourceTemplates: [] })

const scopeOf = ({ context: { key } }: Call): KeyScope => key?.scope ?? 'read'

/** `resources/list`. */
export const listResources: Method = (call, { cursor }) => {
  refuseCursor(cursor)
  return lists.get(scopeOf(call))!
}

/** `resources/templates/list`. */
export const listResourceTemplates: Method = (_call, { cursor }) => {
  refuseCursor(cursor)
  return templates
}

/** `resources/read`. @throws ProtocolError for an unknown address */
export const readResource: Method = (call, { uri }) => {
  if (typeof uri !== 'string') throw new ProtocolError(INVALID_PARAMS, 'uri is required, a string. resources/list has the resources.')
  const result = contents.get(scopeOf(call))!.get(uri)
  if (result !== undefined) return result
  const shown = redactSecrets(uri.slice(0, maxShownUri).toWellFormed())
  throw new ProtocolError(
    INVALID_PARAMS,
    `Resource ${shown} is unknown. Resources: ${resourcesOf(scopeOf(call))
      .map(({ uri }) => uri)
      .join(', ')}. Papers are read with the tools.`,
    { data: { uri: shown } }
  )
}
