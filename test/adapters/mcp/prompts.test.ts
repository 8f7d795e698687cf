import t from 'tap'
import { jobsList } from '../../../src/operations/jobs/jobs-list.js'
import { takesLess } from '../../support/event-loop.js'
import { call } from '../../support/mcp.js'
import { projectWith, testService } from '../../support/service.js'

const service = await testService(t)

t.test('completes the names of projects that a prompt tells apart, and the ids of others', async t => {
  const user = await service.user()
  for (const name of ['Sleep', 'sleep', 'Dreams']) await projectWith(user, [], { name })
  const { result: { completion: { values } } } = await call(service, user.key, 'completion/complete', {
    ref: { type: 'ref/prompt', name: 'triage' },
    argument: { name: 'project_id', value: '' }
  })
  t.equal(values.length, 3)
  for (const value of values) {
    t.match(await call(service, user.key, 'prompts/get', { name: 'triage', arguments: { project_id: value } }), {
      result: { messages: [{}] }
    })
  }
})

t.test('completes and finds hostile names of many projects in little time', async t => {
  const user = await service.user()
  const names = Array.from({ length: 200 }, (_each, at) => `${at} ${'\ufdfa'.repeat(190)}`)
  await user.context.db.insertInto('project')
    .values(names.map(name => ({ account_id: user.context.account.id, name, interest_description: 'Sleep' }))).execute()
  const argument = { name: 'project_id', value: '' }
  const completed = () => call(service, user.key, 'completion/complete', { ref: { type: 'ref/prompt', name: 'triage' }, argument })
  t.equal((await completed()).result.completion.total, 200)
  await takesLess(t, 300, completed)
  const unknown = () => call(service, user.key, 'prompts/get', { name: 'triage', arguments: { project_id: 'x' } })
  await takesLess(t, 300, unknown)
})

t.test('completes keywords of any project, of the chosen one alone if it is known', async t => {
  const user = await service.user()
  const id = await projectWith(user, [], { name: 'Nights', positive_keywords: ['sleep spindles', 'memory'] })
  for (let at = 0; at < 60; at++) await projectWith(user, [], { name: `Project ${at}`, positive_keywords: ['Sleep', `sleep ${at}`] })
  const complete = async (chosen?: object) => (await call(service, user.key, 'completion/complete', {
    ref: { type: 'ref/prompt', name: 'feed_title_filter' },
    argument: { name: 'title_keyword', value: 'sleep' },
    ...chosen === undefined ? {} : { context: { arguments: chosen } }
  })).result.completion.values
  const all = await complete()
  t.equal(all.length, 62)
  t.ok(all.includes('sleep spindles'), 'also of the oldest project')
  for (const project_id of ['nights', id]) t.strictSame(await complete({ project_id }), ['sleep spindles'])
  for (const project_id of ['Nothing', 'Project', '', 7]) t.strictSame(await complete({ project_id }), all)
})

/** The text of a prompt, or the message of its error. */
const textOf = async (key: string, name: string, args: object): Promise<string> => {
  const { result, error } = await call(service, key, 'prompts/get', { name, arguments: args })
  return error?.message ?? result.messages[0].content.text
}

t.test('explain_paper takes a paper by its title, and completes it by any of its words', async t => {
  const user = await service.user()
  const titles = ['Spindles in sleep', 'Sleep and the memory of mice', 'Sleep and the memory of flies']
  await projectWith(user, titles.map(title => ({ title, abstract: 'On dreams.' })), { name: 'Nights' })
  const complete = async (value: string) => (await call(service, user.key, 'completion/complete', {
    ref: { type: 'ref/prompt', name: 'explain_paper' },
    argument: { name: 'paper_id', value }
  })).result.completion.values
  t.strictSame(await complete('spindl'), ['Spindles in sleep'])
  t.strictSame((await complete('memory sle')).sort(), [titles[2], titles[1]])
  t.strictSame(await complete('dreams'), [], 'words of abstracts name no paper')
  for (const none of ['', ' ', '?']) t.strictSame(await complete(none), [])
  for (const paper_id of ['SPINDLES in sleep.', 'spindles']) {
    t.match(await textOf(user.key, 'explain_paper', { paper_id }), /Call paper_markdown with [^]*Spindles in sleep|Spindles in sleep/)
  }
  t.match(
    await textOf(user.key, 'explain_paper', { paper_id: 'sleep and the memory' }),
    /^paper_id "sleep and the memory" fits 2 papers\. Use the whole title or the id: "Sleep and the memory of \w+" is [0-9a-f-]{36}; "/
  )
  t.match(await textOf(user.key, 'explain_paper', { paper_id: 'nothing of the kind' }), /doesn't exist or isn't in your feeds/)
})

