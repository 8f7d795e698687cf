import t from 'tap'
import { maxSources } from '../../schemas/project.js'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { libraryImportRun } from '../../src/operations/papers/library-import-run.js'
import { libraryImportUndo } from '../../src/operations/papers/library-import-undo.js'
import { libraryImports } from '../../src/operations/papers/library-imports.js'
import { projectsGet } from '../../src/operations/projects/projects-get.js'
import { projectUpdate } from '../../src/operations/projects/project-update.js'
import { staysResponsive } from '../support/event-loop.js'
import { runNextImport, sendLibrary } from '../support/library-imports.js'
import { projectWith, testService, type TestService } from '../support/service.js'

const opml = (...outlines: string[]) =>
  `<?xml version="1.0"?><opml version="2.0"><head><title>Mine</title></head><body>${outlines.join('\n')}</body></opml>`
const outline = (address: string, text = 'Journal') => `<outline type="rss" text="${text}" xmlUrl="${address}"/>`

/** A database for an attempt that ends after it added feeds, before it notes that. */
const killedBeforeNoting = (db: TestService['context']['db']) =>
  new Proxy(db, {
    get (target, name) {
      if (name === 'updateTable') {
        return (table: never) => {
          if (table === 'library_import') throw new Error('killed')
          return target.updateTable(table)
        }
      }
      const value = Reflect.get(target, name) as unknown
      return typeof value === 'function' ? value.bind(target) : value
    }
  })

