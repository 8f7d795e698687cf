import { type KeyScope, keyScopes } from '../../../../schemas/key.js'
import { InvalidArguments, JobNotFound } from '../../../errors/operation-errors.js'
import { redactSecrets } from '../../../observability/redaction.js'
import { jobGet } from '../../../operations/jobs/job-get.js'
import { INVALID_PARAMS, ProtocolError } from '../errors.js'
import type { Call, Method } from '../method.js'
import { jobTemplate, resourcesOf } from '../resources.js'
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
const templates = Object.freeze({ resourceTemplates: [jobTemplate] })

const scopeOf = ({ context: { key } }: Call): KeyScope => key?.scope ?? 'read'

/** The beginning of the addresses of jobs. */
const jobAddress = jobTemplate.uriTemplate.slice(0, jobTemplate.uriTemplate.indexOf('{'))

/** A job as JSON, which is never the same for long. @throws ProtocolError for an unknown job, RateLimited */
async function readJob ({ context, countLookup }: Call, uri: string): Promise<object> {
  await countLookup()
  try {
    const job = await jobGet.run(context, { job_id: uri.slice(jobAddress.length) })
    return { contents: [{ uri, mimeType: jobTemplate.mimeType, text: JSON.stringify(job) }] }
  } catch (cause) {
    if (cause instanceof JobNotFound || cause instanceof InvalidArguments) throw new ProtocolError(INVALID_PARAMS, cause.message)
    throw cause
  }
}

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

/** `resources/read`. @throws ProtocolError for an unknown address, RateLimited */
export const readResource: Method = async (call, { uri }) => {
  if (typeof uri !== 'string') throw new ProtocolError(INVALID_PARAMS, 'uri is required, a string. resources/list has the resources.')
  const result = contents.get(scopeOf(call))!.get(uri)
  if (result !== undefined) return result
  if (uri.startsWith(jobAddress)) return await readJob(call, uri)
  const shown = redactSecrets(uri.slice(0, maxShownUri).toWellFormed())
  throw new ProtocolError(
    INVALID_PARAMS,
    `Resource ${shown} is unknown. Resources: ${resourcesOf(scopeOf(call))
      .map(({ uri }) => uri)
      .join(', ')}. Papers are read with the tools.`,
    { data: { uri: shown } }
  )
}
