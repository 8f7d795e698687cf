import { Forbidden, InvalidArguments, RateLimited, Unavailable } from '../errors/operation-errors.js'
import { HttpError } from '../http/client.js'
import { ZoteroError } from './errors.js'

/** Runs requests and translates Zotero's errors into errors of operations. */
export async function translateZoteroErrors<T> (run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (cause) {
    if (cause instanceof HttpError) throw new Unavailable(`Zotero sent an invalid response: ${cause.message}`, { cause })
    if (!(cause instanceof ZoteroError)) throw cause
    const { fault, message, retryAfter } = cause
    if (fault === 'key_rejected' || fault === 'forbidden') throw new Forbidden(message, { cause })
    if (fault === 'not_found') throw new InvalidArguments(message, { cause })
    if (fault === 'busy') throw new RateLimited(retryAfter ?? 60, message)
    throw new Unavailable(message, { cause })
  }
}
