import t from 'tap'
import { testService } from '../support/service.js'

const codes = (answers: Array<{ statusCode: number }>) =>
  Object.fromEntries(answers.map(({ statusCode }) => [statusCode, answers.filter(each => each.statusCode === statusCode).length]))

t.test('concurrent wrong logins are limited like consecutive ones', async t => {
  const service = await testService(t)
  const user = await service.user()
  const login = async (password: string, remoteAddress: string) =>
    await service.app.inject({ method: 'POST', url: '/api/auth/login', remoteAddress, payload: { email: user.email, password } })
  const answers = await Promise.all(Array.from({ length: 60 }, async (_each, at) => await login(`wrong ${at}`, `192.0.2.${at}`)))
  t.strictSame(codes(answers), { 401: 10, 429: 50 })
  t.equal((await login(user.password, '192.0.2.99')).statusCode, 429, 'the right one has to wait too')
})

t.test('guesses of the setup token are limited, also concurrent ones', async t => {
  const service = await testService(t, { HOST: '0.0.0.0' })
  const register = async (setup_token: string | undefined, remoteAddress: string, at = 0) =>
    await service.app.inject({
      method: 'POST',
      url: '/api/auth/register',
      remoteAddress,
      payload: { email: `a${at}@example.org`, password: 'long enough a one', setup_token }
    })
  const attempts = async (addressOf: (at: number) => string) =>
    codes(await Promise.all(Array.from({ length: 50 }, async (_each, at) => await register(`wrong ${at}`, addressOf(at), at))))
  t.strictSame(await attempts(() => '203.0.113.5'), { 403: 30, 429: 20 })
  t.strictSame(await attempts(at => `2001:db8::${at.toString(16)}`), { 403: 30, 429: 20 }, 'a machine with all addresses of an IPv6 network')
  t.equal((await register(service.context.accounts.setupToken, '203.0.113.6')).statusCode, 201)
})
