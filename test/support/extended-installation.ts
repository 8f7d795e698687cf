import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { packageRoot } from '../../src/settings/version.js'
import { makeTemplate, template, testDatabaseUrl } from './database.js'

/** A made-up source, as the one file that a source costs. It asks its address for titles, and states two notices on every paper. */
const sourceFile = `
import { readItemRecords } from './requests/read-answer.js'

const itemParser = {
  name: 'made_up',
  parse: ({ title }) => ({
    place: title,
    record: { title, abstract: null, authors: [], published_date: null, url: null, pdf_url: null, doi: null, venue_name: null, external_ids: {}, source: { name: 'made_up' }, source_paper_id: title, metadata: {} }
  })
}

export const madeUp = {
  name: 'made_up',
  title: 'Made Up',
  covers: 'Papers that nobody wrote.',
  queryHelp: 'Any word.',
  precedence: 2,
  settings: {
    url: { name: 'MADE_UP_URL', default: 'https://api.made-up.example', description: 'Address of Made Up.' },
    key: { name: 'MADE_UP_KEY', description: 'Your key of Made Up.' }
  },
  group: 'made_up',
  intervalMs: 0,
  buildQuery: ({ positive_keywords }) => positive_keywords.join(' '),
  checkQuery: () => null,
  followQueries: {
    byId: { author: { orcid: id => 'person ' + id } },
    byName: { author: (name, readings) => 'by ' + readings[0], journal: name => 'in ' + name }
  },
  notices: {
    identifiers: ['doi'],
    batchSize: 10,
    statedAs: [{ name: 'made_up', title: 'Made Up', precedence: 1, unconfirmedKinds: ['retraction'] }],
    check: async (_context, papers) => papers.map(({ id }) => ({
      id,
      notices: ['correction', 'retraction'].map(kind => ({ source: 'made_up', kind, reference: '', date: null, doi: null, pmid: null, url: null }))
    }))
  },
  itemParser,
  async * search (context) {
    const response = await context.fetch(new URL(context.baseUrl + '/titles'))
    const { items } = await readItemRecords(response, 'Made Up', { list: ['titles'], parser: itemParser }, context)
    yield { parsed: items, cursor: null }
  }
}
`

/** A made-up file format, of titles in lines below the word NOBODY. */
const formatFile = `
import { linesOf } from './lines.js'

export const nobody = {
  name: 'nobody',
  title: 'Nobody',
  extensions: ['.nobody'],
  matches: head => head.startsWith('NOBODY'),
  async * read (text) {
    let place = 0
    for await (const title of linesOf(text)) {
      if (title.trim() !== '' && title !== 'NOBODY') yield { place: ++place, record: { title, abstract: null, authors: [], published_date: null, url: null, pdf_url: null, doi: null, venue_name: null, external_ids: {}, source: { name: 'nobody' }, source_paper_id: null, metadata: {} } }
    }
  }
}
`

/** A made-up citation format, which writes the title alone. */
const citationFile = `
export const titles = { name: 'titles', title: 'Titles', readBy: 'nobody', type: 'text/x-titles; charset=utf-8', extension: 'titles', write: ({ title }) => title }
`

/** A made-up operation, which counts the papers of a feed. A row makes it a tool, another a REST route. */
const operationFile = `
import { Type } from 'typebox'
import { findProject } from '../../../db/queries/projects.js'
import { ProjectInput } from '../../../schemas/project.js'
import { ProjectNotFound } from '../../errors/operation-errors.js'
import { operation } from '../operation.js'

export const feedCount = operation({
  name: 'feed_count',
  title: 'Count the papers of a feed',
  description: 'Returns the number of papers in a project\\'s feed. Example: {"project_id": "0b54c2ab-…"}',
  input: ProjectInput,
  output: Type.Object({ project_id: Type.String(), papers: Type.Integer({ description: 'Papers in the feed.' }) }),
  scope: 'read',
  async handler ({ db, account }, { project_id }) {
    const project = await findProject(db, account.id, project_id)
    if (project === undefined) throw new ProjectNotFound(project_id)
    return { project_id, papers: project.papers }
  }
})
`

/** A made-up page, which shows that number. */
const pageFile = `
import { jsxs } from 'preact/jsx-runtime'
import { feedCount } from '../../../operations/feed/feed-count.js'
import { accountPage } from '../page.js'

export const feedCountPage = accountPage({
  url: '/projects/:project_id/count',
  operations: [feedCount],
  query: feedCount.input,
  async show (context, query) {
    const { papers } = await feedCount.run(context, query)
    return { title: 'Count', content: jsxs('p', { children: ['Papers counted: ', papers] }) }
  }
})
`

