import { INVALID_PARAMS, ProtocolError } from '../errors.js'

/** Every list is one page, so that no cursor can have come from here. */
export function refuseCursor (cursor: unknown): void {
  if (cursor !== undefined) throw new ProtocolError(INVALID_PARAMS, 'This cursor is not known: the list has one page. Leave cursor out.')
}
