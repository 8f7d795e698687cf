import t from 'tap'
import { setTimeout as sleep } from 'node:timers/promises'
import { setPassword } from '../../db/queries/accounts.js'
import { hashPassword } from '../../src/accounts/passwords.js'
import { accountUpdate } from '../../src/operations/accounts/account-update.js'
import { browserLogin } from '../../src/operations/accounts/browser-login.js'
import { login } from '../../src/operations/accounts/login.js'
import { passwordChange } from '../../src/operations/accounts/password-change.js'
import { Unauthorized } from '../../src/errors/operation-errors.js'
import { testService } from '../support/service.js'

t.test('during a password change', async t => {
  const service = await testService(t)
  const context = { ...service.context, address: '127.0.0.1' }
  const { db } = context
  const old = 'correct horse battery'
  const hash = await hashPassword('another long password')
  const sessionsOf = async (id: string) => (await db.selectFrom('session').select('id').where('account_id', '=', id).execute()).length
  /** Logins of both kinds, some of which have read the account and looked at nothing yet when `change` comes. */
  const overlapping = async (email: string, milliseconds: number, change: () => Promise<unknown>) => {
    const logins = Array.from({ length: 8 }, async (_each, at) =>
      at % 2 === 0
        ? await login.run(context, { email, password: old })
        : await browserLogin.run(context, { email, password: old, user_agent: '' })
    )
    const settled = Promise.allSettled(logins)
    await sleep(milliseconds)
    await change()
    return (await settled).flatMap(each => each.status === 'rejected' ? [each.reason] : [])
  }

  t.test('a login with the old password fails like a wrong one and leaves no session', async t => {
    let refused = 0
    for (let milliseconds = 10; milliseconds <= 110; milliseconds += 50) {
      const { email, context: { account: { id } } } = await service.user()
      const errors = await overlapping(email, milliseconds, async () => await setPassword(db, id, hash))
      t.equal(await sessionsOf(id), 0, `${milliseconds} ms`)
      refused += errors.length
      for (const error of errors) t.match(error, { constructor: Unauthorized, message: 'The address or the password is wrong.' })
    }
    t.ok(refused > 0, 'they did overlap')
  })

  t.test('a login to a disabled account leaves no session', async t => {
    const administrator = await service.user()
    await db.updateTable('account').set({ administrator: true }).where('id', '=', administrator.context.account.id).execute()
    for (let milliseconds = 10; milliseconds <= 110; milliseconds += 50) {
      const { email, context: { account: { id } } } = await service.user()
      await overlapping(email, milliseconds, async () => await accountUpdate.run(administrator.context, { account_id: id, disabled: true }))
      t.equal(await sessionsOf(id), 0, `${milliseconds} ms`)
    }
  })

  t.test('only one change with the same old password succeeds', async t => {
    const user = await service.user()
    const changes = await Promise.allSettled(
      [1, 2, 3, 4].map(
        async at => await passwordChange.run(user.context, { current_password: user.password, new_password: `a long password ${at}` })
      )
    )
    t.equal(changes.filter(({ status }) => status === 'fulfilled').length, 1)
    for (const change of changes) {
      if (change.status === 'rejected') t.match(change.reason, { code: 'forbidden', message: 'The current password is wrong.' })
    }
  })
})
