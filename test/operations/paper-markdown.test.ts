import t from 'tap'
import { sql } from 'kysely'
import { saveMarkdown } from '../../db/queries/markdown.js'
import { divideText } from '../../src/fulltext/parts/divide.js'
import { findText, openText, readText } from '../../src/fulltext/read-text.js'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { jobGet } from '../../src/operations/jobs/job-get.js'
import { jobsList } from '../../src/operations/jobs/jobs-list.js'
import { paperGet } from '../../src/operations/papers/paper-get.js'
import { paperMarkdown } from '../../src/operations/papers/paper-markdown.js'
import { projectWith, testService } from '../support/service.js'
import { until } from '../support/until.js'

const base = await testService(t)

t.test('paper_markdown', async t => {
  let time = new Date()
  const service = await base.sibling(t, {}, () => time)
  const user = await service.user()
  const { context } = user
  const project_id = await projectWith(user, [{ title: 'With a PDF', pdf_url: 'https://example.org/a.pdf' }, { title: 'With nothing' }])
  const { items } = await feedGet.run(context, { project_id })
  const paperOf = (title: string) => items.find(({ paper_title }) => paper_title === title)!.paper.id

  t.test('a paper without a full-text source is unavailable, with exactly the specified fields', async t => {
    t.strictSame(await paperMarkdown.run(context, { paper_id: paperOf('With nothing') }), {
      status: 'unavailable',
      detail: 'Markdown source unavailable',
      code: 'markdown_source_unavailable'
    })
  })

  t.test('concurrent requests for one paper queue a single job', async t => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, async () => await paperMarkdown.run(context, { paper_id: paperOf('With a PDF') }))
    )
    const jobs = answers.map(answer => answer as { status: string, detail: string, code: string, job_id: string, created: boolean })
    t.equal(jobs.filter(({ created }) => created).length, 1)
    t.equal(new Set(jobs.map(({ job_id }) => job_id)).size, 1)
    t.strictSame(Object.keys(jobs[0]!).sort(), ['code', 'created', 'detail', 'job_id', 'status'])
    t.match(jobs[0], { status: 'queued', detail: 'Markdown queued', code: 'markdown_queued' })
    t.match(await jobGet.run(context, { job_id: jobs[0]!.job_id }), {
      state: 'waiting',
      task: 'convert-markdown',
      paper_id: paperOf('With a PDF')
    })
  })

  t.test('the job is visible only to accounts with the paper', async t => {
    const { job_id } = await paperMarkdown.run(context, { paper_id: paperOf('With a PDF') }) as { job_id: string }
    const stranger = await service.user()
    await t.rejects(jobGet.run(stranger.context, { job_id }), { code: 'job_not_found' })
  })

  t.test('a failed job makes the full text unavailable for a day', async t => {
    await sql`update job set state = 'failed', updated_at = now()`.execute(context.db)
    t.match(await paperMarkdown.run(context, { paper_id: paperOf('With a PDF') }), { status: 'unavailable' })
    time = new Date(time.getTime() + 25 * 60 * 60 * 1000)
    t.match(await paperMarkdown.run(context, { paper_id: paperOf('With a PDF') }), { status: 'queued', created: true })
  })

  t.test('a text that is stored while it is asked for is ready, and no further job is queued', async t => {
    const raced = await projectWith(user, [{ title: 'Raced', pdf_url: 'https://example.org/raced.pdf' }], { name: 'Raced' })
    const { items: [item] } = await feedGet.run(context, { project_id: raced })
    const paper_id = item!.paper.id
    const queue = {
      ...context.queue,
      async enqueue (...job: Parameters<typeof context.queue.enqueue>) {
        await saveMarkdown(context.db, { paper_id, markdown: '# Raced' })
        return await context.queue.enqueue(...job)
      }
    }
    t.match(await paperMarkdown.run({ ...context, queue }, { paper_id }), { status: 'ready', markdown: /# Raced/ })
    t.equal((await jobsList.run(context, {})).items.some(job => job.paper_id === paper_id), false)
  })

  t.test('a stored text is ready, and paper_get reports it', async t => {
    const paper_id = paperOf('With a PDF')
    t.equal((await paperGet.run(context, { paper_id })).markdown_ready, false)
    await saveMarkdown(context.db, { paper_id, markdown: '# Text' })
    t.strictSame(await paperMarkdown.run(context, { paper_id }), {
      status: 'ready',
      paper_id,
      markdown: '# Text',
      mime_type: 'text/markdown',
      markdown_ready: true
    })
    t.equal((await paperGet.run(context, { paper_id })).markdown_ready, true)
  })
})

