import { endSession } from '../../../db/queries/sessions.js'
import { NoResult } from '../../../schemas/empty.js'
import { SessionInput } from '../../../schemas/account.js'
import { SessionNotFound } from '../../errors/operation-errors.js'
import { operation } from '../operation.js'

/** @throws SessionNotFound also if the session is another account's */
export const sessionEnd = operation({
  name: 'session_end',
  title: 'End a session',
  description: 'Ends a session of the account on any device. It stops working immediately.',
  input: SessionInput,
  output: NoResult,
  async handler ({ db, account }, { session_id }) {
    if (!await endSession(db, account.id, session_id)) throw new SessionNotFound(session_id)
    return {}
  }
})