t.test('find_papers searches all feeds, lists a paper of two once, and quotes it as data', async t => {
  const user = await service.user()
  const shared = { title: 'Spindles in sleep', doi: '10.5555/find.1', abstract: 'Spindles ripple.', authors: [{ name: 'Ada Lovelace' }] }
  await projectWith(user, [shared], { name: 'Nights' })
  await projectWith(user, [shared, { title: 'Spindles of cells' }, { title: 'Yeast' }], { name: 'Cells' })
  const text = await textOf(user.key, 'find_papers', { query: 'spindles' })
  const listed = text.split('\n').filter(line => line.startsWith('{')).map(line => JSON.parse(line))
  t.strictSame(listed.map(({ title }) => title).sort(), ['Spindles in sleep', 'Spindles of cells'])
  const both = listed.find(({ title }) => title === 'Spindles in sleep')
  t.match(both, { paper_id: /^[0-9a-f-]{36}$/, authors: 'Ada Lovelace', reference_label: 'DOI 10.5555/find.1', vote: null })
  t.strictSame(both.projects.sort(), ['Cells', 'Nights'])
  t.match(text, /^\[[\w-]{12}\] Quoted from a paper/m)
  t.match(await textOf(user.key, 'find_papers', { query: '10.5555/find.1' }), '"title":"Spindles in sleep"')
  t.match(await textOf(user.key, 'find_papers', { query: 'zebrafish' }), /no paper matches/)
  t.match(await textOf(user.key, 'find_papers', { query: 'ab' }), /^query has 2 characters after trimming/)
})

t.test('saved_papers lists what was saved to read later, in all projects or one', async t => {
  const user = await service.user()
  const nights = await projectWith(user, [{ title: 'Spindles in sleep' }, { title: 'Not saved' }], { name: 'Nights' })
  await projectWith(user, [{ title: 'Spindles of cells' }], { name: 'Cells' })
  t.match(await textOf(user.key, 'saved_papers', {}), /^I have saved no papers in all my Litfeed projects\./)
  await user.context.db.updateTable('project_paper').set({ saved: true })
    .where('project_id', 'in', user.context.db.selectFrom('project').select('id').where('account_id', '=', user.context.account.id))
    .where('paper_id', 'not in', user.context.db.selectFrom('paper').select('id').where('title', '=', 'Not saved')).execute()
  const all = await textOf(user.key, 'saved_papers', {})
  for (const title of ['Spindles in sleep', 'Spindles of cells']) t.match(all, `"title":"${title}"`)
  t.notMatch(all, 'Not saved')
  const one = await textOf(user.key, 'saved_papers', { project_id: 'nights' })
  t.match(one, /in my project "Nights"[^]*"title":"Spindles in sleep"/)
  t.notMatch(one, 'Spindles of cells')
  t.match(await textOf(user.key, 'saved_papers', { project_id: nights }), 'Spindles in sleep')
  t.match(await textOf(user.key, 'saved_papers', { project_id: 'Other' }), /Your projects: /)
})

t.test('a prompt takes numbers as such, and has the papers read in pages that fit a model', async t => {
  const user = await service.user()
  const project_id = await projectWith(user, [], { name: 'Paged' })
  const textFor = async (limit: unknown) => {
    const answer = await call(service, user.key, 'prompts/get', { name: 'triage', arguments: { project_id, limit } })
    return answer.result.messages[0].content.text as string
  }
  t.match(await textFor(50), /"limit":20\}, and again with offset 20 and so on, until you have 50 papers/)
  t.match(await textFor('10'), /"limit":10\}\n/)
})

t.test("the ids of the caller's jobs are completed", async t => {
  const [user, stranger] = [await service.user(), await service.user()]
  for (const { context: { db, account } } of [user, stranger]) {
    await db.insertInto('job').values({ account_id: account.id, task: 'score-project', once_key: account.id, state: 'done' }).execute()
  }
  const complete = (uri: string, name: string, value: string) => call(service, user.key, 'completion/complete', {
    ref: { type: 'ref/resource', uri }, argument: { name, value }
  })
  const template = 'litfeed://jobs/{job_id}'
  const { items: [job] } = await jobsList.run(user.context, {})
  for (const value of ['', job!.id.slice(0, 4), job!.id]) {
    t.strictSame((await complete(template, 'job_id', value)).result.completion, { values: [job!.id], total: 1, hasMore: false })
  }
  t.match(await complete(template, 'job_id', 'x'), { result: { completion: { total: 0 } } })
  t.match(await complete(template, 'id', ''), { error: { code: -32602, message: /has no argument id\. Arguments: job_id\.$/ } })
  t.match(await complete('litfeed://other', 'job_id', ''), { error: { code: -32602, message: /nothing else has arguments to complete/ } })
})

t.test('prompts and completions have a limit of their own', async t => {
  const limited = await service.sibling(t, { RATE_LIMIT: '1' })
  const user = await limited.user()
  const [ref, argument] = [{ type: 'ref/prompt', name: 'triage' }, { name: 'project_id', value: '' }]
  const complete = () => call(limited, user.key, 'completion/complete', { ref, argument })
  const get = () => call(limited, user.key, 'prompts/get', { name: 'triage', arguments: { project_id: 'x' } })
  t.match(await complete(), { result: { completion: {} } })
  for (let at = 0; at < 4; at++) t.match(await get(), { error: { code: -32602 } })
  t.match(await call(limited, user.key, 'tools/call', { name: 'projects_list' }), { result: { structuredContent: { total: 0 } } })
  for (const refused of [await complete(), await get()]) t.match(refused, { error: { message: /Retry after|rate limit/i } })
})
