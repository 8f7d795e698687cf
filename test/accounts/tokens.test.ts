import t from 'tap'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { accessTokens } from '../../src/accounts/access-tokens.js'
import { loginThrottle } from '../../src/accounts/login-throttle.js'
import { csrfTokens } from '../../src/accounts/csrf-tokens.js'
import { atomUrl, feedTokens } from '../../src/accounts/feed-tokens.js'
import { maskKey, mcpUrl } from '../../src/accounts/keys.js'
import { generatePassword, verifyPassword, hashPassword } from '../../src/accounts/passwords.js'
import { randomText } from '../../src/accounts/random.js'
import { browserTokens, refreshTokens } from '../../src/accounts/session-tokens.js'
import { deriveSecrets, loadOrCreateSecret } from '../../src/accounts/secrets.js'
import { redactSecrets } from '../../src/observability/redaction.js'
import { hashAtServiceCost } from '../support/cheap-hashes.js'
import { atEnd } from '../support/end-of-file.js'
import { secretsIn } from '../support/leaks.js'

atEnd(t, hashAtServiceCost())

const secret = 'a secret that is long enough for this'

t.test('an access token is valid for its own service only', async t => {
  const claims = { accountId: 'a', sessionId: '0b54c2ab-6f2e-4d6c-9d0f-3a8f5b1f7a11' }
  const ours = accessTokens(deriveSecrets(secret).accessToken)
  t.strictSame(await ours.verify(await ours.sign(claims)), claims)
  t.equal(await accessTokens(deriveSecrets(`${secret}!`).accessToken).verify(await ours.sign(claims)), undefined)
  t.equal(
    await accessTokens(deriveSecrets(secret).feedToken).verify(await ours.sign(claims)),
    undefined,
    'keys for other purposes do not verify it'
  )
})

t.test('an access token ends after fifteen minutes', async t => {
  const claims = { accountId: '1f7a110b-6f2e-4d6c-9d0f-3a8f5b1f7a11', sessionId: '0b54c2ab-6f2e-4d6c-9d0f-3a8f5b1f7a11' }
  const { accessToken } = deriveSecrets(secret)
  const decode = (part: string | undefined) => JSON.parse(Buffer.from(part!, 'base64url').toString())
  const [head, payload] = (await accessTokens(accessToken).sign(claims)).split('.')
  const { iat, exp, ...claimed } = decode(payload)
  t.equal(exp - iat, 15 * 60)
  t.ok(Math.abs(iat - Date.now() / 1000) < 3600)
  t.strictSame(claimed, { sid: claims.sessionId, iss: 'litfeed', aud: 'litfeed', sub: claims.accountId })
  t.strictSame(decode(head), { alg: 'HS256', typ: 'JWT' })
})

t.test('an access token names its session by a UUID', async t => {
  const tokens = accessTokens(deriveSecrets(secret).accessToken)
  const id = '0b54c2ab-6f2e-4d6c-9d0f-3a8f5b1f7a11'
  for (const sessionId of ['', `x${id}`, `${id}x`, id.toUpperCase()]) {
    t.equal(await tokens.verify(await tokens.sign({ accountId: id, sessionId })), undefined, sessionId)
  }
})

