import t from 'tap'
import { sql } from 'kysely'
import { boundedFeed } from '../../../src/adapters/atom/atom.js'
import { feedGet } from '../../../src/operations/feed/feed-get.js'
import { feedbackSet } from '../../../src/operations/feed/feedback-set.js'
import { itemUpdate } from '../../../src/operations/feed/item-update.js'
import { formSession } from '../../support/forms.js'
import { child, children, readElements, type XmlElement } from '../../../src/sources/formats/xml.js'
import { addPapers, logIn, paperOf, projectWith, testService } from '../../support/service.js'

/** The text as it stands, whatever it looks like. */
const textOf = (element: XmlElement | undefined): string =>
  (element?.content ?? []).map(part => typeof part === 'string' ? part : textOf(part)).join('')

async function elements (text: string, name: string): Promise<XmlElement[]> {
  const found: XmlElement[] = []
  for await (const met of readElements((async function * () { yield text })(), new Set([name]))) {
    if ('fault' in met) throw new Error(met.fault)
    found.push(met.element)
  }
  return found
}

const base = await testService(t, { BASE_URL: 'https://litfeed.example.org' })

t.test('the Atom feed', async t => {
  const service = base
  const { app, context } = service
  const user = await service.user()
  const headers = { authorization: `Bearer ${(await logIn(service, user)).access_token}` }
  const project_id = await projectWith(user, [
    {
      title: 'Sleep <i>& "spindles"</i>',
      abstract: 'Why\u0007 it works.',
      doi: '10.5555/atom.1',
      external_ids: { pmid: '990000999', arxiv: '2613.00009' },
      venue_name: 'A journal',
      published_date: '2026-02-03',
      authors: [{ name: 'Ana Böhm' }],
      pdf_url: 'https://example.org/a.pdf',
      url: 'https://example.org/a'
    },
    { title: 'Bare' }
  ])
  const address = async () => new URL((await app.inject({ url: `/api/projects/${project_id}/atom-url`, headers })).json().url)
  const get = async (url: URL, more: Record<string, string> = {}) =>
    await app.inject({ url: `${url.pathname}${url.search}`, headers: more })

  t.test('is valid and has a private address', async t => {
    const url = await address()
    t.equal(url.origin, 'https://litfeed.example.org')
    t.match(url.search, /^\?token=svcft_[0-9A-Za-z]{20,}$/)
    const response = await get(url)
    t.equal(response.statusCode, 200)
    t.equal(response.headers['content-type'], 'application/atom+xml; charset=utf-8')
    const [feed] = await elements(response.body, 'feed')
    t.equal(feed!.attributes.xmlns, 'http://www.w3.org/2005/Atom')
    t.strictSame(['id', 'title', 'author'].map(name => textOf(child(feed, name))), [`urn:uuid:${project_id}`, 'A project', 'Litfeed'])
    t.match(textOf(child(feed, 'updated')), /Z$/)
    t.ok(children(feed, 'link').some(({ attributes }) => attributes.rel === 'self' && attributes.href === url.href))
    const [entry] = children(feed, 'entry').filter(each => textOf(child(each, 'title')) !== 'Bare')
    t.strictSame(
      ['title', 'published', 'author', 'doi', 'publicationName', 'content'].map(name => textOf(child(entry, name))),
      ['Sleep <i>& "spindles"</i>', '2026-02-03T00:00:00Z', 'Ana Böhm', '10.5555/atom.1', 'A journal', 'Why it works.']
    )
    t.strictSame(children(entry, 'identifier').map(textOf), ['doi:10.5555/atom.1', 'pmid:990000999', 'arxiv:2613.00009'])
    t.match(
      children(entry, 'link').map(({ attributes }) => attributes),
      [{ rel: 'alternate', href: 'https://example.org/a' }, { rel: 'related' }, { rel: 'enclosure', type: 'application/pdf' }]
    )
    const [bare] = children(feed, 'entry').filter(each => textOf(child(each, 'title')) === 'Bare')
    for (const required of ['id', 'title', 'updated', 'content']) {
      t.ok(textOf(child(bare, required)), `an entry without anything has ${required}`)
    }
  })

  t.test('is well-formed for any text', async t => {
    const title = 'Before ]]> after, <br> & \u{1f9ec}'
    const other = await projectWith(user, [{ title, abstract: 'A \ufffe B' }])
    const { body } = await get(new URL((await app.inject({ url: `/api/projects/${other}/atom-url`, headers })).json().url))
    const [entry] = await elements(body, 'entry')
    t.equal(textOf(child(entry, 'title')), title)
  })

  t.test('bounds the authors and the text of an entry', async t => {
    const large = await projectWith(user, Array.from({ length: 50 }, (_each, at) => ({
      title: `Collaboration ${at}`,
      abstract: 'Words of it '.repeat(1600),
      authors: Array.from({ length: 6000 }, (_author, author) => ({ name: `Ana B${author}` }))
    })))
    const url = new URL((await app.inject({ url: `/api/projects/${large}/atom-url`, headers })).json().url)
    const { body, headers: { etag } } = await get(url)
    const [entry] = await elements(body, 'entry')
    const authors = children(entry, 'author').map(textOf)
    t.strictSame([authors.length, authors[19], authors[20]], [21, 'Ana B19', 'et al.'])
    const content = textOf(child(entry, 'content'))
    t.match(content, /(?:Words|of|it) …$/)
    t.ok(content.length > 1950 && content.length < 2003)
    t.ok(body.length < 300_000, `${body.length} characters`)
    t.equal((await get(url, { 'if-none-match': String(etag) })).statusCode, 304)
  })

  t.test('has validators of what it shows, however much else is stored', async t => {
    const [slim, full] = [{}, { keywords: Array.from({ length: 500 }, (_each, at) => `keyword ${at}`) }].map(metadata =>
      JSON.stringify(boundedFeed({ entries: [{ paper: paperOf({ title: 'A paper', metadata }), note: null }] } as never)))
    t.equal(full, slim)
  })

  t.test('returns 304 while unchanged', async t => {
    const url = await address()
    const { headers: { etag, 'last-modified': modified } } = await get(url)
    t.equal((await get(url, { 'if-none-match': String(etag) })).statusCode, 304)
    t.equal((await get(url, { 'if-modified-since': String(modified) })).statusCode, 304)
    t.equal((await get(url, { 'if-none-match': `"other", W/${String(etag)}` })).statusCode, 304)
    t.equal((await get(url, { 'if-none-match': '*' })).statusCode, 304)
    t.equal((await get(url, { 'if-none-match': '"other"' })).statusCode, 200)
    t.equal((await get(url, { 'if-none-match': '"other"', 'if-modified-since': String(modified) })).statusCode, 200, 'the tag decides')
    t.equal((await get(url, { 'if-modified-since': 'yesterday' })).statusCode, 200)
    await addPapers(user.context, project_id, [{ title: 'New' }])
    t.equal((await get(url, { 'if-none-match': String(etag) })).statusCode, 200)
  })

  t.test('is sent again after any content change', async t => {
    const url = await address()
    const { headers: { 'last-modified': modified }, body } = await get(url)
    await context.db.updateTable('paper').set({ abstract: 'Completed by another source.' }).where('doi', '=', '10.5555/atom.1').execute()
    const again = await get(url, { 'if-modified-since': String(modified) })
    t.equal(again.statusCode, 200)
    t.not(again.body, body)
  })

  t.test('updates the entry of a paper that is retracted', async t => {
    const { db } = context
    const other = await projectWith(user, [{ title: 'Retracted later' }, { title: 'Sound' }])
    const url = new URL((await app.inject({ url: `/api/projects/${other}/atom-url`, headers })).json().url)
    const updatedIn = async () => {
      const { body } = await get(url)
      const [feed] = await elements(body, 'feed')
      const [entry, sound] = ['Retracted later', 'Sound'].map(title =>
        children(feed, 'entry').find(each => textOf(child(each, 'title')).endsWith(title)))
      return [feed, entry, sound].map(each => textOf(child(each, 'updated')))
    }
    const [, , before] = await updatedIn()
    const { items } = await feedGet.run(user.context, { project_id: other })
    const paper_id = items.find(({ paper_title }) => paper_title === 'Retracted later')!.paper.id
    const found_at = new Date(Date.now() + 60_000)
    const notice = { paper_id, source: 'pubmed', kind: 'retraction', reference: '', first_seen_at: found_at } as const
    const { id: notice_id } = await db.insertInto('paper_notice').values(notice).returning('id').executeTakeFirstOrThrow()
    await db.insertInto('account_notice').values({ account_id: user.context.account.id, notice_id, found_at }).execute()
    t.strictSame(await updatedIn(), [found_at.toISOString(), found_at.toISOString(), before])
  })

  t.test('holds the newest 50', async t => {
    const many = await projectWith(user, Array.from({ length: 60 }, (_each, at) => ({ title: `Paper ${at}` })))
    const url = new URL((await app.inject({ url: `/api/projects/${many}/atom-url`, headers })).json().url)
    t.equal((await get(url)).body.split('<entry>').length - 1, 50)
  })

  t.test('is 404 for wrong, foreign and missing tokens, and missing projects', async t => {
    const url = await address()
    const stranger = await service.user()
    const theirs = context.accounts.feedTokens.mint({ id: stranger.context.account.id, feed_token_version: 1 })
    const bodies = new Set<string>()
    for (const wrong of [
      `${url.pathname}?token=svcft_wrong`,
      `${url.pathname}?token=${theirs}`,
      url.pathname,
      `/api/feed/atom/0b54c2ab-6f2e-4d6c-9d0f-3a8f5b1f7a11${url.search}`,
      `/api/feed/atom/nonsense${url.search}`,
      `${url.pathname}${url.search}&token=x`
    ]) {
      const response = await app.inject({ url: wrong })
      t.equal(response.statusCode, 404, wrong)
      bodies.add(response.body)
    }
    t.equal(bodies.size, 1)
  })

  t.test('moves when its token is rotated', async t => {
    const before = await address()
    const rotated = await app.inject({ method: 'POST', url: '/api/auth/feed-token/rotate', headers })
    t.equal(rotated.statusCode, 201)
    const after = await address()
    t.equal(after.searchParams.get('token'), rotated.json().feed_token)
    t.equal((await get(before)).statusCode, 404)
    t.equal((await get(after)).statusCode, 200)
  })
})

