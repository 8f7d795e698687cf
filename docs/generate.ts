import { readFileSync, writeFileSync } from 'node:fs'
import { errorStatus } from '../schemas/errors.js'
import { tools } from '../src/adapters/mcp/tools.js'
import { routes } from '../src/adapters/rest/routes.js'
import { allSettings } from '../src/composition/settings.js'
import { sources } from '../src/sources/index.js'
import { packageRoot } from '../src/settings/version.js'
import { shippedPackages } from './licences.js'

/* Writes the reference parts of the documentation from the tables that the service runs on, so that they cannot go stale. */

const settings = Object.entries(allSettings).map(([name, { schema, secret }]) => {
  const { description, default: value, enum: words } = schema as { description: string, default?: unknown, enum?: string[] }
  return { name, secret, description, value: value === undefined ? undefined : String(value), words }
})

const environmentExample = [
  '# Every setting of Litfeed with its default. Copy this file to .env in the directory that litfeed runs in, or set the variables',
  '# in your unit or container file; the environment takes precedence over .env.',
  '# A secret may come from a file instead: NAME_FILE=/path/to/file.',
  ...settings.flatMap(({ name, secret, description, value, words }) => [
    '',
    `# ${description}${words === undefined ? '' : ` One of ${words.join(', ')}.`}${secret ? ` Or ${name}_FILE.` : ''}`,
    `${value === undefined ? '#' : ''}${name}=${value ?? ''}`
  ]),
  ''
].join('\n')

const settingsTable = table(['Setting', 'Default', 'Meaning'], settings.map(({ name, secret, description, value, words }) =>
  [`\`${name}\`${secret ? `, \`${name}_FILE\`` : ''}`, value === undefined || value === '' ? '' : `\`${value}\``, description + (words === undefined ? '' : ` One of ${words.map(word => `\`${word}\``).join(', ')}.`)]))

const toolsTable = table(['Tool', 'Also', 'What it does'], tools.map(({ operation: { name, description }, alias }) =>
  [`\`${name}\``, `\`${alias}\``, String(description).split(/(?<=\.) /)[0]!]))

const who = { anyone: 'anyone', session: 'access token', administrator: 'an administrator\'s access token', reader: 'access token, or MCP key to read' } as const
const routesTable = table(['Method', 'Path', 'What it does', 'Who'], routes.map(({ method, url, operation, access }) =>
  [method, `\`${url.replace(/:(\w+)/g, '{$1}')}\``, String(operation.title), access === 'reader' && method !== 'GET' ? who.session : who[access]]))

const errorsTable = table(['Code', 'HTTP status'], Object.entries(errorStatus).map(([code, status]) => [`\`${code}\``, String(status)]))

const sourcesTable = table(['Name', 'Source', 'What a query is'], sources.map(({ name, title, queryHelp }) => [`\`${name}\``, title, queryHelp]))

const rows = new Set(shippedPackages().map(({ name, version, licence }) => [name, version, licence].join(' ')))
const licencesTable = table(['Package', 'Version', 'Licence'], [...rows].sort().map(row => { const [name, version, ...licence] = row.split(' '); return [name!, version!, licence.join(' ')] }))

writeFileSync(new URL('.env.example', packageRoot), environmentExample)
fill('docs/self-hosting.md', { settings: settingsTable })
fill('docs/licences.md', { packages: licencesTable })
fill('docs/feeds.md', { sources: sourcesTable })
fill('docs/api.md', { tools: toolsTable, routes: routesTable, errors: errorsTable })

/** Puts each part between its marks. */
function fill (path: string, parts: Record<string, string>): void {
  const file = new URL(path, packageRoot)
  let text = readFileSync(file, 'utf8')
  for (const [name, part] of Object.entries(parts)) {
    text = text.replace(new RegExp(`(<!-- generated: ${name} -->\n)[\\s\\S]*?(<!-- end -->)`), (_all, begin: string, end: string) => `${begin}${part}\n${end}`)
  }
  writeFileSync(file, text)
}

function table (heads: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n')
}