t.test('keys and tokens stay valid from one release to the next', async t => {
  const { setupToken, ...keys } = deriveSecrets(secret)
  t.strictSame(Object.fromEntries(Object.entries(keys).map(([purpose, key]) => [purpose, Buffer.from(key).toString('hex').slice(0, 16)])), {
    accessToken: '0c8e552e45a27204',
    refreshToken: 'd837f8cf6b28ae06',
    feedToken: '01c0dc0e73c9e1d4',
    webhook: 'c0e31bec82e43e47',
    unsubscribe: 'c30aeb7c5d169ea9',
    csrfToken: '43b1a98d7cc9c7e5',
    deviceToken: '1b8b4b183116b63a',
    sealedSecret: '608badf28cb9b7f4'
  })
  t.ok(Object.values(keys).every(key => key.length === 32))
  t.equal(setupToken, '6c31880226d1404adc46f406ce0c9595')
  const [id, project] = ['0b54c2ab-6f2e-4d6c-9d0f-3a8f5b1f7a11', '1f7a110b-6f2e-4d6c-9d0f-3a8f5b1f7a11']
  const feeds = feedTokens(keys.feedToken)
  t.equal(feeds.mint({ id, feed_token_version: 1 }), 'svcft_Pow0REDBFggHxPp9M7tRYzIqnuGNzkd8')
  t.equal(feeds.mint({ id, feed_token_version: 1 }, project), 'svcft_I1tydgYvknBkvDNXOalVRpyRMvmxtY6n')
  t.equal(atomUrl('https://litfeed.example', project, 'svcft_x'), `https://litfeed.example/api/feed/atom/${project}?token=svcft_x`)
  const refresh = `svcrt_${id}_${'a'.repeat(32)}3c0d0e04bb3d2e6d2e0cea14ff89a5d9`
  t.strictSame(refreshTokens(keys.refreshToken).read(refresh), { sessionId: id, hash: createHash('sha256').update(refresh).digest() })
  t.match(refreshTokens(keys.refreshToken).mint().token, /^svcrt_[0-9a-f-]{36}_[0-9A-Za-z]{32}[0-9a-f]{32}$/)
  t.match(browserTokens.mint().token, /^svcbs_[0-9a-f-]{36}_[0-9A-Za-z]{32}$/)
})

t.test('a CSRF token is valid for its session and service only', async t => {
  const tokens = csrfTokens(deriveSecrets(secret).csrfToken)
  const token = tokens.mint('a session')
  t.match(token, /^[\w-]{43}$/)
  t.ok(tokens.matches('a session', token))
  for (const wrong of ['', token.slice(1), `${token}AAAA`, tokens.mint('another session')]) t.notOk(tokens.matches('a session', wrong), wrong)
  t.notOk(csrfTokens(deriveSecrets(secret).feedToken).matches('a session', token))
})

t.test('random text has every digit and letter', async t => {
  t.equal(new Set(randomText(5000)).size, 62)
  t.match(randomText(5000), /^[0-9A-Za-z]{5000}$/)
})

t.test('a key is shown with its prefix only, and sent in the address of the endpoint', async t => {
  t.equal(maskKey('abc'), 'svcmcp_abc_••••••••')
  t.equal(mcpUrl('https://litfeed.example', 'svcmcp_a_b'), 'https://litfeed.example/api/mcp/?key=svcmcp_a_b')
})

t.test('a feed token is deterministic and changes with a rotation', async t => {
  const tokens = feedTokens(deriveSecrets(secret).feedToken)
  const account = { id: '0b54c2ab-6f2e-4d6c-9d0f-3a8f5b1f7a11', feed_token_version: 1 }
  const token = tokens.mint(account)
  t.match(token, /^svcft_[0-9A-Za-z]{20,}$/)
  t.equal(tokens.mint({ ...account }), token)
  t.ok(tokens.matches(account, 'a project', token))
  for (const wrong of ['', 'svcft_', `${token}x`, token.toLowerCase()]) t.notOk(tokens.matches(account, 'a project', wrong))
  t.notOk(tokens.matches({ ...account, feed_token_version: 2 }, 'a project', token))
  const limited = tokens.mint(account, 'a project')
  t.ok(tokens.matches(account, 'a project', limited))
  t.notOk(tokens.matches(account, 'another project', limited), 'a project\'s token opens no other feed')
  t.notOk(tokens.matches({ ...account, feed_token_version: 2 }, 'a project', limited))
})

t.test('a refresh token contains its session id, and only its hash is stored', async t => {
  const tokens = refreshTokens(deriveSecrets(secret).refreshToken)
  const { token, sessionId, hash } = tokens.mint()
  t.strictSame(tokens.read(token), { sessionId, hash })
  t.notMatch(hash.toString('latin1'), token)
  t.not(tokens.mint(sessionId).token, token)
  for (const wrong of ['', 'svcrt_x_y', token.slice(1), `${token}x`, `${token}\n`]) t.equal(tokens.read(wrong), undefined)
  t.strictSame(secretsIn(token), ['a refresh token'])
  t.equal(redactSecrets(`before ${token} after`), 'before [secret] after')
})

