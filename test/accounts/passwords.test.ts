import t from 'tap'
import { hashPassword, verifyPassword } from '../../src/accounts/passwords.js'

t.test('the password of an unknown account is checked, even after the queue was full', async t => {
  const many = Array.from({ length: 110 }, async () => await hashPassword('correct horse battery'))
  await t.rejects(verifyPassword(undefined, 'guessed'), { code: 'unavailable' })
  await Promise.allSettled(many)
  t.equal(await verifyPassword(undefined, 'guessed'), false)
})
