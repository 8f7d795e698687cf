import type { FastifyRequest } from 'fastify'
import type { TObject } from 'typebox'
import { ReceivedFile } from '../../../schemas/received-file.js'
import { shortText } from '../../../schemas/short-text.js'
import { InvalidArguments, UnsupportedMediaType } from '../../errors/operation-errors.js'
import type { AnyOperation } from '../../operations/operation.js'
import { tolerantBody, tolerantInput } from '../../operations/tolerant-input.js'
import type { Route } from './route.js'

/** The media type of forms with a file. */
export const formType = 'multipart/form-data'

/** Whether the body has this media type. */
export const isOfType = ({ headers }: FastifyRequest, type: string): boolean =>
  headers['content-type']?.split(';', 1)[0]!.trim().toLowerCase() === type

/** The error for a body of another media type than this. */
export const wrongType = (type: string): UnsupportedMediaType => new UnsupportedMediaType(
  type === formType
    ? `Send a form of type ${formType} with the file in its field "file".`
    : `Send the file itself as the body, with the header Content-Type: ${type}.`
)

/** Merges the path and the file of the body into one object. @throws UnsupportedMediaType, InvalidArguments */
export function binaryInputOf (request: FastifyRequest, { input }: AnyOperation, { type, property }: NonNullable<Route['binary']>): object {
  const { params, body } = request
  refuseQuery(request, input)
  if (!(body instanceof ReceivedFile)) throw wrongType(type)
  return { ...params as object, [property]: body }
}

/**
 * Merges path and query (GET) or path and body into one object, without the key.
 * @throws InvalidArguments for an argument in the wrong place
 */
export function inputOf (request: FastifyRequest, { input, scope }: AnyOperation): object {
  const { method, params, query, body } = request
  if (method === 'GET' || method === 'HEAD') {
    const { key: _key, ...parameters } = query as Record<string, unknown>
    const pathArgument = Object.keys(parameters).find(name => Object.hasOwn(params as object, name))
    if (pathArgument !== undefined) {
      throw new InvalidArguments(`${shortText(pathArgument, 80)} belongs in the path. Omit it from the query.`)
    }
    const sent = { ...parameters, ...params as object }
    const repeated = Object.entries(sent).find(([name, value]) => Array.isArray(value) && Object.hasOwn(input.properties, name))?.[0]
    if (repeated !== undefined) throw new InvalidArguments(`${repeated} is in the query more than once. Send it once.`)
    return tolerantInput(input, sent) as object
  }
  refuseQuery(request, input)
  if (body !== undefined && body !== null && (typeof body !== 'object' || Array.isArray(body))) {
    throw new InvalidArguments('The body must be a JSON object.')
  }
  for (const name of Object.keys(params as object)) {
    if (Object.hasOwn(body ?? {}, name)) throw new InvalidArguments(`${name} belongs in the path, not in the body.`)
  }
  const sent = { ...body, ...params as object }
  // Clients of models call the operations that take a key. In others, such as those of accounts, "" stays an error.
  return scope === undefined ? sent : tolerantBody(input, sent)
}

/** @throws InvalidArguments for a query parameter besides the key, which would be ignored: arguments are in the path and in the body */
function refuseQuery ({ params, query }: FastifyRequest, { properties }: TObject): void {
  const name = Object.keys(query as object).find(each => each !== 'key')
  if (name === undefined) return
  const place = Object.hasOwn(params as object, name) ? 'path' : 'body'
  const problem = Object.hasOwn(properties, name) ? `belongs in the ${place}` : 'is not an argument of this operation'
  throw new InvalidArguments(`${shortText(name, 80)} ${problem}. Omit it from the query.`)
}
