import t from 'tap'
import { hashPassword, passwordMatches } from '../../src/accounts/passwords.js'

t.test('a password of nobody is looked at, also where there was no time for it before', async t => {
  const many = Array.from({ length: 110 }, async () => await hashPassword('correct horse battery'))
  await t.rejects(passwordMatches(undefined, 'guessed'), { code: 'unavailable' })
  await Promise.allSettled(many)
  t.equal(await passwordMatches(undefined, 'guessed'), false)
})