t.test('a forged refresh token is rejected', async t => {
  const tokens = refreshTokens(deriveSecrets(secret).refreshToken)
  const { token, sessionId } = tokens.mint()
  const end = token.split('_')[2]!
  const random = 'a'.repeat(32)
  const madeUp = {
    'the form of before': `svcrt_${sessionId}_${random}`,
    'another random part': `svcrt_${sessionId}_${random}${end.slice(32)}`,
    'another session': `svcrt_${tokens.mint().sessionId}_${end}`,
    'no proof': token.slice(0, -32),
    'half a proof': token.slice(0, -16),
    'another service\'s': refreshTokens(deriveSecrets(`${secret}!`).refreshToken).mint(sessionId).token,
    'the key of another purpose': refreshTokens(deriveSecrets(secret).feedToken).mint(sessionId).token,
    'a browser\'s': browserTokens.mint(sessionId).token.replace('svcbs', 'svcrt')
  }
  for (const [what, wrong] of Object.entries(madeUp)) t.equal(tokens.read(wrong), undefined, what)
})

t.test('a generated password is long, and matches only its hash', async t => {
  const password = generatePassword()
  t.match(password, /^\w{6}-\w{6}-\w{6}$/)
  const hash = await hashPassword(password)
  t.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  t.ok(await verifyPassword(hash, password))
  t.notOk(await verifyPassword(hash, `${password} `))
  t.notOk(await verifyPassword(undefined, password))
})

t.test('the stored secret is generated once and readable by its owner only', async t => {
  const folder = join(t.testdir(), 'data')
  const made = loadOrCreateSecret(folder)
  t.match(made, /^[0-9a-f]{64}$/)
  t.equal(loadOrCreateSecret(folder), made)
  t.equal(readFileSync(join(folder, 'jwt-secret'), 'utf8').trim(), made)
  t.equal(statSync(join(folder, 'jwt-secret')).mode & 0o777, 0o600)
  t.strictSame(readdirSync(folder), ['jwt-secret'])
})

t.test('a truncated stored secret is refused', async t => {
  const folder = t.testdir()
  for (const left of ['', 'a1b2', 'x'.repeat(64), `x${'a'.repeat(64)}`, `${'a'.repeat(64)}x`]) {
    writeFileSync(join(folder, 'jwt-secret'), left)
    t.throws(() => loadOrCreateSecret(folder), { message: /jwt-secret is damaged.*Remove it/ })
  }
})

t.test('a stored secret that cannot be read is not replaced', async t => {
  const folder = t.testdir()
  mkdirSync(join(folder, 'jwt-secret'))
  t.throws(() => loadOrCreateSecret(folder), { code: 'EISDIR' })
  t.strictSame(readdirSync(folder), ['jwt-secret'])
})

t.test('a successful login resets the attempts of the account and subtracts one from its address', async t => {
  const counted = loginThrottle(() => {})
  const attempts = await Promise.all(
    Array.from({ length: 10 }, async () => await counted.begin({ address: '192.0.2.1', email: 'a@example.org' }))
  )
  await attempts[9]!.succeeded()
  await t.resolves(counted.begin({ address: '192.0.2.2', email: 'a@example.org' }))
  for (let time = 0; time < 21; time++) await counted.begin({ address: '192.0.2.1', email: `${time}@example.org` })
  await t.rejects(counted.begin({ address: '192.0.2.1', email: 'c@example.org' }), { code: 'rate_limited' })
})

t.test('a rate-limited address does not lock an account', async t => {
  const counted = loginThrottle(() => {})
  for (let time = 0; time < 30; time++) await counted.begin({ address: '192.0.2.1', email: `${time}@example.org` })
  for (let time = 0; time < 20; time++) {
    await t.rejects(counted.begin({ address: '192.0.2.1', email: 'a@example.org' }), { code: 'rate_limited' })
  }
  await t.resolves(counted.begin({ address: '192.0.2.2', email: 'a@example.org' }))
})
