import { endSessions } from '../../../db/queries/sessions.js'
import { NoInput, NoResult } from '../../../schemas/empty.js'
import { operation } from '../operation.js'

export const sessionsEnd = operation({
  name: 'sessions_end',
  title: 'Log out everywhere',
  description: 'Ends every session of the account, including this one. The MCP key and the Atom addresses keep working.',
  input: NoInput,
  output: NoResult,
  async handler ({ db, account }) {
    await endSessions(db, account.id)
    return {}
  }
})