t.test('an OPML file', async t => {
  const service = await testService(t)
  const user = await service.user()
  const own = { name: 'feed', query: 'https://journal.example.org/own.xml' }
  const project_id = await projectWith(user, [], { sources: [own] })
  const upload = async (content: string) => {
    const { import_id } = await sendLibrary(user, project_id, content, { name: 'feeds.opml' })
    return { import_id, result: await runNextImport(service) }
  }
  const addresses = async () => (await projectsGet.run(user.context, { project_id })).sources.map(({ query }) => query)

  let import_id: string
  await t.test('adds each journal feed once, also from folders', async t => {
    const answer = await upload(opml(
      outline('https://one.example.org/rss?a=1&amp;b=2'),
      `<outline text="Folder">${outline('https://two.example.org/atom')}${outline('HTTPS://One.example.org/rss?a=1&amp;b=2')}</outline>`,
      outline(own.query)
    ))
    import_id = answer.import_id
    t.match(answer.result, { read: 4, created: 2, updated: 0, unchanged: 2, rejected: { length: 0 } })
    t.strictSame(await addresses(), [own.query, 'https://one.example.org/rss?a=1&b=2', 'https://two.example.org/atom'])
    t.equal((await projectsGet.run(user.context, { project_id })).source_states.length, 3, 'which are due')
    t.match((await libraryImports.run(user.context, { project_id })).items, [{ feeds: 2, result: { created: 2 } }])
    t.match((await feedGet.run(user.context, { project_id })), { total: 0 })
  })

  await t.test('undo removes its journal feeds only', async t => {
    t.match(await libraryImportUndo.run(user.context, { project_id, import_id }), { removed: 0, feeds_removed: 2 })
    t.strictSame(await addresses(), [own.query])
  })

  await t.test('rejects the vote option', async t => {
    const queued = await sendLibrary(user, project_id, opml(outline('https://one.example.org/rss')), { vote: 'upvote' })
    t.match(await runNextImport(service), { created: 1 })
    t.match((await libraryImports.run(user.context, { project_id })).items[0], { id: queued.import_id, learned: false, feeds: 1 })
    t.equal((await projectsGet.run(user.context, { project_id })).learning.pending, false, 'the feed is not rescored')
    t.match(await libraryImportUndo.run(user.context, { project_id, import_id: queued.import_id }), { feeds_removed: 1 })
  })

  await t.test('counts feeds once and can be undone after a crash', async t => {
    const { db } = service.context
    const content = opml(outline('https://one.example.org/rss'), outline(own.query), outline('http://localhost/rss'))
    for (const isNoted of [false, true]) {
      const { import_id } = await sendLibrary(user, project_id, content)
      await t.rejects(libraryImportRun.run({ ...user.context, db: killedBeforeNoting(db) }, { import_id }), /killed/)
      t.strictSame(await addresses(), [own.query, 'https://one.example.org/rss'], 'the feed was added')
      const rejected = [{ record: 3, reason: 'noted' }]
      const noted = { read: 3, created: 1, updated: 0, unchanged: 1, rejected_count: 1, rejected }
      if (isNoted) await db.updateTable('library_import').set({ counts: JSON.stringify(noted) }).where('id', '=', import_id).execute()
      t.match(await runNextImport(service), { read: 3, created: 1, unchanged: 1, rejected: { length: 1 } })
      t.match((await libraryImports.run(user.context, { project_id })).items[0], { feeds: 1, result: { created: 1, rejected_count: 1 } })
      t.match(await libraryImportUndo.run(user.context, { project_id, import_id }), { feeds_removed: 1 })
      t.strictSame(await addresses(), [own.query])
    }
  })

  await t.test('keeps an equal custom query of another source', async t => {
    const query = 'https://three.example.org/rss'
    const { import_id } = await upload(opml(outline(query)))
    const sources = [own, { name: 'europepmc', query }, { name: 'feed', query }]
    await projectUpdate.run(user.context, { project_id, sources })
    t.match(await libraryImportUndo.run(user.context, { project_id, import_id }), { feeds_removed: 1 })
    t.match((await projectsGet.run(user.context, { project_id })).sources, sources.slice(0, 2))
    await projectUpdate.run(user.context, { project_id, sources: [own] })
  })

  await t.test('rejects any file content with a short reason', async t => {
    const { result } = await upload(opml(outline(`http://${'a.'.repeat(900)}localhost/rss`), outline('', 'Note '.repeat(1000))))
    const { rejected } = result as { rejected: Array<{ reason: string }> }
    t.equal(rejected.length, 2)
    for (const { reason } of rejected) t.ok(reason.length <= 300, reason)
  })

  await t.test('rejects private addresses and other outlines with the reason', async t => {
    const { result } = await upload(
      opml(
        outline('http://192.168.1.1/feed', 'Router'),
        outline('http://localhost:9/feed'),
        outline('http://[::1]/feed'),
        outline('file:///etc/passwd'),
        outline('javascript:alert(1)'),
        '<outline text="A note"/>',
        outline(`https://long.example.org/${'x'.repeat(3000)}`),
        outline('https://right.example.org/rss')
      )
    )
    t.match(result, {
      read: 8,
      created: 1,
      rejected: [
        { record: 1, reason: /not on the public Internet/ },
        { record: 2, reason: /not on the public Internet/ },
        { record: 3, reason: /not on the public Internet/ },
        { record: 4, reason: /http/ },
        { record: 5, reason: /http/ },
        { record: 6, reason: /A note: .*xmlUrl/ },
        { record: 7, reason: /2,?000/ }
      ]
    })
    t.strictSame(await addresses(), [own.query, 'https://right.example.org/rss'])
  })

  await t.test('does not block the event loop, whatever its size', async t => {
    const attributes = Array.from({ length: 150_000 }, (_, at) => `a${at}="1"`).join(' ')
    const long = Array.from({ length: 2000 }, (_, at) => outline(`https://long.example.org/${at}/${'é/../'.repeat(390)}`))
    for (const content of [opml(`<outline ${attributes} xmlUrl="https://one.example.org/rss"/>`), opml(...long)]) {
      const send = async () => (await sendLibrary(user, project_id, content, { name: 'feeds.opml' })).import_id
      let import_id = await send()
      const undo = async () => { await libraryImportUndo.run(user.context, { project_id, import_id }) }
      const again = async () => {
        await undo()
        import_id = await send()
      }
      const result = await staysResponsive(t, 'an import', () => runNextImport(service), { maxMs: 100, again })
      t.match(result, { created: /\d/ })
      await undo()
    }
  })

  await t.test('stops at the maximum of sources, and at broken XML', async t => {
    const { result } = await upload(opml(...Array.from({ length: 60 }, (_, at) => outline(`https://many.example.org/${at}`))))
    t.match(result, { read: 60, created: maxSources - 2, rejected: { length: 1, 0: { record: 49 } } })
    t.match((result as { rejected: Array<{ reason: string }> }).rejected[0]!.reason, /50 sources, the maximum/)
    t.match((await upload(`<opml><body>${outline('https://many.example.org/1')}<outline`)).result, {
      unchanged: 1,
      rejected: [{ reason: /XML is broken/ }]
    })
    const many = Array.from({ length: 600 }, (_, at) => outline(`https://many.example.org/${at % 5}`))
    t.match((await upload(opml(...many))).result, {
      read: 500, unchanged: 500, rejected: [{ record: 501, reason: 'A file may have 500 feeds; the others were not read.' }]
    })
    t.match((await upload('<opml><body></body></opml>')).result, { read: 0, created: 0, rejected: { length: 0 } })
  })
})
