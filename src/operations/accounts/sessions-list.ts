import { listSessions } from '../../../db/queries/sessions.js'
import { SessionsListResult } from '../../../schemas/account.js'
import { NoInput } from '../../../schemas/empty.js'
import { operation } from '../operation.js'

export const sessionsList = operation({
  name: 'sessions_list',
  title: 'List sessions',
  description: 'Returns the active sessions of the account, most recently used first.',
  input: NoInput,
  output: SessionsListResult,
  async handler ({ db, account, sessionId, now }) {
    const items = (await listSessions(db, account.id, now())).map(({ id, kind, user_agent, created_at, last_used_at, expires_at }) => ({
      id,
      kind,
      user_agent,
      current: id === sessionId,
      created_at: created_at.toISOString(),
      last_used_at: last_used_at?.toISOString() ?? null,
      expires_at: expires_at.toISOString()
    }))
    return { items, total: items.length }
  }
})
