import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { packageRoot } from '../../src/settings/version.js'
import { makeTemplate, template, testDatabaseUrl } from './database.js'

/** A made-up source, as the one file that a source costs. It asks its address for titles. */
const sourceFile = `
export const madeUp = {
  name: 'made_up',
  title: 'Made Up',
  covers: 'Papers that nobody wrote.',
  queryHelp: 'Any word.',
  standing: 2,
  settings: {
    url: { name: 'MADE_UP_URL', default: 'https://api.made-up.example', description: 'Address of Made Up.' },
    key: { name: 'MADE_UP_KEY', description: 'Your key of Made Up.' }
  },
  group: 'made_up',
  intervalMs: 0,
  buildQuery: ({ positive_keywords }) => positive_keywords.join(' '),
  checkQuery: () => null,
  async * search ({ fetch, baseUrl }) {
    const { bytes } = await fetch(new URL(baseUrl + '/titles'))
    const parsed = JSON.parse(String(bytes)).map((title, at) => ({
      place: at + 1,
      record: { title, abstract: null, authors: [], published_date: null, url: null, pdf_url: null, doi: null, venue_name: null, external_ids: {}, source: { name: 'made_up' }, source_paper_id: title, metadata: {} }
    }))
    yield { parsed, cursor: null }
  }
}
`

/** A made-up citation format, which writes the title alone. */
const citationFile = `
export const titles = { name: 'titles', title: 'Titles', readBy: 'nobody', type: 'text/x-titles; charset=utf-8', extension: 'titles', write: ({ title }) => title }
`

/** Rows, each placed before a text of a compiled table. */
const rows = [
  { file: 'sources/index.js', before: '/** The sources of papers. */', row: 'import { madeUp } from \'./made-up.js\'\n' },
  { file: 'sources/index.js', before: 'journalFeed]', row: 'madeUp, ' },
  { file: 'papers/citations/formats.js', before: '/** Every format of references.', row: 'import { titles } from \'./titles.js\'\n' },
  { file: 'papers/citations/formats.js', before: 'text]', row: 'titles, ' },
  {
    file: 'settings/table.js',
    before: '    LOG_LEVEL:',
    row: "    MADE_UP_LIMIT: setting(Type.Integer({ minimum: 1, maximum: 9, default: 4, description: 'Made-up things at once.' }), { " +
      "feature: { name: 'Made-up limit' }, show: value => value + ' at once' }),\n"
  }
]

/**
 * A copy of the compiled program to which one file and one row add a source, another a citation format, and one row a setting. It lies in
 * dist, so that it finds the installed packages.
 * @returns its folder, which is gone when the test ends
 */
export async function extendedInstallation (t: Test): Promise<string> {
  if (testDatabaseUrl === undefined) await makeTemplate()
  const at = (path: string) => fileURLToPath(new URL(path, packageRoot))
  const root = mkdtempSync(at('dist/extended-'))
  t.teardown(() => rmSync(root, { recursive: true, force: true }))
  for (const folder of ['db', 'docs', 'schemas', 'src', 'test/support']) {
    cpSync(at(`dist/${folder}`), join(root, 'dist', folder), { recursive: true, filter: path => !path.endsWith('.map') })
  }
  if (testDatabaseUrl === undefined) cpSync(template, join(root, 'dist', basename(template)), { recursive: true })
  cpSync(at('docs'), join(root, 'docs'), { recursive: true, filter: path => !path.endsWith('images') })
  for (const name of ['package.json', 'package-lock.json', 'src']) symlinkSync(at(name), join(root, name))

  const program = (path: string) => join(root, 'dist/src', path)
  writeFileSync(program('sources/made-up.js'), sourceFile)
  writeFileSync(program('papers/citations/titles.js'), citationFile)
  for (const { file, before, row } of rows) {
    const code = readFileSync(program(file), 'utf8')
    if (!code.includes(before)) throw new Error(`${file} has no ${before}`)
    writeFileSync(program(file), code.replace(before, `${row}${before}`))
  }
  return root
}

/** Answers the made-up source with these titles. */
export async function madeUpStandIn (t: Test, titles: readonly string[]): Promise<string> {
  const server = createServer((_request, response) => response.end(JSON.stringify(titles))).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
