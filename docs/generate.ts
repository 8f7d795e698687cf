import { readFileSync, writeFileSync } from 'node:fs'
import { errorStatus } from '../schemas/errors.js'
import { tools } from '../src/adapters/mcp/tools.js'
import { routes } from '../src/adapters/rest/routes.js'
import { allSettings } from '../src/composition/settings.js'
import { formats } from '../src/sources/formats/index.js'
import { sources } from '../src/sources/index.js'
import { packageRoot } from '../src/settings/version.js'
import { shippedPackages } from './licenses.js'

/* make docs: writes .env.example and the reference tables of the documentation from the tables that the service runs on. */

const settings = Object.entries(allSettings).map(([name, { schema, secret }]) => {
  const { description, default: value, enum: words } = schema as { description: string, default?: unknown, enum?: string[] }
  return { name, secret, description, value: value === undefined ? undefined : String(value), words }
})

const environmentExample = [
  '# Every setting of Litfeed with its default. Copy this file to .env in the working directory of litfeed, or set the variables',
  '# in your unit or container file. The environment takes precedence over .env.',
  '# To read a secret from a file, set NAME_FILE=/path/to/file.',
  ...settings.flatMap(({ name, secret, description, value, words }) => [
    '',
    `# ${description}${words === undefined ? '' : ` One of ${words.join(', ')}.`}${secret ? ` Or ${name}_FILE.` : ''}`,
    `${value === undefined ? '#' : ''}${name}=${value ?? ''}`
  ]),
  ''
].join('\n')

const settingsTable = table(
  ['Setting', 'Default', 'Meaning'],
  settings.map(({ name, secret, description, value, words }) => [
    `\`${name}\`${secret ? `, \`${name}_FILE\`` : ''}`,
    value === undefined || value === '' ? '' : `\`${value}\``,
    description + (words === undefined ? '' : ` One of ${words.map(word => `\`${word}\``).join(', ')}.`)
  ])
)

const toolsTable = table(
  ['Tool', 'Dotted name', 'Key', 'Description'],
  tools.map(({ operation: { name, description, scope }, dottedName }) =>
    [`\`${name}\``, dottedName === undefined ? '' : `\`${dottedName}\``, `\`${scope}\``, String(description).split(/(?<=\.) /)[0]!])
)

const accessTitles = {
  anyone: 'anyone',
  session: 'access token',
  browser: 'access token or browser session',
  administrator: 'access token of an administrator',
  reader: 'access token'
} as const
const keyTitles = { read: 'access token or any key', act: 'access token or `act` key' } as const
const routesTable = table(
  ['Method', 'Path', 'Description', 'Access'],
  routes.map(({ method, url, operation, access }) => [
    method,
    `\`${url.replace(/:(\w+)/g, '{$1}')}\``,
    String(operation.title),
    access === 'reader' && operation.scope !== undefined ? keyTitles[operation.scope] : accessTitles[access]
  ])
)

const errorsTable = table(['Code', 'HTTP status'], Object.entries(errorStatus).map(([code, status]) => [`\`${code}\``, String(status)]))

const sourcesTable = table(['Name', 'Source', 'Query'], sources.map(({ name, title, queryHelp }) => [`\`${name}\``, title, queryHelp]))

const formatsTable = table(
  ['Format', 'Name', 'Usual extensions'],
  formats.map(({ name, title, otherTitles = [], extensions }) => [[title, ...otherTitles].join(', '), `\`${name}\``, extensions.map(each => `\`${each}\``).join(', ')])
)

const rows = new Set(shippedPackages().map(({ name, version, license }) => [name, version, license].join(' ')))
const licensesTable = table(
  ['Package', 'Version', 'License'],
  [...rows].sort().map(row => {
    const [name, version, ...license] = row.split(' ')
    return [name!, version!, license.join(' ')]
  })
)

writeFileSync(new URL('.env.example', packageRoot), environmentExample)
fill('docs/self-hosting.md', { settings: settingsTable })
fill('docs/licenses.md', { packages: licensesTable })
fill('docs/feeds.md', { sources: sourcesTable, formats: formatsTable })
fill('docs/api.md', { tools: toolsTable, routes: routesTable, errors: errorsTable })

/** Replaces the text between the markers of each part. */
function fill (path: string, parts: Record<string, string>): void {
  const file = new URL(path, packageRoot)
  let text = readFileSync(file, 'utf8')
  for (const [name, part] of Object.entries(parts)) {
    const marked = new RegExp(`(<!-- generated: ${name} -->\n)[\\s\\S]*?(<!-- end -->)`)
    if (!marked.test(text)) throw new Error(`${path} has no part between <!-- generated: ${name} --> and <!-- end -->.`)
    text = text.replace(marked, (_all, begin: string, end: string) => `${begin}${part}\n${end}`)
  }
  writeFileSync(file, text)
}

function table (headings: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(headings), line(headings.map(() => '---')), ...rows.map(line)].join('\n')
}
