import type { FastifySchema } from 'fastify'
import { type TObject, Type } from 'typebox'
import { ErrorBody, errorStatus } from '../../../schemas/errors.js'
import type { Access, Route } from './routes.js'

const refusals: Record<Access, number[]> = { anyone: [400, 429, 503], session: [400, 401, 429, 503], administrator: [400, 401, 403, 404, 429, 503], reader: [400, 401, 403, 404, 429, 503] }
const security: Record<Access, Array<Record<string, string[]>>> = { anyone: [], session: [{ accessToken: [] }], administrator: [{ accessToken: [] }], reader: [{ accessToken: [] }, { mcpKey: [] }, { mcpKeyHeader: [] }, { mcpKeyInQuery: [] }] }
const codes = (status: number) => Object.entries(errorStatus).filter(([, each]) => each === status).map(([code]) => code).join(', ')

/** What OpenAPI says of a route, from the same schemas that check and shape its calls. */
export function documentation ({ method, url, operation, access, status = 200, binary, send }: Route): FastifySchema {
  const { name, title, description, input, output } = operation
  const properties = (input as TObject).properties
  const inPath = [...url.matchAll(/:(\w+)/g)].map(([, name]) => name!)
  const others = Object.keys(properties).filter(name => !inPath.includes(name))
  const part = (names: string[]) => Type.Pick(input as TObject, names as never, { additionalProperties: false })
  return {
    operationId: name,
    summary: title,
    // A tool's description ends in an example of its arguments, which are spread over path and query here.
    description: description.replace(/ Example: \{.*$/, ''),
    tags: [tagOf(url)],
    // A key reads only.
    security: security[access === 'reader' && method !== 'GET' ? 'session' : access],
    ...(inPath.length > 0 ? { params: part(inPath) } : {}),
    ...(binary === undefined ? {} : { consumes: [binary.type] }),
    ...(others.length === 0 ? {} : method === 'GET' ? { querystring: part(others) } : { body: part(others) }),
    response: {
      [status]: status === 204 ? { type: 'null', description: 'Done.' } : { ...output, description: 'Done.' },
      ...Object.fromEntries(refusals[access].map(each => [each, { ...ErrorBody, description: `code: ${codes(each)}` }])),
      ...send?.responses
    }
  }
}

function tagOf (url: string): string {
  if (url.startsWith('/api/auth')) return 'Account'
  if (url.startsWith('/api/administration')) return 'Administration'
  if (url.startsWith('/api/jobs')) return 'Jobs'
  if (url.includes('/alerts')) return 'Alerts'
  if (url.includes('/feed') || url.includes('atom-url') || url.startsWith('/api/project-papers')) return 'Feeds'
  return url.startsWith('/api/papers') ? 'Papers' : 'Projects'
}