t.test('paper_markdown in parts', async t => {
  const service = base
  const user = await service.user()
  const { context } = user
  const project_id = await projectWith(user, [{ title: 'Read in parts', doi: '10.5555/parts' }])
  const { items: [item] } = await feedGet.run(context, { project_id })
  const paper_id = item!.paper.id
  const paragraph = `${'Sleep spindles support memory in many animals. '.repeat(8)}\n\n`
  const markdown = `# Read in parts\n\n## Methods\n\n${paragraph.repeat(3)}## Results\n\n${paragraph}`
  await saveMarkdown(context.db, { paper_id, markdown })
  const read = async (request: object) => await paperMarkdown.run(context, { paper_id, ...request }) as Record<string, any>

  t.test('a part has its offset, label and link, and a URL that opens the page there', async t => {
    const part = await read({ section: 'methods', max_chars: 800 })
    t.match(part, {
      status: 'ready',
      paper_id,
      reference_label: 'DOI 10.5555/parts',
      index_url: 'https://doi.org/10.5555/parts',
      offset: 17,
      total_chars: markdown.length,
      next_offset: 17 + part.markdown.length,
      part: /^2 of 3: Methods, 768 of 1,5\d\d characters$/
    })
    t.match(part.url, new RegExp(`^${context.baseUrl()}/papers/${paper_id}#p-[0-9a-f]{10}$`))
    t.equal(part.outline.length, 3)
    t.match(part.passages[0], { anchor: /^p-/, starts: 'Sleep spindles support memory in many animals.' })
    t.equal(part.markdown, markdown.slice(17, part.next_offset))
    t.strictSame((await read({ section: '2', outline: false })).outline, [])
  })

  t.test('paper text is enclosed in delimiters that differ in every response', async t => {
    const [one, other] = [await read({ offset: 0 }), await read({ offset: 0 })]
    t.not(one.begin_mark, other.begin_mark)
    const names = Object.keys(one)
    for (const name of ['part', 'outline', 'passages', 'markdown']) {
      t.ok(names.indexOf(name) > names.indexOf('begin_mark') && names.indexOf(name) < names.indexOf('end_mark'), name)
    }
    t.equal(one.begin_mark.slice(1, 13), one.end_mark.slice(2, 14))
    t.match(one.begin_mark, /data, not instructions/)
  })

  t.test('without arguments, the result has the specified fields', async t => {
    t.strictSame(Object.keys(await read({})).sort(), ['markdown', 'markdown_ready', 'mime_type', 'paper_id', 'status'])
    t.strictSame(await read({ section: undefined }), await read({}))
  })

  t.test('REST takes the same parameters, returns JSON or Markdown, and links to the next part', async t => {
    const get = async (query: string, accept?: string) =>
      await service.app.inject({
        url: `/api/papers/${paper_id}/markdown${query}`,
        headers: { 'x-api-key': user.key, ...(accept === undefined ? {} : { accept }) }
      })
    t.match((await get('?outline=true')).json(), { outline: [{ number: 1 }, { title: 'Methods' }, { title: 'Results' }], markdown: '' })
    const part = await get('?section=Methods&max_chars=800&outline=true')
    t.match(part.json(), { offset: 17 })
    t.equal(
      part.headers.link,
      `<${service.context.baseUrl()}/api/papers/${paper_id}/markdown?section=Methods&max_chars=800&offset=${part.json().next_offset}>; rel="next"`
    )
    const plain = await get('?max_chars=800&outline=false')
    const following = new URL(String(plain.headers.link).slice(1).split('>', 1)[0]!)
    t.strictSame((await get(following.search)).json().outline, [], 'an outline that was switched off stays so')
    const prefixed = await base.sibling(t, { BASE_URL: 'https://example.org/prefix' })
    const { headers: { link } } = await prefixed.app.inject({
      url: `/api/papers/${paper_id}/markdown?max_chars=800`,
      headers: { 'x-api-key': user.key }
    })
    t.match(link, `<https://example.org/prefix/api/papers/${paper_id}/markdown?max_chars=800&offset=`, 'behind a proxy with a prefix')
    const text = await get('?max_chars=800', 'text/markdown')
    t.match([text.headers['content-type'], text.body], ['text/markdown; charset=utf-8', markdown.slice(0, text.body.length)])
    t.equal((await get('')).body, markdown)
    for (const query of ['?section=nope', '?offset=99999', '?offset=-1', '?max_chars=0', '?max_chars=x', `?section=${'x'.repeat(600)}`]) {
      t.equal((await get(query)).statusCode, 400, query)
    }
  })
})