/** Files, each with what it adds. */
const files = {
  'sources/made-up.js': sourceFile,
  'sources/formats/nobody.js': formatFile,
  'papers/citations/titles.js': citationFile,
  'operations/feed/feed-count.js': operationFile,
  'adapters/web/pages/feed-count.js': pageFile
}

const countImport = 'import { feedCount } from \'../../operations/feed/feed-count.js\'\n'

/** Rows, each placed before a text of a compiled table. */
const rows = [
  { file: 'sources/index.js', before: '/** The sources of papers. */', row: 'import { madeUp } from \'./made-up.js\'\n' },
  { file: 'sources/index.js', before: 'journalFeed]', row: 'madeUp, ' },
  { file: 'sources/formats/index.js', before: '/** Every format, in', row: 'import { nobody } from \'./nobody.js\'\n' },
  { file: 'sources/formats/index.js', before: 'bibtex]', row: 'nobody, ' },
  { file: 'papers/citations/formats.js', before: '/** Every format of references.', row: 'import { titles } from \'./titles.js\'\n' },
  { file: 'papers/citations/formats.js', before: 'text]', row: 'titles, ' },
  { file: 'adapters/mcp/tools.js', before: 'const readOnly', row: countImport },
  {
    file: 'adapters/mcp/tools.js',
    before: '    { operation: search,',
    row: '    { operation: feedCount, annotations: readOnly, group: \'extension\' },\n'
  },
  { file: 'adapters/rest/routes.js', before: '/** Every REST route.', row: countImport },
  {
    file: 'adapters/rest/routes.js',
    before: '    { method: \'GET\', url: \'/api/search\'',
    row: '    { method: \'GET\', url: \'/api/projects/:project_id/count\', operation: feedCount, access: \'reader\' },\n'
  },
  { file: 'adapters/web/pages.js', before: '/** Every page. */', row: 'import { feedCountPage } from \'./pages/feed-count.js\'\n' },
  { file: 'adapters/web/pages.js', before: '    welcomePage,', row: '    feedCountPage,\n' },
  {
    file: 'settings/table.js',
    before: '    LOG_LEVEL:',
    row: "    MADE_UP_LIMIT: setting(Type.Integer({ minimum: 1, maximum: 9, default: 4, description: 'Made-up things at once.' }), { " +
      "feature: { name: 'Made-up limit' }, show: value => value + ' at once' }),\n"
  }
]

/**
 * A copy of the compiled program with a made-up source, file format, citation format and page, each of one file and one row, an
 * operation that a row makes a tool and another a REST route, and a setting of one row. It lies in dist, so that it finds the installed
 * packages.
 * @returns its folder, which is gone when the test ends
 */
export async function extendedInstallation (t: Test): Promise<string> {
  if (testDatabaseUrl === undefined) await makeTemplate()
  const at = (path: string) => fileURLToPath(new URL(path, packageRoot))
  const root = mkdtempSync(at('dist/extended-'))
  t.teardown(() => rmSync(root, { recursive: true, force: true }))
  for (const folder of ['assets', 'db', 'docs', 'schemas', 'src', 'test/support']) {
    cpSync(at(`dist/${folder}`), join(root, 'dist', folder), { recursive: true, filter: path => !path.endsWith('.map') })
  }
  if (testDatabaseUrl === undefined) cpSync(template, join(root, 'dist', basename(template)), { recursive: true })
  cpSync(at('docs'), join(root, 'docs'), { recursive: true, filter: path => !path.endsWith('images') })
  for (const name of ['package.json', 'package-lock.json', 'src']) symlinkSync(at(name), join(root, name))

  const program = (path: string) => join(root, 'dist/src', path)
  for (const [path, code] of Object.entries(files)) writeFileSync(program(path), code)
  for (const { file, before, row } of rows) {
    const code = readFileSync(program(file), 'utf8')
    if (!code.includes(before)) throw new Error(`${file} has no ${before}`)
    writeFileSync(program(file), code.replace(before, `${row}${before}`))
  }
  return root
}

/** Answers the made-up source with these titles. */
export async function madeUpStandIn (t: Test, titles: readonly string[]): Promise<string> {
  // Long enough that a thread parses it.
  const answer = JSON.stringify({ titles: titles.map(title => ({ title, text: 'x'.repeat(50_000) })) })
  const server = createServer((_request, response) => response.end(answer)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
