import t from 'tap'
import { getPassword } from '../../db/queries/accounts.js'
import { requireOwnPassword } from '../../src/accounts/own-password.js'
import { Forbidden } from '../../src/errors/operation-errors.js'
import { testService } from '../support/service.js'

t.test('the own password', async t => {
  const { user } = await testService(t)
  const { context, password } = await user()
  const { db, account } = context
  const wrongPassword = () => new Forbidden('Wrong.', { userMessage: 'Wrong.' })
  const check = async (text: string, action = 'change') => await requireOwnPassword(context, text, { action, wrongPassword })

  await t.test('is not refused because it could not be checked', async t => {
    const { password_hash } = await getPassword(db, account.id)
    const store = async (hash: string) =>
      await db.updateTable('account').set({ password_hash: hash }).where('id', '=', account.id).execute()
    await store('unreadable')
    for (let time = 0; time < 12; time++) await t.rejects(check(password), TypeError)
    await store(password_hash)
    t.equal(await check(password), password_hash)
  })

  await t.test('can be wrong ten times, for each action', async t => {
    for (let time = 0; time < 10; time++) await t.rejects(check('wrong'), { code: 'forbidden' })
    await t.rejects(check(password), { code: 'rate_limited' })
    t.match(await check(password, 'delete'), /^\$argon2id/)
  })
})
