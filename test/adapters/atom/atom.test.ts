import t from 'tap'
import { child, children, readElements, type XmlElement } from '../../../src/sources/formats/xml.js'
import { addPapers, logIn, projectWith, testService } from '../../support/service.js'

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

t.test('the Atom feed', async t => {
  const service = await testService(t, { BASE_URL: 'https://litfeed.example.org' })
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
