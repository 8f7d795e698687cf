import t from 'tap'
import { crossrefNotices } from '../../src/sources/notices/crossref.js'

const nothingElse = {
  pmid: null, arxiv: null, openalex: null, version: null, updated: null, journal_ref: null, created_at: new Date(), stated: []
}

/** Checks one paper of which Crossref states these relations. */
async function noticesOf (doi: string, relations: Record<string, string[]>) {
  const relation = Object.fromEntries(Object.entries(relations).map(([name, dois]) => [name, dois.map(id => ({ 'id-type': 'doi', id }))]))
  const works = [{ DOI: doi.toUpperCase(), type: 'journal-article', relation }]
  const [checked] = await crossrefNotices.check({
    fetch: async url => {
      const items = url.searchParams.get('filter')!.startsWith('doi:') ? works : []
      return { status: 200, headers: new Headers(), url: '', bytes: Buffer.from(JSON.stringify({ message: { items } })) }
    },
    baseUrl: 'https://example.org',
    contact: undefined,
    apiKey: undefined
  }, [{ id: '1', doi, ...nothingElse }])
  return checked!.notices.map(({ source, kind, doi }) => `${source} ${kind} ${doi}`)
}

t.test('Crossref states new versions by relations', async t => {
  t.strictSame(await noticesOf('10.1000/old', { 'is-replaced-by': ['10.1000/NEW'] }), ['crossref new_version 10.1000/new'])
  t.strictSame(await noticesOf('10.1000/old', { 'has-version': ['10.1000/new'] }), ['crossref new_version 10.1000/new'])
  t.strictSame(
    await noticesOf('10.21203/rs.3.rs-1/v2', { 'has-version': ['10.21203/rs.3.rs-1/v1', '10.21203/rs.3.rs-1/v3'] }),
    ['crossref new_version 10.21203/rs.3.rs-1/v3'],
    'an earlier version is no news'
  )
})

t.test('older forms and the published form are no new version', async t => {
  t.strictSame(await noticesOf('10.1000/new', { 'has-version': ['10.1000/old'], replaces: ['10.1000/old'] }), [])
  t.strictSame(await noticesOf('10.1000/new', { 'has-version': ['10.1000/old'], 'is-version-of': ['10.1000/old'] }), [])
  t.strictSame(await noticesOf('10.1000/new', { 'has-version': ['10.1000/new', '10.1000/draft'], 'has-preprint': ['10.1000/draft'] }), [])
  t.strictSame(
    await noticesOf('10.1000/draft', { 'has-version': ['10.1000/article'], 'is-preprint-of': ['10.1000/article'] }),
    ['crossref published 10.1000/article']
  )
})
