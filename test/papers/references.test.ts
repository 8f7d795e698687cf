import t from 'tap'
import { sql } from 'kysely'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { InternalError } from '../../src/errors/operation-errors.js'
import { toPublicError } from '../../src/errors/public-error.js'
import { feedbackClear } from '../../src/operations/feed/feedback-clear.js'
import { feedbackSet } from '../../src/operations/feed/feedback-set.js'
import { paperAdd } from '../../src/operations/papers/paper-add.js'
import { paperGet } from '../../src/operations/papers/paper-get.js'
import { projectPaperGet } from '../../src/operations/papers/project-paper-get.js'
import { addPapers, projectWith, testService, type TestUser } from '../support/service.js'
import type { Db } from '../../db/connection.js'
import { setItemState } from '../../db/queries/item-state.js'
import { mergePapers } from '../../db/queries/papers-merge.js'
import { demoteItems, promoteCandidates } from '../../db/queries/candidates.js'
import { replaceScores } from '../../db/queries/relevance.js'
import { itemUpdate } from '../../src/operations/feed/item-update.js'
import type { FeedItem } from '../../schemas/feed.js'

t.test('a reference', async t => {
  const service = await testService(t)
  const user = await service.user()
  const { context } = user
  const project_id = await projectWith(user, [{ title: 'One', doi: '10.5555/one' }, { title: 'Two', doi: '10.5555/two' }])
  const { items } = await feedGet.run(context, { project_id })
  const [item, other] = ['One', 'Two'].map(title => items.find(({ paper_title }) => paper_title === title))
  const forms = {
    'paper UUID': item!.paper.id,
    'paper short_id': item!.paper.short_id,
    'feed-item UUID': item!.id,
    'feed-item short_id': item!.short_id
  }

  for (const [form, reference] of Object.entries(forms)) {
    t.test(`may be the ${form}, in any case`, async t => {
      for (const written of [reference, reference.toUpperCase(), ` ${reference} `]) {
        const paper = await paperGet.run(context, { paper_id: written })
        t.equal(paper.id, item!.paper.id)
        t.strictSame(paper.projects, [{ project_id, feed_item_id: item!.id }])
      }
    })
  }

  t.test('may be the address of its page in the dashboard', async t => {
    const stranger = await service.user()
    const base = 'https://litfeed.example.org/prefix'
    for (const paper_id of [
      `${base}/papers/${item!.paper.id}`,
      ` ${base}/papers/${item!.paper.id.toUpperCase()}?sort=newest&item=${item!.short_id}#p-0556dbb4ba`,
      `${base}/papers/${item!.paper.id}/markdown`,
      `${base}/projects/${project_id}?q=one&item=${item!.short_id}`,
      `${base}/feed?item=${item!.id}`
    ]) {
      t.equal((await paperGet.run(context, { paper_id })).id, item!.paper.id, paper_id)
      t.equal((await projectPaperGet.run(context, { ref: paper_id })).id, item!.id, paper_id)
      if (/papers/.test(paper_id)) t.match(await paperAdd.run(context, { project_id, identifier: paper_id }), { id: item!.id })
      await t.rejects(paperGet.run(stranger.context, { paper_id }), { code: 'paper_not_found' })
    }
    for (const paper_id of [`${base}/projects/${project_id}`, `${base}/papers/`, `${base}/papers/${item!.paper.id}0`]) {
      await t.rejects(paperGet.run(context, { paper_id }), { code: 'paper_not_found' }, paper_id)
    }
  })

  t.test('may be a citation with an identifier in it', async t => {
    for (const paper_id of ['Author 2024, doi:10.5555/one', 'One. https://doi.org/10.5555/ONE.', '10.5555%2Fone', 'doi=10.5555/one']) {
      t.equal((await paperGet.run(context, { paper_id })).id, item!.paper.id, paper_id)
    }
    await t.rejects(paperGet.run(context, { paper_id: 'arXiv preprint arXiv:1706.03762' }), {
      code: 'paper_not_found',
      message: /No paper with arXiv 1706\.03762 is in your feeds\./
    })
  })

  t.test('to a missing or foreign paper is paper_not_found', async t => {
    const stranger = await service.user()
    for (const paper_id of ['00000000', '0b54c2ab-6f2e-4d6c-9d0f-3a8f5b1f7a11']) {
      await t.rejects(paperGet.run(context, { paper_id }), { code: 'paper_not_found' })
    }
    for (const paper_id of ['nonsense', '']) {
      await t.rejects(paperGet.run(context, { paper_id }), { code: paper_id === '' ? 'invalid_arguments' : 'paper_not_found' })
    }
    for (const paper_id of Object.values(forms)) await t.rejects(paperGet.run(stranger.context, { paper_id }), { code: 'paper_not_found' })
  })

  t.test('of 8 characters shared by several papers is ambiguous and lists them', async t => {
    const twin = item!.paper.id.slice(0, 8) + other!.paper.id.slice(8)
    await sql`insert into paper (id, account_id, slug, title, authors, source_name, metadata, title_key)
      values (${twin}, ${context.account.id}, 's', 'Twin', '[]', 'x', '{}', 'k')`.execute(context.db)
    await sql`insert into project_paper (project_id, paper_id, relevance_score, relevance_class)
      values (${project_id}, ${twin}, 0, 'related')`.execute(context.db)
    await t.rejects(paperGet.run(context, { paper_id: item!.paper.short_id }), {
      code: 'ambiguous_short_id',
      message: new RegExp(`${[twin, item!.paper.id].sort().join(', ')}`)
    })
    t.equal((await paperGet.run(context, { paper_id: twin })).title, 'Twin')
  })

  t.test('shared by a paper and its feed item is not ambiguous', async t => {
    const { id, paper } = other!
    const same = paper.id.slice(0, 8) + id.slice(8)
    await sql`update project_paper set id = ${same} where id = ${id}`.execute(context.db)
    t.equal((await paperGet.run(context, { paper_id: paper.short_id })).id, paper.id)
    t.equal((await projectPaperGet.run(context, { ref: paper.short_id })).id, same)
  })

  t.test('to a paper means its feed item if it is in one feed only', async t => {
    t.equal((await feedbackSet.run(context, { paper_id: item!.paper.id, vote: 'star' })).item.feedback?.vote, 'star')
    const second = await projectWith(user, [])
    await addPapers(context, second, [{ title: 'One', doi: '10.5555/one' }])
    await t.rejects(feedbackSet.run(context, { paper_id: item!.paper.id, vote: 'star' }), {
      code: 'ambiguous_reference',
      message: new RegExp(`${item!.id} in "[^"]+"`)
    })
    t.equal((await paperGet.run(context, { paper_id: item!.paper.id })).projects.length, 2)
  })
})

