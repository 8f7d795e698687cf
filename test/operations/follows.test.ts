import t from 'tap'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { feedPage } from '../../src/operations/feed/feed-page.js'
import { feedSearch } from '../../src/operations/feed/feed-search.js'
import { feedsGet } from '../../src/operations/feed/feeds-get.js'
import { feedbackClear } from '../../src/operations/feed/feedback-clear.js'
import { feedbackSet } from '../../src/operations/feed/feedback-set.js'
import { paperTuning } from '../../src/operations/feed/paper-tuning.js'
import { followCreate } from '../../src/operations/follows/follow-create.js'
import { followDelete } from '../../src/operations/follows/follow-delete.js'
import { followPreview } from '../../src/operations/follows/follow-preview.js'
import { followsList } from '../../src/operations/follows/follows-list.js'
import { paperReferences } from '../../src/operations/papers/paper-references.js'
import { projectUpdate } from '../../src/operations/projects/project-update.js'
import { projectsGet } from '../../src/operations/projects/projects-get.js'
import { projectScore } from '../../src/operations/projects/project-score.js'
import { up as markSharedReferences } from '../../db/migrations/2026-12-29-shared-references.js'
import { addCitations } from '../../db/queries/citations.js'
import { listCitedLikes, listIdentifiers, listLikedPapers } from '../../db/queries/signals.js'
import type { LinkFilter } from '../../schemas/relevance.js'
import type { Publication } from '../support/stand-ins/papers.js'
import { feedOf, only, sourcesNamed, startSources } from '../support/sources.js'
import { formSession } from '../support/forms.js'
import { projectWith, testService } from '../support/service.js'

const ada = { orcid: '0000-0002-1825-0097', openalex: 'A5023888391', ror: '03vek6s52' }
const references = Array.from({ length: 9 }, (_, at) => ({ doi: `10.1000/ref.${at}`, openalex: `W${900 + at}` }))
const base = only({ doi: '10.1000/base', openalex: 'W1' }, {
  title: 'Base editing of rods in adult mice',
  authors: [['Ada', 'Lovelace', ada], ['Émile', 'Borel']],
  cites: references,
  journal: { issns: ['0028-0836', '1476-4687'], issnL: '0028-0836', openalex: 'S137773608' }
})
const citing = only({ doi: '10.1000/citing', openalex: 'W2' }, {
  title: 'Base editing of cones', authors: [['A.', 'King-Noel', ada]], cites: [{ doi: base.doi!, openalex: 'W1' }]
})
const cited = only({ doi: '10.1000/ref.3', openalex: 'W903' }, {
  title: 'Base editing before there were mice', authors: [['Ada', 'Lovelace', { orcid: '0000-0001-5109-3700' }]]
})
const sharing = only({ doi: '10.1000/sharing', openalex: 'W4' }, {
  title: 'Base editing of the lens', authors: [['Grace', 'Hopper', { institution: 'I42' }]], cites: references.filter((_, at) => at !== 3)
})
const papers: Publication[] = [base, citing, cited, sharing]

