import t from 'tap'
import { updateAccount } from '../../../db/queries/accounts.js'
import { feedGet } from '../../../src/operations/feed/feed-get.js'
import { projectUpdate } from '../../../src/operations/projects/project-update.js'
import { projectsGet } from '../../../src/operations/projects/projects-get.js'
import { formSession } from '../../support/forms.js'
import { projectWith, testService } from '../../support/service.js'

t.test('form validation', async t => {
  const service = await testService(t)
  const user = await service.user()
  const project_id = await projectWith(user, [], { name: 'Sleep', interest_description: 'Sleep and memory' })
  const before = await projectsGet.run(user.context, { project_id })
  const browser = await formSession(service.app, user)
  const settings = {
    action: 'save',
    name: 'Sleep',
    interest_description: 'Sleep and memory',
    must_read_threshold: '60',
    feed_threshold: '10'
  }

  const refused: Array<[what: string, fields: Record<string, string>, sentence: string]> = [
    ['a name of 5,000 characters', { name: 'x'.repeat(5000) }, 'Name must have at most 200 characters'],
    ['an empty name', { name: ' ' }, 'Name must not be empty.'],
    [
      '500 keywords',
      { positive_keywords: Array.from({ length: 500 }, (_, at) => `keyword ${at}`).join('\n') },
      'Keywords must have at most 100 items.'
    ],
    [
      'a keyword of 300 characters',
      { negative_keywords: `short\n${'x'.repeat(300)}` },
      'Excluded keywords, entry 2, must have at most 200 characters'
    ],
    ['a threshold of -7', { must_read_threshold: '-7' }, 'Must-read score must be at least 0.'],
    ['a threshold of 420', { feed_threshold: '420' }, 'Minimum score must be at most 100.'],
    ['a threshold in words', { feed_threshold: 'half' }, 'Minimum score must be a number'],
    ['a threshold without an end', { feed_threshold: 'Infinity' }, 'Minimum score is not a valid number']
  ]
  for (const [what, fields, sentence] of refused) {
    t.test(`${what}: saves nothing, shows the reason and keeps the values`, async t => {
      const answer = await browser.post(`/projects/${project_id}/settings`, { ...settings, ...fields })
      t.equal(answer.statusCode, 400)
      t.ok(answer.body.includes(sentence), sentence)
      for (const entered of Object.values(fields)) t.ok(answer.body.includes(entered), 'what was entered is shown again')
      t.notMatch(answer.body, /GET \/api|POST \/api|projects_list|relevance_score from which/, 'no instructions for callers of the API')
      t.same(await projectsGet.run(user.context, { project_id }), before)
    })
  }

  t.test('a must-read score that every paper reaches is saved, as over the API, and explained at its field', async t => {
    const id = await projectWith(user, [], { name: 'Scores' })
    const url = `/projects/${id}/settings`
    const problem = 'Every fetched paper in the feed reaches the must-read score.'
    const hint = async () => {
      const [, shown] = /id="must_read_threshold-hint">(.*?)<\/p>/.exec((await browser.get(url)).body)!
      return shown!.replace(/<strong [^>]*hidden[^]*<\/strong>/, '')
    }
    t.notMatch(await hint(), problem)
    const scores = { name: 'Scores', must_read_threshold: '20', feed_threshold: '50' }
    t.equal((await browser.post(url, { ...settings, ...scores })).statusCode, 303)
    t.match((await browser.get(url)).body, new RegExp(`Saved\\. The feed will be rescored within a minute\\. ${problem}`))
    t.match(await hint(), problem)
    t.match(await projectsGet.run(user.context, { project_id: id }), { must_read_threshold: 0.2, feed_threshold: 0.5 })
    const again = await browser.post('/projects/new', { ...settings, ...scores, name: ' ', action: 'create' })
    t.match(again.body, problem, 'also in the form of a new project')
    t.equal((await browser.post(url, { ...settings, ...scores, must_read_threshold: '60' })).statusCode, 303)
    t.notMatch(await hint(), problem)
  })

  t.test('settings that were changed elsewhere are not replaced unseen', async t => {
    const id = await projectWith(user, [], { name: 'Memory', positive_keywords: ['spindles'] })
    const url = `/projects/${id}/settings`
    const versionIn = (html: string) => /name="version" value="([^"]+)"/.exec(html)![1]!
    const version = versionIn((await browser.get(url)).body)
    const entered = { ...settings, name: 'Renamed', positive_keywords: 'spindles', version }
    await projectUpdate.run(user.context, { project_id: id, positive_keywords: ['spindles', 'from an agent'] })
    for (const change of [{ must_read_threshold: '420' }, { action: 'preview' }]) {
      t.equal(versionIn((await browser.post(url, { ...entered, ...change })).body), version, 'also after a refusal or a preview')
    }
    const refused = await browser.post(url, entered)
    t.match(refused.body, /Not saved: these settings were changed elsewhere .* Yours differ in: Name, Research interest, Keywords, Sources\./)
    t.match(refused.body, `<a href="${url}">discard yours and see the new settings</a>`, 'reloading would send them again')
    t.match(refused.body, 'value="Renamed"')
    t.match(await projectsGet.run(user.context, { project_id: id }), { name: 'Memory', positive_keywords: ['spindles', 'from an agent'] })
    const again = await browser.post(url, { ...entered, version: versionIn(refused.body) })
    t.equal(again.statusCode, 303)
    t.match(await projectsGet.run(user.context, { project_id: id }), { name: 'Renamed', positive_keywords: ['spindles'] })
    t.equal((await browser.post(url, entered)).statusCode, 303, 'what is stored already is no conflict')
    const open = versionIn((await browser.get(url)).body)
    for (const positive_keywords of [['spindles', 'from an agent'], ['spindles']]) {
      await projectUpdate.run(user.context, { project_id: id, positive_keywords })
    }
    t.equal((await browser.post(url, { ...entered, name: 'Again', version: open })).statusCode, 303, 'nor is a change that was undone')
  })

  t.test('a project is deleted by its name as pages show it', async t => {
    for (const [name, typed] of [
      ['Sleep  and\nmemory', ' Sleep and memory'], ['Me\u0301moire\u00a0et sommeil', 'Mémoire et sommeil'], ['Sleep\u200b', 'Sleep']
    ] as const) {
      const url = `/projects/${await projectWith(user, [], { name })}/settings`
      t.equal((await browser.post(url, { action: 'delete', typed_name: 'Sleep and memories' })).statusCode, 400, name)
      t.equal((await browser.post(url, { action: 'delete', typed_name: typed })).statusCode, 303, name)
    }
  })

  t.test('scores are entered from 0 to 100 and stored from 0 to 1 without rounding errors', async t => {
    const id = await projectWith(user, [], { must_read_threshold: 0.615 })
    const url = `/projects/${id}/settings`
    const shown = (html: string) => ['feed', 'must_read'].map(name => new RegExp(`name="${name}_threshold"[^>]*value="([^"]*)"`).exec(html)![1])
    t.same(shown((await browser.get(url)).body), ['10', '61.5'])
    for (const points of [0, 7, 29, 57, 58, 100]) {
      const preview = await browser.post(url, { ...settings, action: 'preview', feed_threshold: String(points) })
      t.same(shown(preview.body), [String(points), '60'])
      t.equal((await browser.post(url, { ...settings, feed_threshold: String(points) })).statusCode, 303)
      t.equal((await projectsGet.run(user.context, { project_id: id })).feed_threshold, Number(`${points}e-2`))
    }
  })

  t.test('rejects a malformed project id before querying the database', async t => {
    for (const action of ['save', 'preview', 'pause', 'fetch', 'delete']) {
      const csrfToken = /name="csrf_token" value="([^"]+)"/.exec((await browser.get('/account')).body)![1]!
      const answer = await browser.request('POST', '/projects/not-a-uuid/settings', { ...settings, csrf_token: csrfToken, action })
      t.equal(answer.statusCode, 404, action)
      t.match(answer.body, /This project doesn’t exist or isn’t yours\./)
    }
    t.notMatch(service.logged.join('\n'), /invalid input syntax/)
  })

  t.test('more changes than one request may have are refused, and none is made', async t => {
    const changed = await projectWith(user, [{ title: 'Sleep spindles' }])
    const [item] = (await feedGet.run(user.context, { project_id: changed })).items
    const url = `/projects/${changed}`
    const csrfToken = /name="csrf_token" value="([^"]+)"/.exec((await browser.get(url)).body)![1]!
    const send = async (count: number) => await service.app.inject({
      method: 'POST',
      url,
      headers: {
        accept: 'text/html',
        cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'content-type': 'application/x-www-form-urlencoded'
      },
      payload: new URLSearchParams([
        ['action', 'change'],
        ['csrf_token', csrfToken],
        ...Array.from({ length: count }, () => ['changes', `item=${item!.id}&saved=true`])
      ]).toString()
    })
    const isSaved = async () => (await feedGet.run(user.context, { project_id: changed })).items[0]!.saved
    const refused = await send(101)
    t.equal(refused.statusCode, 400)
    t.match(refused.body, /must have at most 100 items/)
    t.equal(await isSaved(), false)
    t.strictSame((await send(100)).json(), { refused: [] })
    t.equal(await isSaved(), true)
  })

  t.test('the reason why a day was not skipped stands once, above the feed', async t => {
    const days = await projectWith(user, [{ title: 'Sleep spindles' }])
    const answer = await browser.post(`/projects/${days}`, { action: 'skip', day: 'no day' })
    t.equal(answer.statusCode, 400)
    t.match(answer.body, /class="skip-day"/)
    t.equal(answer.body.match(/role="alert"/g)?.length, 1)
    t.ok(answer.body.indexOf('role="alert"') < answer.body.indexOf('id="feed"'))
  })

  t.test('the address of a fetch whose job was deleted shows the settings', async t => {
    const { statusCode, body } = await browser.get(`/projects/${project_id}/settings?job=0b54c2ab-6f2e-4d6c-9d0f-3a8f5b1f7a11`)
    t.equal(statusCode, 200)
    t.match(body, '<h1>Settings</h1>')
  })

  t.test('pages of missing projects and papers explain the error', async t => {
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

/** The labels of a form's fields, by the fields' names. */
function labelsOf (html: string, action: string): Map<string, string> {
  const form = html.split('<form ').find(part => part.includes(`name="action" value="${action}"`))!.split('</form>', 1)[0]!
  const labels = new Map([...form.matchAll(/<label for="([^"]+)">([^<]+)<\/label>/g)].map(([, id, label]) => [id, label!]))
  const fields = [...form.matchAll(/<(?:input|select|textarea) [^>]*>/g)].map(([tag]) => ({
    id: / id="([^"]+)"/.exec(tag)?.[1],
    name: / name="([^"]+)"/.exec(tag)?.[1]
  }))
  return new Map(fields.flatMap(({ id, name }) => labels.has(id) ? [[name!, labels.get(id)!] as const] : []))
}