t.test('an identifier', async t => {
  const service = await testService(t)
  const user = await service.user()
  const { context } = user
  const project_id = await projectWith(user, [
    { title: 'Second version', doi: '10.21203/rs.3.rs-1/v2' },
    { title: 'A method for roots', doi: '10.21203/rs.3.rs-2/v1', external_ids: { pmid: '41000001' } },
    { title: 'Stars of the south', doi: '10.21203/rs.3.rs-2/v2', external_ids: { pmid: '41000002' } },
    { title: 'Only a DOI', doi: '10.48550/arxiv.2401.01234' }
  ])
  const titleOf = async (paper_id: string) => (await paperGet.run(context, { paper_id })).title

  t.test('finds a paper that is stored as another version, its own first', async t => {
    for (const doi of ['10.21203/rs.3.rs-1/v1', '10.21203/RS.3.RS-1', 'https://doi.org/10.21203/rs.3.rs-1/v3']) {
      t.equal(await titleOf(doi), 'Second version', doi)
    }
    t.equal(await titleOf('10.21203/rs.3.rs-2/v1'), 'A method for roots')
    t.equal(await titleOf('10.21203/rs.3.rs-2/v2'), 'Stars of the south')
    await t.rejects(titleOf('10.21203/rs.3.rs-2/v3'), { code: 'ambiguous_short_id' })
    const { item } = await feedbackSet.run(context, { paper_id: '10.21203/rs.3.rs-1/v1', vote: 'star' })
    t.equal(item.paper_title, 'Second version')
  })

  t.test('of arXiv finds a paper that is stored with the DOI that arXiv derives from it', async t => {
    for (const written of ['10.48550/arXiv.2401.01234', 'arXiv:2401.01234v2', 'https://arxiv.org/abs/2401.01234']) {
      t.equal(await titleOf(written), 'Only a DOI', written)
      t.match(await paperAdd.run(context, { project_id, identifier: written }), { paper_title: 'Only a DOI' }, `added by ${written}`)
    }
    const other = await projectWith(user, [])
    t.match(await paperAdd.run(context, { project_id: other, identifier: '2401.01234' }), { project_id: other, paper_title: 'Only a DOI' })
  })
})