t.test('people and citations', async t => {
  const { service, user, project, fetchNow } = await startSources(t, papers)
  const { context } = user
  const id = await project(sourcesNamed('openalex', 'crossref'))
  await fetchNow(id)
  const itemOf = async (paper: Publication) => (await feedOf(user, id)).find(({ paper: { doi } }) => doi === paper.doi)!
  const rescore = async () => { await projectScore.run(context, { project_id: id }) }
  const titles = async (link: LinkFilter) => (await feedGet.run(context, { project_id: id, link })).items.map(item => item.paper.doi).sort()
  await rescore()
  const before = new Map((await feedOf(user, id)).map(item => [item.id, item]))
  for (const item of before.values()) {
    t.equal(item.matching_details.citations, undefined)
    t.equal(item.matching_details.follows, undefined)
    t.equal(item.matching_details.contributions!.citations, undefined)
  }

  t.test('a star links papers that cite it, that it cites and that share its references', async t => {
    const starred = await itemOf(base)
    await feedbackSet.run(context, { paper_id: starred.paper.id, vote: 'star' })
    await rescore()
    await feedbackSet.run(context, { paper_id: (await itemOf(sharing)).paper.id, vote: 'upvote' })
    t.match(await listLikedPapers(context.db, context.account.id, id, 1), [{ paper_id: starred.paper.id, starred: true }])
    await feedbackClear.run(context, { paper_id: (await itemOf(sharing)).paper.id })
    const link = { starred: 1, upvoted: 0, papers: [{ paper_id: starred.paper.id, title: base.title, starred: true }] }
    t.match((await itemOf(citing)).matching_details.citations, { cites: link, cited_by: { starred: 0 }, shares: null })
    t.match((await itemOf(cited)).matching_details.citations, { cites: { starred: 0 }, cited_by: link })
    t.match((await itemOf(sharing)).matching_details.citations, { shares: { paper_id: starred.paper.id, references: 8 } })
    t.equal((await itemOf(base)).matching_details.citations, undefined)
    t.match((await itemOf(citing)).personalized_note, /^Cites 1 paper you starred\. /)
    t.match((await itemOf(cited)).personalized_note, /^Is cited by 1 paper you starred\. /)
    t.match((await itemOf(sharing)).personalized_note, /^Shares 8 references with “Base editing of rods in adult mice”\. /)
    for (const { matching_details: { contributions }, relevance_score } of await feedOf(user, id)) {
      const sum = Object.values(contributions!).reduce((total, part) => total + part, 0)
      t.ok(Math.abs(sum - relevance_score) < 0.0006, 'the parts of a score are its sum')
    }
    t.match(await paperReferences.run(context, { paper_id: (await itemOf(citing)).paper.id }), {
      references: [base.doi, 'W1'], liked: [{ project_id: id, paper_id: starred.paper.id, vote: 'star' }]
    })
    const paper_id = (await itemOf(cited)).paper.id
    await addCitations(context.db, [{ paper_id, cited: ['W7', '10.1000/z'], cited_by: null }])
    const { references } = await paperReferences.run(context, { paper_id })
    t.same(references, ['10.1000/z', 'W7'], 'DOIs come first, whichever source was first')
    t.same(await titles('cites-starred'), [citing.doi])
    t.same(await titles('cited-by-starred'), [cited.doi])
    t.same(await titles('shares-references'), [sharing.doi])
    for (const link of ['cites-starred', 'shares-references'] as const) {
      t.equal((await feedPage.run(context, { project_id: id, link })).total, 1)
      t.equal((await feedSearch.run(context, { project_id: id, q: 'editing', link })).items.length, 1)
      t.equal((await feedsGet.run(context, { link })).total, 1)
    }
  })

  t.test('items of earlier versions that share references are found without rescoring', async t => {
    await context.db.updateTable('project_paper').set({ links: 0 }).where('id', '=', (await itemOf(sharing)).id).execute()
    t.same(await titles('shares-references'), [])
    await markSharedReferences(context.db)
    t.same(await titles('shares-references'), [sharing.doi])
    t.same(await titles('cites-starred'), [citing.doi], 'others keep their links')
  })

  t.test('a reference to another version of a liked paper names it', async t => {
    const [{ paper: { id: liked } }, { paper: { id: paper_id } }] = [await itemOf(sharing), await itemOf(cited)]
    const setDoi = async (doi: string) =>
      await context.db.updateTable('paper').set({ doi }).where('id', '=', liked).execute()
    await setDoi('10.21203/rs.3.rs-900001/v1')
    await feedbackSet.run(context, { paper_id: liked, vote: 'star' })
    await addCitations(context.db, [{ paper_id, cited: ['10.21203/rs.3.rs-900001/v3'], cited_by: null }])
    t.match(await paperReferences.run(context, { paper_id }), { liked: [{ paper_id: liked, vote: 'star' }] })
    await feedbackClear.run(context, { paper_id: liked })
    await setDoi(sharing.doi!)
  })

  t.test('references of different kinds to papers that are stored are shared', async t => {
    const works = [1, 2, 3].map(at => ({ title: `Cited work ${at} of both`, doi: `10.3000/${at}`, external_ids: { openalex: `W70${at}` } }))
    const projectId = await projectWith(user, [{ title: 'Starred by DOIs' }, { title: 'Found by OpenAlex ids' }, ...works])
    const items = await feedOf(user, projectId)
    const paperIdOf = (title: string) => items.find(({ paper_title }) => paper_title === title)!.paper.id
    await addCitations(context.db, [
      { paper_id: paperIdOf('Starred by DOIs'), cited: works.map(({ doi }) => doi), cited_by: null },
      { paper_id: paperIdOf('Found by OpenAlex ids'), cited: works.map(({ external_ids: { openalex } }) => openalex), cited_by: null }
    ])
    await feedbackSet.run(context, { paper_id: paperIdOf('Starred by DOIs'), vote: 'star' })
    await projectScore.run(context, { project_id: projectId })
    const found = (await feedOf(user, projectId)).find(({ paper_title }) => paper_title === 'Found by OpenAlex ids')!
    t.match(found.matching_details.citations, { shares: { title: 'Starred by DOIs', references: 3 } })
    const stored = { dois: ['10.3000/1'], arxivIds: [], pmids: [], openalexIds: ['W702'] }
    const other = await service.user()
    t.equal((await listIdentifiers(context.db, context.account.id, stored)).length, 2)
    t.same(await listIdentifiers(context.db, other.context.account.id, stored), [], 'imported papers are the account\'s own')
  })

  t.test('an account sees no links from the votes of another', async t => {
    const other = await service.user()
    const all = { dois: [base.doi!], arxivIds: [], pmids: [], openalexIds: ['W1'] }
    t.same(await listCitedLikes(context.db, other.context.account.id, all), [])
    t.equal((await listCitedLikes(context.db, context.account.id, all)).length, 1)
    await t.rejects(followsList.run(other.context, { project_id: id }), { code: 'project_not_found' })
    await t.rejects(followCreate.run(other.context, { project_id: id, kind: 'author', name: 'X' }), { code: 'project_not_found' })
    await t.rejects(followCreate.run(context, { project_id: id, kind: 'author', name: '\u200b' }), {
      message: 'name has no visible characters. Send a name that people can read.'
    })
  })

  t.test('a followed author is known by id, and marks papers until it is unfollowed', async t => {
    const { authors, journal, institutions } = await paperTuning.run(context, { ref: (await itemOf(base)).id })
    t.match(authors[0], { kind: 'author', name: 'Ada Lovelace', ids: [ada.orcid, ada.openalex], matched_by: 'id', followed: false })
    t.match(authors[0]!.queries.map(({ name, query }) => `${name} ${query}`), [
      `pubmed ${ada.orcid}[auid]`, `europepmc AUTHORID:"${ada.orcid}"`,
      `openalex authorships.author.id:${ada.openalex}`, `crossref orcid:${ada.orcid}`, 'arxiv au:"Ada Lovelace"'
    ])
    t.match(authors[1], { name: 'Émile Borel', ids: { length: 0 }, matched_by: 'name' })
    t.match(journal, { ids: ['0028-0836', '1476-4687', 'S137773608'] })
    t.match(institutions, [{ name: 'Analytical Engine Institute', ids: [ada.ror, 'I1'] }], 'both ids of one institution, and its name')
    const followed = { project_id: id, kind: 'institution' as const, name: 'X' }
    for (const ids of [[ada.ror], ['I1']]) t.match(await followPreview.run(context, { ...followed, ids }), { by_id: 2 }, ids.join())
    const { kind, name, ids } = authors[0]!
    t.match(await followPreview.run(context, { project_id: id, kind, name, ids }), { compared: 4, by_id: 2, by_name: 0 })
    t.match(await followPreview.run(context, { project_id: id, kind, name }), { by_id: 0, by_name: 2 }, 'a name alone finds namesakes')
    const follow = await followCreate.run(context, { project_id: id, kind, name, ids })
    t.equal((await followCreate.run(context, { project_id: id, kind, name: 'A. L.', ids: [ada.orcid] })).id, follow.id, 'once')
    const score = (await itemOf(citing)).relevance_score
    await rescore()
    t.same(await titles('followed'), [base.doi, citing.doi].sort(), 'a changed spelling matches, a namesake does not')
    t.ok((await itemOf(citing)).relevance_score > score)
    t.match((await itemOf(citing)).personalized_note, /^By Ada Lovelace, whom you follow\. Cites 1 paper you starred\. /)
    t.ok((await paperTuning.run(context, { ref: (await itemOf(base)).id })).authors[0]!.followed)
    t.match((await followsList.run(context, { project_id: id })).items, [{ id: follow.id, matched_by: 'id' }])
    const secondOrcid = '0000-0002-9079-593X'
    const again = await followCreate.run(context, { project_id: id, kind, name, ids: [ada.orcid, secondOrcid] })
    t.match(again, { id: follow.id, ids: [...ids, secondOrcid] }, 'with the ids that it lacked')
    t.ok((await context.db.selectFrom('project').select('scoring_due_at').where('id', '=', id).executeTakeFirstOrThrow()).scoring_due_at)
    const many = Array.from({ length: 9 }, (_, at) => `A${at + 1}`)
    t.equal((await followCreate.run(context, { project_id: id, kind, name, ids: [ada.orcid, ...many] })).ids.length, 10)
    await followDelete.run(context, { project_id: id, follow_id: follow.id })
    await t.rejects(followDelete.run(context, { project_id: id, follow_id: follow.id }), { code: 'not_found' })
    await rescore()
    t.same(await titles('followed'), [])
    t.equal((await itemOf(citing)).relevance_score, score)
  })

  t.test('an institution without a ROR id and a name is followed by its OpenAlex id', async t => {
    const { institutions } = await paperTuning.run(context, { ref: (await itemOf(sharing)).id })
    t.match(institutions, [{ name: 'Institution of Grace Hopper (OpenAlex I42)', matched_by: 'id', queries: [{ name: 'openalex' }] }])
    const { kind, name, ids } = institutions[0]!
    const preview = await followPreview.run(context, { project_id: id, kind, name, ids })
    t.match(preview, { by_id: 1, by_name: 0, papers: [{ title: sharing.title, by: 'id' }] })
  })

  t.test('an excluded paper gets and loses its links, and following twice rescores nothing', async t => {
    await projectUpdate.run(context, { project_id: id, negative_keywords: ['rods'] })
    const ada = { project_id: id, kind: 'author', name: 'Ada Lovelace', ids: ['0000-0002-1825-0097'] } as const
    const follow = await followCreate.run(context, { ...ada, ids: [...ada.ids] })
    await rescore()
    t.match((await itemOf(base)).matching_details, { excluded: true })
    t.ok((await titles('followed')).includes(base.doi!))
    await followCreate.run(context, { ...ada, ids: [...ada.ids] })
    t.equal((await projectsGet.run(context, { project_id: id })).learning.pending, false)
    await followDelete.run(context, { project_id: id, follow_id: follow.id })
    t.equal((await projectsGet.run(context, { project_id: id })).learning.pending, true)
    await rescore()
    t.same(await titles('followed'), [])
    t.same(await titles('cites-starred'), [citing.doi])
  })

  t.test('invalid ids are refused', async t => {
    for (const [kind, ids] of [['author', ['0028-0836']], ['institution', []], ['journal', ['A1']]] as const) {
      await t.rejects(followCreate.run(context, { project_id: id, kind, name: 'X', ids: [...ids] }), { code: 'invalid_arguments' })
    }
  })
})

