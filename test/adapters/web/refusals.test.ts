import t from 'tap'
import { projectsGet } from '../../../src/operations/projects/projects-get.js'
import { formSession } from '../../support/forms.js'
import { projectWith, testService } from '../../support/service.js'

t.test('forms that break a bound', async t => {
  const service = await testService(t)
  const user = await service.user()
  const project_id = await projectWith(user, [], { name: 'Sleep', interest_description: 'Sleep and memory' })
  const before = await projectsGet.run(user.context, { project_id })
  const browser = await formSession(service.app, user)
  const settings = { action: 'save', name: 'Sleep', interest_description: 'Sleep and memory', must_read_threshold: '0.6', feed_threshold: '0.1' }

  const refused: Array<[what: string, fields: Record<string, string>, sentence: string]> = [
    ['a name of 5,000 characters', { name: 'x'.repeat(5000) }, 'Name must have at most 200 characters'],
    ['an empty name', { name: ' ' }, 'Name must not be empty.'],
    ['500 keywords', { positive_keywords: Array.from({ length: 500 }, (_, at) => `keyword ${at}`).join('\n') }, 'Positive keywords must have at most 100 items.'],
    ['a keyword of 300 characters', { negative_keywords: `short\n${'x'.repeat(300)}` }, 'Negative keywords, entry 2, must have at most 200 characters'],
    ['a threshold of -7', { must_read_threshold: '-7' }, 'Must read threshold must be at least 0.'],
    ['a threshold of 42', { feed_threshold: '42' }, 'Feed threshold must be at most 1.'],
    ['a threshold in words', { feed_threshold: 'half' }, 'Feed threshold must be a number'],
    ['a threshold without an end', { feed_threshold: 'Infinity' }, 'Feed threshold']
  ]
  for (const [what, fields, sentence] of refused) {
    t.test(`${what}: nothing is saved, the reason is shown and the entries are kept`, async t => {
      const answer = await browser.post(`/projects/${project_id}/settings`, { ...settings, ...fields })
      t.equal(answer.statusCode, 400)
      t.ok(answer.body.includes(sentence), sentence)
      for (const entered of Object.values(fields)) t.ok(answer.body.includes(entered), 'what was entered is shown again')
      t.notMatch(answer.body, /GET \/api|POST \/api|projects_list|relevance_score from which/, 'no instructions for callers of the API')
      t.same(await projectsGet.run(user.context, { project_id }), before)
    })
  }

  t.test('a project that is no UUID never reaches the database', async t => {
    for (const action of ['save', 'preview', 'pause', 'fetch', 'delete']) {
      const proof = /name="proof" value="([^"]+)"/.exec((await browser.get('/account')).body)![1]!
      const answer = await browser.request('POST', '/projects/not-a-uuid/settings', { ...settings, proof, action })
      t.equal(answer.statusCode, 400, action)
      t.match(answer.body, /Project id must be a UUID\./)
    }
    t.notMatch(service.logged.join('\n'), /invalid input syntax/)
  })

  t.test('pages of what is not there say so to a person', async t => {
    const missing = '0b54c2ab-6f2e-4d6c-9d0f-3a8f5b1f7a11'
    for (const [url, sentence] of [
      [`/projects/${missing}`, 'This project doesn’t exist or isn’t yours.'],
      [`/papers/${missing}`, 'This paper doesn’t exist or isn’t in your feeds.'],
      [`/papers/${missing}/citation`, 'This paper doesn’t exist or isn’t in your feeds.'],
      [`/projects/${project_id}?q=%21%21%21`, 'Enter at least one letter or digit to search for.'],
      [`/projects/${project_id}?q=${'x'.repeat(300)}`, 'A search needs 3 to 200 characters.']
    ] as const) {
      const { body } = await browser.get(url)
      t.ok(body.includes(sentence), `${url}: ${sentence}`)
      t.notMatch(body, /GET \/api|POST \/api|projects_list|feed_get/)
    }
  })
})

t.test('the sign-in page of a service where anyone may register gives no instructions for the API', async t => {
  const service = await testService(t, { REGISTRATION: 'open' })
  await service.user()
  t.notMatch((await (await formSession(service.app)).get('/login')).body, /POST|\/api\/auth/)
})