t.test('a short id of a paper and of a feed item of another paper is ambiguous', async t => {
  const service = await testService(t)
  const user = await service.user()
  const { context } = user
  const project_id = await projectWith(user, [{ title: 'Named' }, { title: 'Voted on' }])
  const { items } = await feedGet.run(context, { project_id })
  const [named, other] = ['Named', 'Voted on'].map(title => items.find(({ paper_title }) => paper_title === title)!)
  const { id, short_id } = named!.paper
  await sql`update project_paper set id = ${id.slice(0, 8) + other!.id.slice(8)}::uuid where id = ${other!.id}::uuid`.execute(context.db)
  const ambiguous = { code: 'ambiguous_short_id', message: new RegExp([id, other!.paper.id].sort().join(', ')) }
  await t.rejects(feedbackSet.run(context, { paper_id: short_id, vote: 'star' }), ambiguous)
  await t.rejects(feedbackClear.run(context, { paper_id: short_id }), ambiguous)
  await t.rejects(itemUpdate.run(context, { ref: short_id, saved: true }), ambiguous)
  t.ok((await feedGet.run(context, { project_id })).items.every(({ feedback, saved }) => feedback === null && !saved))
})

t.test('a paper that is deleted while it is read is reported as deleted', async t => {
  const service = await testService(t)
  const user = await service.user()
  const { context } = user
  const project_id = await projectWith(user, [{ title: 'Read', doi: '10.5555/read' }])
  const { items: [item] } = await feedGet.run(context, { project_id })
  let statements = 0
  const db = context.db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult ({ result }) {
      if (++statements === 1) {
        await sql`delete from project_paper where id = ${item!.id}::uuid`.execute(context.db)
        await sql`delete from paper where id = ${item!.paper.id}::uuid`.execute(context.db)
      }
      return result
    }
  })
  await t.rejects(paperGet.run({ ...context, db }, { paper_id: item!.paper.id }).catch(toCallers), { code: 'deleted_meanwhile' })
})

/** The error that callers see. */
const toCallers = (thrown: unknown) => { throw toPublicError(thrown, { unexpected: () => new InternalError('x') }) }

const early = new Date('2026-11-01T08:00:00Z')
const late = new Date('2026-11-02T08:00:00Z')
const asCandidate = { summary: null, relevance_score: 0.5, relevance_class: 'related', ready_at: late } as const