t.test('papers by an author who is followed by id enter the feed below the minimum score, unless a keyword excludes them', async t => {
  const { user, project, fetchNow } = await startSources(t, papers)
  const { context } = user
  const author = { kind: 'author' as const, name: 'Ada Lovelace' }
  const doisOf = async (project_id: string) => (await feedOf(user, project_id)).map(({ paper }) => paper.doi).sort()

  const later = await project(sourcesNamed('openalex', 'crossref'), { feed_threshold: 1 })
  await fetchNow(later)
  t.same(await doisOf(later), [])
  const byName = await followCreate.run(context, { project_id: later, ...author })
  await projectScore.run(context, { project_id: later })
  t.same(await doisOf(later), [], 'a name may be a namesake’s')
  await followDelete.run(context, { project_id: later, follow_id: byName.id })
  await followCreate.run(context, { project_id: later, ...author, ids: [ada.orcid] })
  await projectScore.run(context, { project_id: later })
  t.same(await doisOf(later), [base.doi, citing.doi].sort())
  t.match((await feedOf(user, later))[0]!.matching_details.follows, [{ by: 'id' }])

  const before = await project(sourcesNamed('openalex', 'crossref'), { feed_threshold: 1, negative_keywords: ['rods'] })
  await followCreate.run(context, { project_id: before, ...author, ids: [ada.orcid] })
  await fetchNow(before)
  t.same(await doisOf(before), [citing.doi], 'as soon as they are found')
})

t.test('what a project follows is on its settings, where it can be unfollowed', async t => {
  const service = await testService(t)
  const user = await service.user()
  const project_id = await projectWith(user, [{ title: 'Base editing' }])
  await followCreate.run(user.context, { project_id, kind: 'author', name: 'Ada Lovelace' })
  const { id: follow_id } = await followCreate.run(user.context, { project_id, kind: 'journal', name: 'Nature' })
  const browser = await formSession(service.app, user)
  const settings = `/projects/${project_id}/settings`
  const shown = async () => [...(await browser.get(settings)).body.matchAll(/<span dir="auto">([^<]*)<\/span> <span[^>]*>([^<]*)</g)]
    .map(([, name, basis]) => `${name} ${basis}`).sort()
  t.strictSame(await shown(), ['Ada Lovelace by name, including namesakes', 'Nature by name'])
  t.match(await browser.post(settings, { action: 'unfollow', follow_id }), { statusCode: 303, headers: { location: settings } })
  t.strictSame(await shown(), ['Ada Lovelace by name, including namesakes'])
})
