import { endSession } from '../../../db/queries/sessions.js'
import { Nothing } from '../../../schemas/account.js'
import { NoInput } from '../../../schemas/project.js'
import { operation } from '../operation.js'

export const logout = operation({
  name: 'logout',
  title: 'Log out',
  description: 'Ends the session: its access token and its refresh token stop working at once.',
  input: NoInput,
  output: Nothing,
  async handler ({ db, account, sessionId }) {
    if (sessionId !== undefined) await endSession(db, account.id, sessionId)
    return {}
  }
})
