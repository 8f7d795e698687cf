import t from 'tap'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { allSettings, readSettings } from '../../src/composition/settings.js'
import { trustedProxies } from '../../src/server/proxies.js'

t.test('settings', async t => {
  t.test('have the documented defaults', async t => {
    t.match(readSettings({}), {
      host: '127.0.0.1',
      port: 8787,
      dataDir: './data',
      registration: 'first',
      rateLimit: 600,
      allowedOrigins: { length: 0 },
      trustProxy: false,
      logLevel: 'info',
      databaseUrl: undefined,
      baseUrl: undefined
    })
  })

  t.test('that are empty count as unset', async t => {
    t.match(readSettings({ PORT: '', DATABASE_URL: ' ', BASE_URL: '' }), { port: 8787, databaseUrl: undefined, baseUrl: undefined })
  })

  t.test('list all invalid values in one error, with the allowed values', async t => {
    try {
      readSettings({
        PORT: '99999',
        REGISTRATION: 'maybe',
        RATE_LIMIT: 'many',
        LOG_LEVEL: 'loud',
        BASE_URL: 'litfeed',
        ALLOWED_ORIGINS: 'https://a.example/path',
        TRUST_PROXY: 'proxy',
        DATABASE_URL: 'postgres://u:do-not-leak@h/d'
      })
      t.fail('no error was thrown')
    } catch (error) {
      const { message } = error as Error
      for (const part of [
        /PORT is "99999"; allowed: a whole number from 0 to 65535/,
        /REGISTRATION is "maybe"; allowed: first, open, closed/,
        /RATE_LIMIT is "many"; allowed: a whole number/,
        /LOG_LEVEL is "loud"; allowed: fatal, error/,
        /BASE_URL is "litfeed"/,
        /ALLOWED_ORIGINS has "https:\/\/a.example\/path"/,
        /TRUST_PROXY has "proxy"/,
        /JWT_SECRET is not set; it is required with DATABASE_URL/
      ]) { t.match(message, part) }
      t.notMatch(message, /do-not-leak/)
    }
    t.throws(() => readSettings({ DATABASE_URL: 'mysql://u:do-not-leak@h/d', JWT_SECRET: 'x'.repeat(32) }), {
      message: /^(?![\s\S]*do-not-leak)[\s\S]*DATABASE_URL is invalid/
    })
    t.throws(() => readSettings({ PORT: 'Infinity' }), { message: /PORT is "Infinity"; allowed: a whole number from 0 to 65535/ })
    t.throws(() => readSettings({ JWT_SECRET: 'short' }), { message: /JWT_SECRET is invalid.*allowed: at least 32 characters/ })
  })

  t.test('show allowed values, not descriptions, if invalid', async t => {
    const address = 'an http or https address without query or fragment'
    const wrong = {
      PUBMED_URL: ['ftp://x', address],
      ARXIV_URL: ['https://x.example/?q', address],
      CONTACT_EMAIL: ['a', 'an email address'],
      CONVERTER_URL: ['x', 'an http or https address'],
      MAIL_FROM: ['Litfeed', 'an email address, with or without a name before it']
    }
    for (const [name, [value, words]] of Object.entries(wrong)) {
      t.throws(() => readSettings({ [name]: value }), { message: `\n  ${name} is "${value}"; allowed: ${words}.\n` })
    }
    t.throws(() => readSettings({ SMTP_URL: 'x' }), {
      message: /SMTP_URL is invalid .*allowed: an address that begins with smtp:\/\/ or smtps:\/\/\.\n/
    })
    for (const [name, { schema, allowed }] of Object.entries(allSettings)) {
      t.equal('pattern' in schema, allowed !== undefined, `${name} describes its pattern in words`)
    }
  })

  t.test('reject addresses without a valid host and port', async t => {
    for (const [name, value] of [['BASE_URL', 'https://x.example:99999'], ['PUBMED_URL', 'http://[x'], ['LLM_URL', 'http://:x']] as const) {
      t.throws(() => readSettings({ [name]: value, LLM_MODEL: 'any' }), { message: `\n  ${name} is not a valid address: check its host and port.\n` })
    }
  })

  t.test('reject an address of PostgreSQL whose password ends it, and keep it out of the message', async t => {
    const read = (DATABASE_URL: string) => readSettings({ DATABASE_URL, JWT_SECRET: 'x'.repeat(32) }).databaseUrl
    for (const password of ['se#cret', 'se/cret', 'se?cret', '12#secret', '12/secret', '12?secret', '12?se=cret']) {
      t.throws(() => read(`postgres://user:${password}@host/litfeed`), { message: /^(?!.*cret)[^]*DATABASE_URL is not a valid address: in its password/s })
    }
    for (const valid of [
      'postgres://user:se%23cret@host/litfeed', 'postgres://user@/litfeed?host=/run/postgresql', 'postgresql:///litfeed',
      'postgres://host:5432/litfeed?sslmode=verify-full&user=user@host'
    ]) {
      t.equal(read(valid), valid)
    }
  })

  t.test('reject an address of a mail server whose password ends it, and keep it out of the message', async t => {
    const read = (SMTP_URL: string) => readSettings({ SMTP_URL, MAIL_FROM: 'litfeed@mail.example' }).smtpUrl
    for (const wrong of [
      ...['se#cret', 'se/cret', 'se?cret', '12#secret', '12/secret', '12?secret'].map(password => `smtps://user:${password}@mail.example:465`),
      'smtp://user:secret@mail.example:99999', 'smtp://user:secret@mail%20example', 'smtp://'
    ]) {
      t.throws(() => read(wrong), {
        message: /^(?!.*cret)[^]*SMTP_URL is not a valid address: check its host and port; in its password, write # as %23, .* % as %25\.\n/s
      }, wrong)
    }
    for (const valid of [
      'smtp://user:se%23c@ret@mail.example:25', 'smtps://user%40mail.example:50%@[::1]', 'smtp://mail.exämple/?tls.rejectUnauthorized=false'
    ]) t.equal(read(valid), valid)
  })

  t.test('reject credentials in BASE_URL, and keep them out of the message', async t => {
    for (const address of [
      'http://user:do-not-leak@x.example',
      'https://do-not-leak@x.example/papers',
      'https://user:do-not?leak@x.example'
    ]) {
      t.throws(
        () => readSettings({ BASE_URL: address }),
        {
          message:
            /^(?![\s\S]*leak)[\s\S]*BASE_URL is "https?:\/\/…@x\.example.*"; allowed: an http or https address without user, password, query or fragment, since everybody sees it\.\n/
        },
        address
      )
    }
    t.equal(readSettings({ BASE_URL: 'https://x.example/@lab/' }).baseUrl, 'https://x.example/@lab')
  })

  t.test('accept trusted proxies as addresses, hops, all or none', async t => {
    for (const [text, read] of [
      ['', false],
      ['false', false],
      ['true', true],
      ['2', 2],
      ['127.0.0.1, 10.0.0.0/8', ['127.0.0.1', '10.0.0.0/8']]
    ] as const) { t.strictSame(readSettings({ TRUST_PROXY: text }).trustProxy, read) }
  })

  t.test('reject networks with an invalid prefix length', async t => {
    for (const text of ['0.0.0.0/0', '10.0.0.1/32', '::/0', 'fd00::1/128']) {
      t.strictSame(trustedProxies(readSettings({ TRUST_PROXY: text }).trustProxy)(text.split('/')[0]!, 0), true)
    }
    for (const text of [
      '10.0.0.0/33', '10.0.0.0/128', 'fd00::/129', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0.0/-1', '10.0.0.0/8.5', '::ffff:10.0.0.0/999'
    ]) {
      t.throws(
        () => readSettings({ TRUST_PROXY: `127.0.0.1, ${text}` }),
        { name: 'Error', message: `TRUST_PROXY has "${text}"; allowed: IP addresses and networks` },
        text
      )
    }
  })

  t.test('that are secret can come from a file', async t => {
    const file = join(t.testdir(), 'secret')
    writeFileSync(file, `${'s'.repeat(40)}\n`)
    t.equal(readSettings({ JWT_SECRET_FILE: file }).jwtSecret, 's'.repeat(40))
    t.throws(() => readSettings({ JWT_SECRET_FILE: `${file}.missing` }), { message: /JWT_SECRET_FILE: cannot read .*missing \(ENOENT\)/ })
  })
})
