import t, { type Test } from 'tap'
import { keywordsSuggest } from '../../src/operations/projects/keywords-suggest.js'
import { newProjectPreview } from '../../src/operations/projects/new-project-preview.js'
import { projectsList } from '../../src/operations/projects/projects-list.js'
import { testService } from '../support/service.js'
import { arxivStandIn } from '../support/stand-ins/arxiv.js'
import { europepmcStandIn } from '../support/stand-ins/europepmc.js'
import type { Publication } from '../support/stand-ins/papers.js'
import { pubmedStandIn } from '../support/stand-ins/pubmed.js'

const abstract = 'We show that base editing of retinal cells restores vision in adult mice, and that edits elsewhere are rare.'
const paper: Publication = {
  title: 'Base editing restores vision in adult mice',
  abstract,
  date: '2026-11-18',
  doi: '10.1000/vision.1',
  pmid: '41000001',
  arxiv: '2611.01234',
  publishedDoi: '10.1000/vision.1',
  venue: 'Journal of Editing'
}
const older: Publication = { title: 'Base editing of the cornea', abstract, date: '2026-10-20', doi: '10.1000/cornea.1', pmid: '41000002' }

async function startService (t: Test, papers: readonly Publication[]) {
  const [arxiv, pubmed, europepmc] = await Promise.all([arxivStandIn(t, papers), pubmedStandIn(t, papers), europepmcStandIn(t, papers)])
  const service = await testService(
    t,
    { ARXIV_URL: arxiv.url, PUBMED_URL: pubmed.url, EUROPEPMC_URL: europepmc.url },
    () => new Date('2026-11-20T12:00:00Z')
  )
  const { context } = await service.user()
  // A slow machine must not decide which sources answer in time.
  return { service, context: { ...context, sourceTimeoutMs: 120_000 }, arxiv, pubmed, europepmc }
}

const interest = { interest_description: 'Base editing as a therapy of the retina', positive_keywords: ['base editing'] }