t.test('the marks of a paper', async t => {
  const { context: { db }, user } = await testService(t)
  const owner = await user()
  const { id: accountId } = owner.context.account
  const itemsOf = async (project_id: string) => (await feedGet.run(owner.context, { project_id, limit: 50 })).items
  const feedWith = async (...titles: string[]) => {
    const project_id = await projectWith(owner, titles.map(title => ({ title })))
    // Only fetched items can leave a feed.
    await db.updateTable('project_paper').set({ origin: 'fetch' }).where('project_id', '=', project_id).execute()
    const items = await itemsOf(project_id)
    return { project_id, items: titles.map(title => items.find(({ paper_title }) => paper_title === title)!) }
  }
  const merge = async (kept: FeedItem, duplicate: FeedItem) =>
    await db.transaction().execute(async transaction => await mergePapers(transaction, kept.paper.id, duplicate.paper.id))
  const mark = async ({ id }: FeedItem, marks: object, at = early) => await setItemState(db, accountId, id, marks, at)

  await t.test('are merged: all tags, both notes, the earliest time, saved if either was', async t => {
    const { project_id, items: [kept, duplicate] } = await feedWith('United one', 'United other')
    await mark(kept!, { seen: true, tags: ['To cite', 'Größe'], note: 'First.' }, late)
    await mark(duplicate!, { seen: true, saved: true, tags: ['TO CITE', 'methods'], note: 'Second.' }, early)
    await merge(kept!, duplicate!)
    const [item, ...others] = await itemsOf(project_id)
    t.equal(others.length, 0)
    t.match(item, { seen_at: early.toISOString(), saved: true, note: 'First.\n\nSecond.' })
    t.strictSame(item!.tags, ['To cite', 'Größe', 'methods'])
    t.equal((await feedGet.run(owner.context, { project_id, tag: 'METHODS' })).total, 1)
    const renoted = await itemUpdate.run(owner.context, { ref: duplicate!.id, note: 'By its former id' })
    t.match(renoted, { id: item!.id, note: 'By its former id' })
  })

  await t.test('of the removed item survive a merge', async t => {
    for (const [votedFirst, titles] of [[true, ['Kept by vote', 'Its duplicate']], [false, ['No vote', 'With a vote']]] as const) {
      const { project_id, items: [kept, duplicate] } = await feedWith(...titles)
      await feedbackSet.run(owner.context, { paper_id: (votedFirst ? kept : duplicate)!.id, vote: 'star' })
      await mark(votedFirst ? duplicate! : kept!, { tags: ['only here'], note: 'A note.' })
      await merge(kept!, duplicate!)
      const united = { feedback: { vote: 'star' }, tags: ['only here'], note: 'A note.', saved: false, seen_at: String }
      t.match(await itemsOf(project_id), [united])
    }
  })

  await t.test('do not repeat a note after a merge', async t => {
    const { project_id, items: [one, other, third] } = await feedWith('Repeated one', 'Repeated other', 'Repeated third')
    await mark(one!, { note: 'The same words.\n\nAnd more.' })
    await mark(other!, { note: 'The same words.' })
    await mark(third!, { note: 'The same words.\n\nAnd more.' })
    await merge(other!, one!)
    await merge(other!, third!)
    t.match(await itemsOf(project_id), [{ note: 'The same words.\n\nAnd more.' }])
  })

  await t.test('keep a note contained in a paragraph of the other', async t => {
    const { project_id, items: [one, other] } = await feedWith('Notable one', 'Notable other')
    await mark(one!, { note: 'A notable paper' })
    await mark(other!, { note: 'no' })
    await merge(one!, other!)
    t.match(await itemsOf(project_id), [{ note: 'A notable paper\n\nno' }])
  })

  await t.test('above the limits after a merge can be reduced step by step', async t => {
    const { project_id, items: [one, other] } = await feedWith('Reduced one', 'Reduced other')
    const tagsNamed = (name: string) => Array.from({ length: 20 }, (_each, at) => `${name} ${at}`)
    await mark(one!, { tags: tagsNamed('one'), note: 'a'.repeat(10_000) })
    await mark(other!, { tags: tagsNamed('other'), note: 'b'.repeat(10_000) })
    await merge(one!, other!)
    const [united] = await itemsOf(project_id)
    const { id: ref, tags, note } = united!
    t.strictSame([tags.length, note!.length], [40, 20_002])
    const update = async (change: object) => await itemUpdate.run(owner.context, { ref, ...change })
    t.equal((await update({ tags: tags.slice(1).map(tag => tag.toUpperCase()) })).tags.length, 39)
    await t.rejects(update({ tags: [...tags.slice(2), 'new'] }), { code: 'invalid_arguments', message: /tags must have at most 20 items/ })
    await t.rejects(update({ tags }), { code: 'invalid_arguments' }, 'a removed tag is a new one')
    t.equal((await update({ note: note!.slice(1) })).note!.length, 20_001)
    await t.rejects(update({ note }), { code: 'invalid_arguments', message: /note must have at most 10000 characters/ })
    t.match(await update({ saved: true }), { saved: true, note: note!.slice(1) }, 'other marks change as ever')
    t.strictSame((await update({ tags: [...tags.slice(0, 19), 'new'] })).tags.at(-1), 'new')
  })

  await t.test('keep an unmatched item in its feed, and seen survives its return', async t => {
    const marks = { seen: { seen: true }, saved: { saved: true }, tagged: { tags: ['x'] }, noted: { note: 'x' }, plain: {} }
    const names = Object.keys(marks).map(name => `Demoted ${name}`)
    const { project_id, items } = await feedWith(...names)
    for (const [at, change] of Object.values(marks).entries()) if (Object.keys(change).length > 0) await mark(items[at]!, change)
    const score = { relevance_score: 0, relevance_class: 'related', matching_details: {}, personalized_note: '' }
    await replaceScores(db, accountId, project_id, items.map(({ id }) => ({ id, ...score })) as never)
    const rescored = (await itemsOf(project_id)).find(({ paper_title }) => paper_title === 'Demoted noted')
    t.match(rescored, { relevance_score: 0, note: 'x' }, 'scores do not touch them')
    t.equal(await demoteItems(db, accountId, project_id, items.map(({ id }) => id), new Date()), 2)
    const remaining = (await itemsOf(project_id)).map(({ paper_title }) => paper_title)
    t.strictSame(remaining.sort(), ['Demoted noted', 'Demoted saved', 'Demoted tagged'])
    await promote(owner, project_id, [items[0]!, items[4]!])
    const again = await itemsOf(project_id)
    t.equal(again.find(({ paper_title }) => paper_title === 'Demoted seen')!.seen_at, early.toISOString())
    t.equal(again.find(({ paper_title }) => paper_title === 'Demoted plain')!.seen_at, null)
  })

  await t.test('bring an item back that has left its feed, also by the address of its page', async t => {
    const { project_id, items: [left] } = await feedWith('Left')
    await demoteItems(db, accountId, project_id, [left!.id], new Date())
    const paper_id = `https://litfeed.example.org/feed?item=${left!.short_id}`
    await feedbackSet.run(owner.context, { paper_id, vote: 'star' })
    t.match(await itemsOf(project_id), [{ id: left!.id, feedback: { vote: 'star' } }])
  })

  await t.test('survive a merge of candidates', async t => {
    for (const what of ['item and candidate', 'two candidates']) {
      const { project_id, items: [one, other] } = await feedWith(`Candidate of ${what}`, `Other of ${what}`)
      await mark(other!, { seen: true })
      await demoteItems(db, accountId, project_id, what === 'two candidates' ? [one!.id, other!.id] : [other!.id], new Date())
      await merge(one!, other!)
      if (what === 'two candidates') await promote(owner, project_id, [one!])
      t.match(await itemsOf(project_id), [{ paper: { id: one!.paper.id }, seen_at: early.toISOString() }], what)
    }
  })

  await t.test('stay separate per account after a merge', async t => {
    const other = await user()
    const { items: [kept, duplicate] } = await feedWith('Shared one', 'Shared other')
    const theirs = await sharedFeed(db, other, [kept!, duplicate!])
    await mark(kept!, { note: 'Mine', tags: ['mine'] })
    await merge(kept!, duplicate!)
    const { items } = await feedGet.run(other.context, { project_id: theirs })
    t.match(items, [{ note: null, tags: { length: 0 }, saved: false, seen_at: null }])
  })
})

/** Puts the papers of items, which are candidates, into a feed. */
const promote = async ({ context: { db, account } }: TestUser, project_id: string, items: readonly FeedItem[]) =>
  await promoteCandidates(db, account.id, project_id, items.map(({ paper }) => ({ project_id, paper_id: paper.id, ...asCandidate })))

/** A feed of another user with the papers of these items. */
async function sharedFeed (db: Db, user: TestUser, items: readonly FeedItem[]): Promise<string> {
  const project_id = await projectWith(user, [])
  await db.updateTable('paper').set({ account_id: null }).where('id', 'in', items.map(({ paper }) => paper.id)).execute()
  await promote(user, project_id, items)
  return project_id
}
