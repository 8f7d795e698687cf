import { endSession } from '../../../db/queries/sessions.js'
import { NoInput, NoResult } from '../../../schemas/empty.js'
import { operation } from '../operation.js'

export const logout = operation({
  name: 'logout',
  title: 'Log out',
  description: 'Ends the session. Its access token and refresh token stop working immediately.',
  input: NoInput,
  output: NoResult,
  async handler ({ db, account, sessionId }) {
    if (sessionId !== undefined) await endSession(db, account.id, sessionId)
    return {}
  }
})
