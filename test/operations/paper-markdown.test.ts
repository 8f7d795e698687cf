import t from 'tap'
import { sql } from 'kysely'
import { saveMarkdown } from '../../db/queries/markdown.js'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { jobGet } from '../../src/operations/jobs/job-get.js'
import { paperGet } from '../../src/operations/papers/paper-get.js'
import { paperMarkdown } from '../../src/operations/papers/paper-markdown.js'
import { projectWith, testService } from '../support/service.js'

t.test('paper_markdown', async t => {
  let time = new Date()
  const service = await testService(t, {}, () => time)
  const user = await service.user()
  const { context } = user
  const project_id = await projectWith(user, [{ title: 'With a PDF', pdf_url: 'https://example.org/a.pdf' }, { title: 'With nothing' }])
  const { items } = await feedGet.run(context, { project_id })
  const paperOf = (title: string) => items.find(({ paper_title }) => paper_title === title)!.paper.id

  t.test('a paper without a source of full text is unavailable, with exactly these fields', async t => {
    t.strictSame(await paperMarkdown.run(context, { paper_id: paperOf('With nothing') }), { status: 'unavailable', detail: 'Markdown source unavailable', code: 'markdown_source_unavailable' })
  })

  t.test('one with a source is queued once, however many ask at the same time', async t => {
    const answers = await Promise.all(Array.from({ length: 10 }, async () => await paperMarkdown.run(context, { paper_id: paperOf('With a PDF') })))
    const jobs = answers.map(answer => answer as { status: string, detail: string, code: string, job_id: string, created: boolean })
    t.equal(jobs.filter(({ created }) => created).length, 1)
    t.equal(new Set(jobs.map(({ job_id }) => job_id)).size, 1)
    t.strictSame(Object.keys(jobs[0]!).sort(), ['code', 'created', 'detail', 'job_id', 'status'])
    t.match(jobs[0], { status: 'queued', detail: 'Markdown queued', code: 'markdown_queued' })
    t.match(await jobGet.run(context, { job_id: jobs[0]!.job_id }), { state: 'waiting', task: 'convert-markdown', paper_id: paperOf('With a PDF') })
  })

  t.test('the job is seen by those who have the paper alone', async t => {
    const { job_id } = await paperMarkdown.run(context, { paper_id: paperOf('With a PDF') }) as { job_id: string }
    const stranger = await service.user()
    await t.rejects(jobGet.run(stranger.context, { job_id }), { code: 'job_not_found' })
  })

  t.test('a job that failed makes it unavailable until a day has passed', async t => {
    await sql`update job set state = 'failed', updated_at = now()`.execute(context.db)
    t.match(await paperMarkdown.run(context, { paper_id: paperOf('With a PDF') }), { status: 'unavailable' })
    time = new Date(time.getTime() + 25 * 60 * 60 * 1000)
    t.match(await paperMarkdown.run(context, { paper_id: paperOf('With a PDF') }), { status: 'queued', created: true })
  })

  t.test('a stored text is ready, and paper_get says so', async t => {
    const paper_id = paperOf('With a PDF')
    t.equal((await paperGet.run(context, { paper_id })).markdown_ready, false)
    await saveMarkdown(context.db, { paper_id, markdown: '# Text' })
    t.strictSame(await paperMarkdown.run(context, { paper_id }), { status: 'ready', paper_id, markdown: '# Text', mime_type: 'text/markdown', markdown_ready: true })
    t.equal((await paperGet.run(context, { paper_id })).markdown_ready, true)
  })
})
