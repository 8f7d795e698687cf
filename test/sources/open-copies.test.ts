import t from 'tap'
import { saveOpenCopies } from '../../db/queries/open-copies.js'
import { feedbackSet } from '../../src/operations/feed/feedback-set.js'
import { noticesCheck } from '../../src/operations/papers/notices-check.js'
import { paperGet } from '../../src/operations/papers/paper-get.js'
import { paperMarkdown } from '../../src/operations/papers/paper-markdown.js'
import { openalexNotices } from '../../src/sources/notices/openalex.js'
import { ingestFrom, work } from '../support/snapshots.js'
import { feedOf, only, resetRateLimits, startSources } from '../support/sources.js'
import { watchedPaper } from '../support/watched-paper.js'

const pdfUrl = 'https://repository.example.org/copy.pdf'

t.test('a paper that its reader chose becomes readable where OpenAlex knows an open copy', async t => {
  const published = only({ doi: '10.1000/closed', openalex: 'W1', pmcid: 'PMC700001' }, { title: 'Work closed of the review', pdfUrl })
  const { service, user, project, openalex } = await startSources(t, [published])
  const { context } = user
  const project_id = await project([])
  await ingestFrom('crossref', user, { id: project_id }, [work('closed'), work('ignored')])
  const items = await feedOf(user, project_id)
  const [closed, ignored] = ['closed', 'ignored'].map(name => items.find(({ paper }) => paper.doi === `10.1000/${name}`)!)
  const read = async () => await paperMarkdown.run(context, { paper_id: closed!.paper.id })
  t.equal((await read()).status, 'unavailable')
  await feedbackSet.run(context, { paper_id: closed!.id, vote: 'upvote' })
  await resetRateLimits(user)
  await noticesCheck.run(service.context, {})

  t.equal(openalex.requests.length, 1, 'the request for notices tells it')
  t.match(await paperGet.run(context, { paper_id: closed!.paper.id }), { pdf_url: pdfUrl, external_ids: { pmcid: 'PMC700001' } })
  t.match(await paperGet.run(context, { paper_id: ignored!.paper.id }), { pdf_url: null })
  t.match(await read(), { status: 'queued' })
})

t.test('where a paper can be read stays as its record states it', async t => {
  const { user, project, clock } = await startSources(t, [])
  const { db } = user.context
  const project_id = await project([])
  const own = { pdf_url: 'https://journal.example.org/own.pdf' }
  const papers = [work('one'), work('two'), work('three'), work('four', own)]
  await ingestFrom('crossref', user, { id: project_id }, papers)
  const items = await feedOf(user, project_id)
  const [one, two, three, four] = ['one', 'two', 'three', 'four'].map(name =>
    items.find(({ paper }) => paper.doi === `10.1000/${name}`)!.paper.id)
  await db.updateTable('paper').set({ pmcid: 'PMC1' }).where('id', '=', one!).execute()
  const copyOf = (id: string, pmcid: string | null, pdf_url: string | null = null) =>
    ({ id, notices: [], openCopy: { pdf_url, pmcid } })
  const missing = '0b54c2ab-6f2e-4d6c-9d0f-3a8f5b1f7a11'
  await saveOpenCopies(db, [
    copyOf(one!, 'PMC9'), copyOf(two!, 'PMC1', pdfUrl), copyOf(three!, 'PMC2'), copyOf(four!, 'PMC2', pdfUrl), copyOf(missing, 'PMC3')
  ], clock.now)

  const stored = new Map((await db.selectFrom('paper').select(['id', 'pmcid', 'pdf_url']).execute()).map(({ id, ...copy }) => [id, copy]))
  t.strictSame(stored.get(one!), { pmcid: 'PMC1', pdf_url: null })
  t.strictSame(stored.get(two!), { pmcid: null, pdf_url: pdfUrl }, 'another paper has the PMCID')
  t.strictSame([stored.get(three!)!.pmcid, stored.get(four!)!.pmcid].filter(each => each !== null), ['PMC2'], 'one of the two gets it')
  t.equal(stored.get(four!)!.pdf_url, own.pdf_url)
})

t.test('the open copy of an article is none of its preprint, and addresses that cannot be stored are none', async t => {
  const work = (pdf_url: string) => ({
    body: JSON.stringify({
      results: [{
        id: 'https://openalex.org/W1',
        doi: 'https://doi.org/10.1000/article',
        ids: {},
        type: 'article',
        is_retracted: false,
        locations: [],
        best_oa_location: { pdf_url }
      }]
    })
  })
  const answers = [work(pdfUrl), work(`${pdfUrl}?${'a'.repeat(2000)}`), work('javascript:alert(1)')]
  const context = {
    fetch: async () => ({ status: 200, headers: new Headers(), url: '', bytes: Buffer.from(answers.shift()!.body) }),
    baseUrl: 'https://openalex.example.org',
    contact: undefined,
    apiKey: undefined
  }
  const ask = async () => await openalexNotices.check(context, [
    watchedPaper({ id: 'article', openalex: 'W1', doi: '10.1000/article' }),
    watchedPaper({ id: 'preprint', openalex: 'W1', doi: '10.1101/2020.01.01.000001' })
  ])
  t.match(await ask(), [{ id: 'article', openCopy: { pdf_url: pdfUrl, pmcid: null } }, { id: 'preprint', openCopy: undefined }])
  t.match(await ask(), [{ openCopy: { pdf_url: null } }, {}])
  t.match(await ask(), [{ openCopy: { pdf_url: null } }, {}])
})
