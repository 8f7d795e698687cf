import type { FastifySchema } from 'fastify'
import { type TObject, Type } from 'typebox'
import { ErrorBody, errorStatus } from '../../../schemas/errors.js'
import { keywordsOf } from '../../../schemas/keywords.js'
import type { Access, Route } from './route.js'

/** Statuses of errors that every route of an access can answer with. */
const errorStatuses: Record<Access, number[]> = {
  anyone: [400, 403, 429, 500, 503],
  session: [400, 401, 403, 429, 500, 503],
  browser: [400, 401, 403, 429, 500, 503],
  administrator: [400, 401, 403, 404, 429, 500, 503],
  reader: [400, 401, 403, 404, 429, 500, 503]
}
/** Arguments that name a record, which may be missing. */
const reference = /^(?:id|ref|token|items|code)$|_ids?$/
/** Those that name a paper, by a reference that may be ambiguous. */
const paperReference = /^(?:id|ref|paper_id)$/

/** The statuses of a route's errors: those that its shape tells, and those that it states. */
function errorsOf ({ method, access, operation, errors = [] }: Route, inPath: readonly string[], inBody: readonly string[]): number[] {
  const names = Object.keys((operation.input as TObject).properties)
  const statuses = new Set([...errorStatuses[access], ...errors])
  if (inPath.length > 0 || names.some(name => reference.test(name))) statuses.add(404)
  if (method !== 'GET' || names.some(name => paperReference.test(name))) statuses.add(409)
  if (inBody.length > 0) statuses.add(413).add(415)
  return [...statuses].sort()
}

const security: Record<Access, Array<Record<string, string[]>>> = {
  anyone: [],
  session: [{ accessToken: [] }],
  browser: [{ accessToken: [] }, { browserSession: [] }],
  administrator: [{ accessToken: [] }],
  reader: [{ accessToken: [] }, { mcpKey: [] }, { mcpKeyHeader: [] }, { mcpKeyInQuery: [] }]
}
const codes = (status: number) => Object.entries(errorStatus).filter(([, each]) => each === status).map(([code]) => code).join(', ')
const retryAfter = { 'Retry-After': { type: 'integer', description: 'Seconds after which to try again, if they are known.' } }

/** The body and headers of errors of a status. */
const errorResponse = (status: number): object => ({
  ...ErrorBody,
  description: `code: ${codes(status)}`,
  ...(status === 429 || status === 503 ? { headers: retryAfter } : {})
})

/** Describes a route for OpenAPI, from the schemas that validate its calls. */
export function documentation (route: Route): FastifySchema {
  const { method, url, operation, access, status = 200, binary, multipart, send } = route
  const { name, title, description, input, output, scope } = operation
  const properties = (input as TObject).properties
  const inPath = [...url.matchAll(/:(\w+)/g)].map(([, name]) => name!)
  const notInPath = Object.keys(properties).filter(name => !inPath.includes(name))
  const part = (names: string[]) => Type.Pick(input as TObject, names as never, { additionalProperties: false })
  const form = (file: string) => {
    const fields = part(notInPath)
    const { description: about } = keywordsOf(properties[file]!)
    return { ...fields, properties: { ...fields.properties, [file]: { type: 'string', format: 'binary', description: about } } }
  }
  const bodyOf = () => {
    if (multipart !== undefined) return form(multipart.property)
    if (binary === undefined) return part(notInPath)
    return { type: 'string', format: 'binary', description: keywordsOf(properties[binary.property]!).description }
  }
  return {
    operationId: name,
    summary: title,
    // The example of a tool's arguments does not apply: a route has them in path, query and body.
    description: description.replace(/ Example: \{.*$/, ''),
    tags: [tagOf(url)],
    security: security[access === 'reader' && scope === undefined ? 'session' : access],
    ...(inPath.length > 0 ? { params: part(inPath) } : {}),
    ...(binary === undefined && multipart === undefined ? {} : { consumes: [binary?.type ?? 'multipart/form-data'] }),
    ...(notInPath.length === 0
      ? {}
      : method === 'GET'
        ? { querystring: part(notInPath) }
        : { body: bodyOf() }),
    response: {
      [status]: status === 204 ? { type: 'null', description: 'Done.' } : { ...output, description: 'Done.' },
      ...Object.fromEntries(errorsOf(route, inPath, method === 'GET' ? [] : notInPath).map(each => [each, errorResponse(each)])),
      ...send?.responses
    }
  }
}

function tagOf (url: string): string {
  if (/^\/api\/(?:auth|keys|account)\b/.test(url)) return 'Account'
  if (url.startsWith('/api/administration')) return 'Administration'
  if (url.startsWith('/api/jobs')) return 'Jobs'
  if (url.includes('/alerts')) return 'Alerts'
  if (url.includes('/zotero')) return 'Zotero'
  if (url.includes('/share-links')) return 'Sharing'
  if (url.includes('/snapshots')) return 'Snapshots'
  if (url.includes('/feed') || url.includes('atom-url') || /^\/api\/(?:project-papers|tags)\b/.test(url)) return 'Feeds'
  return url.startsWith('/api/papers') ? 'Papers' : 'Projects'
}
