/**
 * key_rejected: the key is unknown or was revoked; forbidden: it may not do this; not_found: the library or collection is missing; busy:
 * Zotero asked for a pause; conflict: something changed meanwhile; unavailable: no usable answer for now; unexpected: not Zotero's API.
 */
export type ZoteroFault = 'key_rejected' | 'forbidden' | 'not_found' | 'busy' | 'conflict' | 'unavailable' | 'unexpected'

/** The message of `key_rejected` for a key that was stored, since Zotero accepted it once. */
export const storedKeyRejected = 'Zotero does not accept the key. It may have been revoked. Connect again with a new key.'

/** A request to Zotero that failed. The message is public: it quotes nothing of the answer. */
export class ZoteroError extends Error {
  readonly fault: ZoteroFault
  /** Seconds after which Zotero accepts requests again. */
  readonly retryAfter: number | undefined
  /** Zotero's response without secrets, for the log. */
  readonly detail: string | undefined

  constructor (
    fault: ZoteroFault,
    message: string,
    { retryAfter, detail, ...options }: ErrorOptions & { retryAfter?: number, detail?: string | undefined } = {}
  ) {
    super(message, options)
    this.fault = fault
    this.retryAfter = retryAfter
    this.detail = detail
  }
}