t.test('new_project_preview', async t => {
  await t.test('returns the papers of its sources, each once, and saves nothing', async t => {
    const { context } = await startService(t, [paper, older])
    const preview = await newProjectPreview.run(context, {
      ...interest,
      sources: [
        { name: 'arxiv', query: '' },
        { name: 'pubmed', query: '' }
      ]
    })
    t.match(preview.sources, [
      { name: 'arxiv', query: /base editing/, found: 1, entering: 1, error: null },
      { name: 'pubmed', query: /base editing/, found: 2, entering: 2, error: null }
    ])
    t.strictSame(preview.counts, { found: 2, entering: 2, must_read: 2 })
    t.match(
      preview.papers.find(({ title }) => title === paper.title),
      { sources: ['arxiv', 'pubmed'], relevance_class: 'must_read', published_date: /^2026-11/, published: /^2026/, personalized_note: /base editing/ }
    )
    t.equal((await projectsList.run(context, {})).total, 0)
  })

  await t.test('says which papers were retracted', async t => {
    const { context } = await startService(t, [paper, { ...older, retracted: true }])
    const { papers } = await newProjectPreview.run(context, { ...interest, sources: [{ name: 'pubmed', query: '' }] })
    t.match(papers.find(({ title }) => title === paper.title), { changes: { length: 0 } })
    t.strictSame(papers.find(({ title }) => title === older.title)!.changes, [{ kind: 'retraction', label: 'Reported as retracted' }])
  })

  await t.test('omits papers with excluded keywords or low scores', async t => {
    const { context } = await startService(t, [paper, older])
    const sources = [{ name: 'pubmed', query: '' }]
    t.match(await newProjectPreview.run(context, { ...interest, sources, negative_keywords: ['cornea'] }), {
      counts: { found: 2, entering: 1 },
      papers: [{ title: paper.title }]
    })
    t.match(await newProjectPreview.run(context, { ...interest, sources, feed_threshold: 1 }), {
      counts: { found: 2, entering: 0 },
      papers: { length: 0 }
    })
  })

  await t.test('counts a keyword in several spellings once, as the project does', async t => {
    const { context } = await startService(t, [paper])
    const of = async (positive_keywords: string[]) => {
      const { papers } = await newProjectPreview.run(context, { positive_keywords, sources: [{ name: 'pubmed', query: '' }] })
      return papers.map(({ relevance_score }) => relevance_score)
    }
    const once = await of(['base editing'])
    t.equal(once.length, 1)
    t.strictSame(await of(['base editing', 'Base editing ', 'Base Editing']), once)
  })

  await t.test('returns the error of one source and the papers of the others', async t => {
    const { context, arxiv, europepmc } = await startService(t, [paper])
    arxiv.next.push(...Array.from({ length: 8 }, () => 'hang' as const))
    europepmc.next.push({ status: 403, body: 'not you' })
    const { sources, counts, examples } = await newProjectPreview.run(
      { ...context, sourceTimeoutMs: 20_000 },
      {
        ...interest,
        sources: [
          { name: 'arxiv', query: '' },
          { name: 'pubmed', query: '' },
          { name: 'europepmc', query: '' }
        ],
        examples: [paper.doi!]
      }
    )
    t.match(sources, [
      { name: 'arxiv', found: 0, error: /^arXiv did not finish within 20 seconds/ },
      { name: 'pubmed', found: 1, error: null },
      { name: 'europepmc', found: 0, error: /Europe PMC refused the request \(status 403\)/ }
    ])
    t.equal(counts.entering, 1)
    t.match(examples, [{ title: paper.title }], 'examples have time of their own')
  })

  await t.test('counts example papers as upvotes', async t => {
    const example: Publication = {
      title: 'Lipid nanoparticles deliver editors to the cornea',
      abstract: 'Lipid nanoparticles deliver base editors to the cornea of adult mice without an immune response.',
      date: '2019-03-04',
      doi: '10.1000/nano.1',
      pmid: '41000003'
    }
    const alike: Publication = {
      ...example, title: 'Lipid nanoparticles in the cornea', date: '2026-11-17', doi: '10.1000/nano.2', pmid: '41000004'
    }
    const { context } = await startService(t, [paper, alike, example])
    const request = { interest_description: '', positive_keywords: ['mice'], sources: [{ name: 'pubmed', query: '' }] }
    const scoreOf = ({ papers }: Awaited<ReturnType<typeof newProjectPreview.run>>) =>
      papers.find(({ title }) => title === alike.title)
    const without = await newProjectPreview.run(context, request)
    const preview = await newProjectPreview.run(context, { ...request, examples: ['10.1000/nano.1', '10.1000/none'] })
    t.strictSame(without.examples, [])
    t.match(preview.examples, [
      { text: '10.1000/nano.1', title: /^Lipid nanoparticles deliver/, problem: null },
      { text: '10.1000/none', title: null, problem: /could not be reached/ }
    ])
    t.match(scoreOf(preview)!.personalized_note, /upvoted/)
    t.notMatch(scoreOf(without)!.personalized_note, /upvoted/)
    t.equal(preview.papers[0]!.title, alike.title, 'it is the best')
    t.equal((await projectsList.run(context, {})).total, 0)
  })

  await t.test('looks up examples after it has sampled the sources, which answer one request at a time', async t => {
    const { context, europepmc } = await startService(t, [paper])
    const examples = ['10.1000/vision.1', '10.1000/none.1', '10.1000/none.2']
    const preview = await newProjectPreview.run(context, { ...interest, sources: [{ name: 'europepmc', query: '' }], examples })
    t.match(preview.sources, [{ found: 1, error: null }])
    const asked = europepmc.requests.map(({ url }) => /FIRST_IDATE/.test(url.searchParams.get('query')!) ? 'sample' : 'example')
    t.strictSame(asked.slice(asked.indexOf('example')), ['example', 'example', 'example'], `${asked}`)
  })

  await t.test('looks up as many examples as a person can wait for, and says what took too long', async t => {
    const { context } = await startService(t, [paper])
    const examples = Array.from({ length: 12 }, (_, at) => `A title of example paper number ${at}`)
    const hurried = { ...context, sourceTimeoutMs: 1 }
    const preview = await newProjectPreview.run(hurried, { ...interest, sources: [{ name: 'pubmed', query: '' }], examples })
    t.equal(preview.examples.length, 10)
    t.match(preview.examples[0], { title: null, problem: /^No source answered in time\. The project looks it up/ })
    await t.rejects(newProjectPreview.run(context, { ...interest, examples: Array.from({ length: 101 }, () => '10.1000/x') }), {
      code: 'invalid_arguments', message: /examples/
    })
  })

  await t.test('asks for keywords if there is nothing to search for', async t => {
    const { context } = await startService(t, [])
    const { sources } = await newProjectPreview.run(context, { sources: [{ name: 'pubmed', query: '' }] })
    t.match(sources[0], { since: null, error: /add keywords/ })
    await t.rejects(newProjectPreview.run(context, { sources: [{ name: 'pubmed', query: '("open' }] }), { code: 'invalid_arguments' })
  })
})

t.test('keywords_suggest returns phrases of the interest', async t => {
  const service = await testService(t)
  const { keywords } = await keywordsSuggest.run((await service.user()).context, {
    interest_description: 'Base editing as a therapy of inherited retinal disease, especially delivery with lipid nanoparticles.'
  })
  t.ok(keywords.includes('base editing'))
  t.ok(keywords.includes('inherited retinal disease'))
  t.ok(keywords.includes('lipid nanoparticles'))
  t.notOk(keywords.includes('especially'))
})

t.test('an account runs one keywords_suggest at a time, also without examples, and has at most three in progress', async t => {
  const { context } = await (await testService(t)).user()
  const calls = await Promise.allSettled(Array.from({ length: 4 }, async () =>
    await keywordsSuggest.run(context, { interest_description: 'Sleep and memory' })))
  t.match(calls.map(({ status }) => status), ['fulfilled', 'fulfilled', 'fulfilled', 'rejected'])
  t.match(calls[3], { reason: { code: 'rate_limited', message: /You already have 3 suggestions in progress/ } })
})
