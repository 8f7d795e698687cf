import { INVALID_PARAMS, ProtocolError } from '../errors.js'

/** Rejects cursors: every list is one page, so no cursor is valid. Some clients send null or "" for none. */
export function refuseCursor (cursor: unknown): void {
  if (cursor != null && cursor !== '') throw new ProtocolError(INVALID_PARAMS, 'Unknown cursor: the list has one page. Omit cursor.')
}
