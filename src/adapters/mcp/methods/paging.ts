import { INVALID_PARAMS, ProtocolError } from '../errors.js'

/** Rejects cursors: every list is one page, so no cursor is valid. */
export function refuseCursor (cursor: unknown): void {
  if (cursor !== undefined) throw new ProtocolError(INVALID_PARAMS, 'Unknown cursor: the list has one page. Omit cursor.')
}
