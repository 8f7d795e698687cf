import t from 'tap'
import { testService } from '../support/service.js'

t.test('the page at /', async t => {
  const { app, context } = await testService(t, { BASE_URL: 'https://litfeed.example.org/papers' })
  const page = await app.inject({ url: '/' })

  t.test('says what this is, that it is well, and how to connect', async t => {
    t.equal(page.statusCode, 200)
    t.equal(page.headers['content-type'], 'text/html; charset=utf-8')
    for (const part of ['The service is well', 'https://litfeed.example.org/papers/api/mcp', 'claude mcp add', 'VS Code', 'Cursor', 'ChatGPT', 'curl']) t.match(page.body, part)
  })

  t.test('runs no script and fetches nothing from elsewhere', async t => {
    t.match(page.headers['content-security-policy'], /^default-src 'none'/)
    t.match(page.headers, { 'x-content-type-options': 'nosniff', 'x-frame-options': 'SAMEORIGIN', 'referrer-policy': 'no-referrer' })
    t.notMatch(page.body, /<script|style=|src="http/)
    t.match((await app.inject({ url: '/style.css' })).headers['content-type'], /^text\/css/)
  })

  t.test('works behind a path prefix: what it links to is relative', async t => {
    t.notMatch(page.body, /(href|src)="\//)
  })

  t.test('says when the database is away', async t => {
    await context.db.destroy()
    const away = await app.inject({ url: '/' })
    t.equal(away.statusCode, 200)
    t.match(away.body, 'The database cannot be reached')
  })
})