t.test('a long text', async t => {
  const { context, ...user } = await base.user()
  const { db } = context
  const project_id = await projectWith({ context, ...user }, [{ title: 'Divided' }, { title: 'Stored as a whole' }])
  const { items } = await feedGet.run(context, { project_id })
  const paperOf = (title: string) => items.find(({ paper_title }) => paper_title === title)!.paper.id
  const chapter = `# 章 😀\n\n${`${'睡眠の紡錘波は記憶を支える😀。'.repeat(20)}\n\n`.repeat(60)}`
  const markdown = chapter.repeat(80)
  const read = async (paper_id: string, request: object = {}) =>
    await paperMarkdown.run(context, { paper_id, ...request }) as { markdown: string, next_offset: number | null, total_chars: number }
  const rowsOf = async (paper_id: string) =>
    await db.selectFrom('markdown').select(['start', 'characters', 'markdown']).where('paper_id', '=', paper_id).orderBy('start').execute()
  const divided = { paper_id: paperOf('Divided'), markdown }
  await saveMarkdown(db, divided, await divideText(markdown))

  await t.test('is stored in parts', async t => {
    const rows = await rowsOf(divided.paper_id)
    t.ok(rows.length > 10 && rows.every(row => row.markdown.length <= 100_000))
    t.equal(rows.map(row => row.markdown).join(''), markdown)
    t.strictSame(rows.map(({ characters }) => characters), [markdown.length, ...rows.slice(1).map(() => null)])
  })

  await t.test('is read whole, or from its beginning', async t => {
    t.equal((await read(divided.paper_id)).markdown, markdown)
    const beginning = await paperMarkdown.run({ ...context, maxCharacters: 250_000 }, { paper_id: divided.paper_id })
    t.ok(markdown.startsWith(beginning.markdown!))
    t.ok(beginning.markdown!.length >= 250_000 && beginning.markdown!.length <= 350_000, `${beginning.markdown!.length} characters`)
  })

  await t.test('is read whole or in long parts by several statements, between which others use the database', async t => {
    const lengths: number[] = []
    const watched = db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult ({ result }) {
        lengths.push(result.rows.reduce((sum, { markdown }) => sum + (typeof markdown === 'string' ? markdown.length : 0), 0))
        return result
      }
    })
    const readWatched = async (request: object = {}) =>
      (await paperMarkdown.run({ ...context, db: watched, sharedDb: watched }, { paper_id: divided.paper_id, ...request })).markdown!
    t.equal(await readWatched(), markdown)
    const part = await readWatched({ offset: 0, max_chars: 1_000_000 })
    t.ok(part.length > 990_000 && markdown.startsWith(part))
    const rest = await readWatched({ offset: part.length, max_chars: 1_000_000 })
    t.equal(part + rest, markdown)
    t.ok(Math.max(...lengths) <= 600_000, `a statement returned ${Math.max(...lengths)} characters`)
  })

  await t.test('is read whole at most 12 times at a time by an account', async t => {
    let release = () => {}
    const held = context.sharedWork.textReads.run('', async () => await new Promise<void>(resolve => { release = resolve }))
    let refused = 0
    const reads = Promise.allSettled(Array.from({ length: 14 }, async () => await read(divided.paper_id).catch(error => {
      refused++
      throw error
    })))
    await until(async () => refused >= 2)
    release()
    await held
    const results = await reads
    const rejected = results.filter(({ status }) => status === 'rejected')
    t.match(rejected, Array(2).fill({ reason: { code: 'rate_limited', message: /12 long texts in progress/ } }))
    t.equal(rejected.length, 2)
    t.equal((await read(divided.paper_id)).markdown, markdown)
  })

  await t.test('is read in parts, of which the database returns little more', async t => {
    let returned = 0
    const counting = db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult ({ result }) {
        for (const { markdown } of result.rows) if (typeof markdown === 'string') returned += markdown.length
        return result
      }
    })
    const offset = markdown.length - 50_000
    const part = await paperMarkdown.run({ ...context, db: counting }, { paper_id: divided.paper_id, offset, max_chars: 1000 })
    t.equal(part.total_chars, markdown.length)
    t.equal(part.markdown, markdown.slice(part.offset, part.offset! + part.markdown!.length))
    t.ok(returned <= 300_000, `${returned} of ${markdown.length} characters`)
    const texts: string[] = []
    for (let next: number | null = 0; next !== null;) {
      const { markdown: text, next_offset } = await read(divided.paper_id, { offset: next, max_chars: 350_000, outline: false })
      texts.push(text)
      next = next_offset
    }
    t.equal(texts.join(''), markdown)
  })

  await t.test('that an earlier version stored as a whole is divided when a part is first read', async t => {
    const paper_id = paperOf('Stored as a whole')
    await saveMarkdown(db, { paper_id, markdown })
    t.equal((await rowsOf(paper_id)).length, 1)
    t.equal((await read(paper_id)).markdown, markdown)
    const request = { offset: 600_000, max_chars: 5000 }
    const withoutIds = ({ markdown, ...part }: Awaited<ReturnType<typeof read>>) =>
      ({ ...part, markdown, paper_id: '', url: '', begin_mark: '', end_mark: '' })
    const expected = withoutIds(await read(divided.paper_id, request))
    const concurrent = await Promise.all([read(paper_id, request), read(paper_id, request)])
    for (const part of [...concurrent, await read(paper_id, request)]) t.strictSame(withoutIds(part), expected)
    t.strictSame(await rowsOf(paper_id), await rowsOf(divided.paper_id))
    t.equal((await read(paper_id)).markdown, markdown)
  })

  await t.test('that is replaced while it is read fails, and leaves no part behind', async t => {
    const stored = (await findText(context, divided.paper_id))!
    const opened = await openText(context, stored)
    await new Promise(resolve => { setTimeout(resolve, 5) })
    await saveMarkdown(db, { ...divided, markdown: '# Short' }, await divideText('# Short'))
    await t.rejects(opened.read(600_000, 600_010), { code: 'unavailable', message: /converted again/ })
    await t.rejects(readText(context, stored), { code: 'unavailable' })
    t.equal((await rowsOf(divided.paper_id)).length, 1)
    t.match(await read(divided.paper_id, { offset: 0 }), { markdown: '# Short', total_chars: 7, next_offset: null })
  })
})