t.test('an error names the field by its label', async t => {
  const mail = { SMTP_URL: 'smtps://someone:password@mail.example.org', MAIL_FROM: 'litfeed@example.org' }
  const service = await testService(t, mail)
  const first = await formSession(service.app)
  const tooLong = 'x'.repeat(12_000)
  const refusal = (html: string) => /role="alert">([^<]+)</.exec(html)?.[1] ?? ''

  await t.test('on creating the first account', async t => {
    const fields = { action: 'create-account', email: 'ada@example.org', password: 'long enough', repeated: 'long enough' }
    const labels = labelsOf((await first.get('/welcome')).body, 'create-account')
    t.equal(labels.get('email'), 'Email address')
    t.match(refusal((await first.post('/welcome', { ...fields, email: 'nobody' })).body), /^Email address must be an email address\./)
    t.match(refusal((await first.post('/welcome', { ...fields, password: 'short', repeated: 'short' })).body), /^Password /)
  })

  const user = await service.user()
  await updateAccount(service.context.db, user.context.account.id, { administrator: true })
  const project_id = await projectWith(user, [], { name: 'Sleep', interest_description: 'Sleep and memory' })
  const browser = await formSession(service.app, user)

  const project = {
    name: 'Sleep',
    interest_description: 'Sleep',
    must_read_threshold: '60',
    feed_threshold: '10',
    custom_queries_feed: ''
  }
  const previewed = ['interest_description', 'positive_keywords', 'negative_keywords', 'must_read_threshold', 'feed_threshold']
  const custom = ['custom_queries_arxiv', 'custom_queries_pubmed', 'custom_queries_feed']
  const forms: Array<[url: string, form: string, action: string, valid: Record<string, string>, tried: string[]]> = [
    [
      '/account',
      'change-password',
      'change-password',
      { current_password: user.password, new_password: tooLong, repeated: tooLong },
      ['new_password']
    ],
    ['/administration/users', 'create', 'create', { email: 'bob@example.org', password: 'long enough' }, ['email', 'password']],
    ['/connect', 'test', 'test', {}, ['key']],
    ['/projects/new', 'create', 'create', project, ['name', ...previewed, ...custom]],
    ['/projects/new', 'create', 'preview', project, [...previewed, ...custom]],
    [`/projects/${project_id}/settings`, 'save', 'save', project, ['name', ...previewed, ...custom]],
    [`/projects/${project_id}/settings`, 'save', 'preview', project, previewed],
    [`/projects/${project_id}/alerts`, 'email', 'email', { target: user.email, frequency: 'daily' }, ['target', 'frequency']],
    [
      `/projects/${project_id}/alerts`,
      'webhook',
      'webhook',
      { target: 'https://example.org/', frequency: 'daily' },
      ['target', 'frequency']
    ]
  ]
  for (const [url, form, action, valid, tried] of forms) {
    t.test(`in the form ${action} of ${url.replace(project_id, ':id')}`, async t => {
      const labels = labelsOf((await browser.get(url)).body, form)
      for (const name of tried) {
        const answer = await browser.post(url, { ...valid, action, [name]: tooLong })
        t.equal(answer.statusCode, 400, name)
        t.ok(labels.has(name), `${name} has a label`)
        t.ok(refusal(answer.body).startsWith(labels.get(name)!), `${labels.get(name)}: ${refusal(answer.body)}`)
      }
    })
  }

  t.test('at the field that it is about', async t => {
    const fieldIn = (html: string, id: string) => new RegExp(`<(?:input|select|textarea)[^>]* id="${id}"[^>]*>|<(?:input|select|textarea) id="${id}"[^>]*>`).exec(html)![0]
    const expectTied = (html: string, id: string) => {
      t.equal(html.split('id="refusal"').length, 2)
      t.match(fieldIn(html, id), /aria-invalid="true"/, id)
      t.match(fieldIn(html, id), /aria-describedby="refusal[ "]/, id)
    }
    const save = { ...project, action: 'save', name: tooLong }
    const settings = (await browser.post(`/projects/${project_id}/settings`, save)).body
    expectTied(settings, 'name')
    t.notMatch(fieldIn(settings, 'feed_threshold'), 'refusal', 'and not at others')
    const email = { action: 'email', target: user.email, frequency: 'never' }
    expectTied((await browser.post(`/projects/${project_id}/alerts`, email)).body, 'email-frequency')
    const visitor = await formSession(service.app)
    const wrong = (await visitor.post('/login', { action: 'sign-in', email: user.email, password: 'wrong password' })).body
    t.match(fieldIn(wrong, 'password'), /aria-describedby="refusal"/, 'or at the field with the focus')
    t.notMatch(fieldIn(wrong, 'password'), 'aria-invalid')
  })

  t.test('in keyword suggestions', async t => {
    const { body } = await browser.post('/projects/new', { ...project, action: 'suggest', interest_description: tooLong })
    t.match(body, /role="status"[^>]*>Research interest must have at most 10000 characters/)
  })

  t.test('and only that form keeps its values', async t => {
    const { body } = await browser.post(`/projects/${project_id}/alerts`, { action: 'webhook', target: 'no address', frequency: 'weekly' })
    const [email, webhook] = ['email', 'webhook'].map(action =>
      body.split('<form ').find(part => part.includes(`name="action" value="${action}"`))!
    )
    t.match(webhook, /value="no address"/)
    t.match(webhook, /<option[^>]*\bselected[^>]*>Once a week/)
    t.match(email, /<option[^>]*\bselected[^>]*>Once a day/)
    t.match(email, /<input type="checkbox"[^>]*\bchecked/)
  })
})

t.test('the sign-in page shows no API instructions when registration is open', async t => {
  const service = await testService(t, { REGISTRATION: 'open' })
  await service.user()
  t.notMatch((await (await formSession(service.app)).get('/login')).body, /POST|\/api\/auth/)
})