t.test('share links', async t => {
  let clock = new Date('2026-11-23T10:00:00Z')
  const service = await base.sibling(t, { BASE_URL: 'https://litfeed.example.org' }, () => clock)
  const { app } = service
  const user = await service.user()
  const headers = { authorization: `Bearer ${(await logIn(service, user)).access_token}` }
  const project_id = await projectWith(user, [
    {
      title: 'Sleep <script>alert(1)</script> & "spindles"',
      abstract: 'Why it works.',
      doi: '10.5555/share.1',
      venue_name: 'A journal',
      published_date: '2026-02-03',
      authors: [{ name: 'Ana Böhm' }],
      url: 'https://example.org/a',
      pdf_url: 'javascript:alert(1)',
      metadata: { keywords: ['my own keyword'], volume: '7' }
    },
    ...Array.from({ length: 60 }, (_, at) => ({ title: `Other ${at}`, doi: `10.5555/other.${at}` }))
  ], { name: 'Private name', interest_description: 'A private interest' })
  const { items } = await feedGet.run(user.context, { project_id, limit: 50, offset: 50 })
  const item = items.find(({ paper_title }) => paper_title.startsWith('Sleep')) ??
    (await feedGet.run(user.context, { project_id, limit: 50 })).items.find(({ paper_title }) => paper_title.startsWith('Sleep'))!
  await itemUpdate.run(user.context, { ref: item.id, tags: ['Reading group'], note: 'A private note' })
  await feedbackSet.run(user.context, { paper_id: item.id, vote: 'star' })
  const links = `/api/projects/${project_id}/share-links`
  const create = async (payload: object) => (await app.inject({ method: 'POST', url: links, headers, payload })).json()
  const list = async () => (await app.inject({ url: links, headers })).json().items
  const get = async (address: string, more: Record<string, string> = {}) => {
    const { pathname, search } = new URL(address, 'https://litfeed.example.org')
    return await app.inject({ url: `${pathname}${search}`, headers: { accept: 'text/html', ...more } })
  }
  const all = await create({ title: ' What  we read ' })
  const tagged = await create({ tag: 'READING group', expires_at: '2026-12-01' })

  t.test('show the papers to anyone, and nothing of their owner', async t => {
    t.match(all.url, /^https:\/\/litfeed\.example\.org\/shared\?token=svcsh_[0-9A-Za-z]{32}$/)
    const state = { expires_at: '2026-12-01T00:00:00.000Z', expired: false, last_opened_at: null }
    t.match(tagged, { title: 'Private name', tag: 'READING group', ...state })
    const page = await get(tagged.url)
    t.equal(page.statusCode, 200)
    t.equal(page.headers['x-robots-tag'], 'noindex')
    t.match(page.headers['cache-control'], /no-store/)
    t.match(page.body, '<meta name="robots" content="noindex"/>')
    t.match(page.body, 'Sleep &lt;script>alert(1)&lt;/script> &amp; &quot;spindles&quot;')
    const addresses = ['href="https://example.org/a"', 'https://doi.org/10.5555/share.1']
    for (const shown of ['Ana Böhm', 'A journal · 3 Feb 2026', 'Why it works.', ...addresses]) t.match(page.body, shown)
    t.notMatch(page.body, 'href="javascript:')
    t.notMatch(page.body, 'Other 1', 'only papers with the tag')
    for (const hidden of ['A private', 'my own keyword', 'relevance', user.email, project_id, 'vote']) t.notMatch(page.body, hidden)

    const atom = await get(tagged.atom_url)
    t.equal(atom.headers['content-type'], 'application/atom+xml; charset=utf-8')
    const [feed] = await elements(atom.body, 'feed')
    t.strictSame(['title', 'subtitle'].map(name => textOf(child(feed, name))), ['Private name', ''])
    const [entry] = await elements(atom.body, 'entry')
    t.equal(textOf(child(entry, 'doi')), '10.5555/share.1')
    t.equal(child(entry, 'category'), undefined)
    t.equal((await get(tagged.atom_url, { 'if-none-match': String(atom.headers.etag) })).statusCode, 304)
    for (const hidden of ['A private', 'my own keyword', 'must_read', user.email, project_id]) t.notMatch(atom.body, hidden)

    const token = new URL(tagged.url).searchParams.get('token')!
    const bibtex = await get(`/shared/export?token=${token}`)
    t.match(bibtex.body, /volume = \{7\}/)
    t.notMatch(bibtex.body, /my own|private note/)
    t.match((await get(`/shared/export?token=${token}&format=ris`)).body, 'DO  - 10.5555/share.1')
    t.equal((await get(`/shared/export?token=${token}&format=csv`)).statusCode, 400)
  })

  t.test('page through long lists', async t => {
    const first = await get(all.url)
    t.match(first.body, '<h1 dir="auto">What we read</h1>')
    t.equal(first.body.match(/<h2/g)!.length, 50)
    const next = /href="([^"]+)" rel="next"/.exec(first.body)![1]!.replaceAll('&amp;', '&')
    t.equal((await get(next)).body.match(/<h2/g)!.length, 11)
    t.match((await get(`${all.url}&offset=200`)).body, 'This page is past the end.')
    t.equal((await get(`${all.url}&offset=99999`)).statusCode, 400)
    const exported = await get(all.url.replace('/shared', '/shared/export'))
    t.equal(exported.body.match(/^@/gm)!.length, 61)
  })

  t.test('are listed without their addresses, with when they were opened', async t => {
    t.match(await list(), [{ last_opened_at: clock.toISOString() }, { last_opened_at: clock.toISOString() }])
    t.notMatch(JSON.stringify(await list()), /svcsh_/)
    const stored = await sql<{ row: string }>`select to_jsonb(share_link.*)::text as row from share_link`.execute(user.context.db)
    t.notMatch(JSON.stringify(stored.rows), /svcsh_/)
    const past = await app.inject({ method: 'POST', url: links, headers, payload: { expires_at: '2026-11-01' } })
    t.match(past.json(), { code: 'invalid_arguments', detail: /in the past/ })
  })

  t.test('end all alike: wrong, malformed, expired, revoked, and of a disabled account', async t => {
    const wrong = all.url.replace(/.{4}$/, 'zzzz')
    const answer = async (url: string) => {
      const { statusCode, body } = await get(url)
      return { statusCode, body: body.replace(/svcsh_\w+/g, '') }
    }
    const gone = await answer(wrong)
    t.equal(gone.statusCode, 404)
    t.match(gone.body, 'It may have expired or been revoked.')
    t.strictSame(await answer('/shared?token=short'), gone)
    t.strictSame(await answer('/shared'), gone)
    t.strictSame(await answer(`/shared?token=${'x'.repeat(200)}`), gone)
    clock = new Date('2026-12-01T00:00:00Z')
    t.strictSame(await answer(tagged.url), gone)
    t.equal((await get(tagged.atom_url)).statusCode, 404)
    t.equal((await get(all.url)).statusCode, 200)
    t.match((await list()).find(({ id }: { id: string }) => id === tagged.id), { expired: true })
    await user.context.db.updateTable('account').set({ disabled_at: clock }).where('id', '=', user.context.account.id).execute()
    t.strictSame(await answer(all.url), gone)
    await user.context.db.updateTable('account').set({ disabled_at: null }).where('id', '=', user.context.account.id).execute()
    const revoke = async () => await app.inject({ method: 'DELETE', url: `${links}/${all.id}`, headers })
    t.equal((await revoke()).statusCode, 204)
    t.equal((await revoke()).statusCode, 404)
    t.strictSame(await answer(all.url), gone)
    t.equal((await get(all.atom_url)).statusCode, 404)
    t.equal((await get(all.url.replace('/shared', '/shared/export'))).statusCode, 404)
  })

  t.test('are bounded in number', async t => {
    const results = []
    for (let at = 0; at < 51; at++) results.push((await app.inject({ method: 'POST', url: links, headers, payload: {} })).statusCode)
    t.strictSame([results.filter(status => status === 201).length, results.at(-1)], [49, 400])
  })

  t.test('are limited by network address', async t => {
    const limited = await service.sibling(t, { RATE_LIMIT: '3' })
    const statuses = []
    for (let at = 0; at < 4; at++) {
      statuses.push((await limited.app.inject({ url: '/shared?token=x', headers: { accept: 'text/html' } })).statusCode)
    }
    t.strictSame(statuses, [404, 404, 404, 429])
  })

  t.test('are made and revoked on a page, which shows the address once', async t => {
    const session = await formSession(app, user)
    const path = `/projects/${project_id}/sharing`
    await sql`delete from share_link`.execute(user.context.db)
    const made = await session.post(path, { action: 'create', title: 'From the page', tag: 'Reading group', expires_at: '' })
    const address = /https:\/\/litfeed\.example\.org\/shared\?token=svcsh_\w+/.exec(made.body)![0]
    t.equal((await get(address)).statusCode, 200)
    const again = await session.get(path)
    t.notMatch(again.body, /svcsh_/)
    t.match(again.body, 'From the page')
    t.match((await session.post(path, { action: 'create', expires_at: '2020-01-01' })).body, 'The expiry date is in the past.')
    const link_id = /name="link_id" value="([^"]+)"/.exec(again.body)![1]!
    t.equal((await session.post(path, { action: 'revoke', link_id })).statusCode, 303)
    t.match((await session.post(path, { action: 'revoke', link_id })).body, 'It may have been revoked already.')
    t.equal((await get(address)).statusCode, 404)
  })
})
