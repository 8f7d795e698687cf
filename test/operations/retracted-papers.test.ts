import t from 'tap'
import { saveMarkdown } from '../../db/queries/markdown.js'
import { alertCreate } from '../../src/operations/alerts/alert-create.js'
import { alertSend } from '../../src/operations/alerts/alert-send.js'
import { feedAtomUrl } from '../../src/operations/feed/feed-atom-url.js'
import { feedBrief } from '../../src/operations/feed/feed-brief.js'
import { feedExport } from '../../src/operations/feed/feed-export.js'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { shareLinkCreate } from '../../src/operations/sharing/share-link-create.js'
import { paperCite } from '../../src/operations/papers/paper-cite.js'
import { publicMetadata, titleWithWarning, withNotices } from '../../src/papers/notices.js'
import { citationFormats } from '../../src/papers/citations/formats.js'
import { decodeMail, mailServer } from '../support/mail-server.js'
import { callTool } from '../support/mcp.js'
import { json, standIn } from '../support/stand-ins/server.js'
import { addPapers, projectWith, testService } from '../support/service.js'

const label = 'Reported as retracted'

t.test('a retraction that only the record of a paper states', async t => {
  const [mails, receiver] = [await mailServer(t), await standIn(t, () => json({}))]
  const service = await testService(t, { SMTP_URL: mails.url, MAIL_FROM: 'litfeed@example.org', PRIVATE_ORIGINS: receiver.url })
  const user = await service.user()
  const { context } = user
  const papers = [
    { title: 'Cold fusion in water', abstract: 'It works.', doi: '10.5555/cold', metadata: { retracted: true } },
    { title: 'Warm fusion in plasma', abstract: 'It may work.', doi: '10.5555/warm' }
  ]
  const project_id = await projectWith(user, [])
  const alerts = await Promise.all([
    alertCreate.run(context, { project_id, kind: 'email', target: 'colleague@example.org' }),
    alertCreate.run(context, { project_id, kind: 'webhook', target: `${receiver.url}/hook`, frequency: 'immediate' })
  ])
  await addPapers(context, project_id, papers)
  const { items } = await feedGet.run(context, { project_id })
  const [cold, warm] = papers.map(({ title }) => items.find(({ paper_title }) => paper_title === title)!.paper)
  const call = async (tool: string, given: object) => (await callTool(service, user.key, tool, given)).structuredContent

  await t.test('is in the text and metadata of fetch, and in the titles of search', async t => {
    t.match(await call('fetch', { id: cold!.id }), { title: cold!.title, metadata: { notices: `${label}.` } })
    t.match((await call('fetch', { id: cold!.id })).text, new RegExp(`^${label}\\.\\n\\n\\[\\S+\\] Quoted`))
    t.match(await call('fetch', { id: warm!.id }), { text: /^\[/, metadata: { notices: null } })
    const titles = (await call('search', { query: 'fusion' })).results.map(({ title }: { title: string }) => title)
    t.strictSame(titles.sort(), [`${label}: ${cold!.title}`, warm!.title])
  })

  await t.test('is in brief items', async t => {
    for (const { items } of [await call('feed_get', { project_id, detail: 'brief' }), await feedBrief.run(context, { project_id })]) {
      const metadataOf = (title: string) => items.find((each: { paper_title: string }) => each.paper_title === title).paper.metadata
      t.strictSame(metadataOf(cold!.title), { retracted: true })
      t.equal(metadataOf(warm!.title), undefined)
    }
  })

  await t.test('is before the full text, and in parts of it', async t => {
    for (const { id } of [cold!, warm!]) await saveMarkdown(context.db, { paper_id: id, markdown: '# Fusion\n\nIt works.' })
    t.equal((await call('paper_markdown', { paper_id: cold!.id })).markdown, `> **${label}.**\n\n# Fusion\n\nIt works.`)
    t.equal((await call('paper_markdown', { paper_id: warm!.id })).markdown, '# Fusion\n\nIt works.')
    t.match(await call('paper_markdown', { paper_id: cold!.id, offset: 0 }), { notices: `${label}.`, markdown: /^# Fusion/, offset: 0 })
    t.match(await call('paper_markdown', { paper_id: warm!.id, offset: 0 }), { notices: null })
  })

  await t.test('is in references of every format and in tables', async t => {
    for (const { name } of citationFormats) {
      t.match((await paperCite.run(context, { paper_id: cold!.id, format: name })).citation, `${label}.`, name)
      t.notMatch((await paperCite.run(context, { paper_id: warm!.id, format: name })).citation, label, name)
    }
    const { parts } = await feedExport.run(context, { project_id, format: 'csv' })
    let csv = ''
    for await (const part of parts) csv += part
    t.equal(csv.split(label).length, 2)
  })

  await t.test('is in the Atom feed of the project, before the summary', async t => {
    const { url } = await feedAtomUrl.run(context, { project_id })
    const { body } = await service.app.inject({ url: url.replace(/^https?:\/\/[^/]+/, '') })
    t.match(body, `<summary type="text">${label}. It works.</summary>`)
    t.match(body, '<summary type="text">It may work.</summary>')
  })

  await t.test('is in digests and webhooks for any recipient', async t => {
    for (const { id } of alerts) await alertSend.run(service.context, { alert_id: id })
    const mail = decodeMail(mails.mails[0]!)
    t.match(mail, new RegExp(`Cold fusion in water\\s+${label}\\.`))
    t.match(mail, `<strong>${label}.</strong>`)
    t.equal(mail.split(label).length, 3, 'once in each form')
    const { data } = JSON.parse(receiver.requests[0]!.body.toString()) as { data: { items: Array<{ paper: { metadata: object } }> } }
    t.strictSame(data.items.map(({ paper }) => 'retracted' in paper.metadata).sort(), [false, true])
  })

  await t.test('is what a share link states', async t => {
    const { atom_url } = await shareLinkCreate.run(context, { project_id })
    t.match((await service.app.inject({ url: atom_url.replace(/^https?:\/\/[^/]+/, '') })).body, `>${label}.<`)
  })
})

t.test('a notice that was withdrawn overrules the record, and a correction is no warning', async t => {
  const stated = (kind: 'retraction' | 'correction', withdrawn_at: string | null) => ({
    id: 'x', source: 'pubmed', kind, date: null, doi: null, pmid: null, url: null, found_at: '2026-01-01T00:00:00Z', withdrawn_at
  })
  const withdrawn = [stated('retraction', '2026-02-01T00:00:00Z')]
  const [current, corrected] = [[stated('retraction', null)], [stated('correction', null)]]
  t.strictSame(publicMetadata({ retracted: true, volume: '1' }, withdrawn), { volume: '1' })
  t.strictSame(publicMetadata({ retracted: true }, []), { retracted: true })
  t.strictSame(publicMetadata({}, current), {}, 'who did not choose the paper learns of no notice')
  t.equal(titleWithWarning('Title', withNotices({ retracted: true }, withdrawn)), 'Title')
  t.equal(titleWithWarning('Title', withNotices({}, current)), 'Retracted: Title')
  t.equal(titleWithWarning('Title', withNotices({}, corrected)), 'Title')
})
