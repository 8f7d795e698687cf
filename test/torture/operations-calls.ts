import { fileURLToPath } from 'node:url'
import { packageRoot } from '../../src/settings/version.js'
import { account, emptyDatabase, type Environment, json, type Service, temporaryDirectory } from './service.js'

const samples = ['pubmed.xml', 'pubmed.nbib', 'references.bib', 'references.ris'].map(name =>
  fileURLToPath(new URL(`samples/${name}`, packageRoot))
)

/** Runs a part on an empty database of each kind, or of the one that KIND names. */
export async function onBothKinds (run: (kind: 'embedded' | 'PostgreSQL', environment: Environment) => Promise<void>): Promise<void> {
  const only = process.env.KIND
  if (only !== 'PostgreSQL') await run('embedded', { DATA_DIR: temporaryDirectory() })
  if (only !== 'embedded') await run('PostgreSQL', { DATA_DIR: temporaryDirectory(), DATABASE_URL: await emptyDatabase() })
}

/** An account with its credentials and a project. */
export interface Reader { email: string, password: string, key: string, token: string, project: string }

/** Creates an account with a key, an access token, and a project with the sample papers. */
export async function reader (environment: Environment, service: Service, sources: string[] = []): Promise<Reader> {
  const { email, password, key, headers } = await account(environment, service)
  const { id: project } = await json(
    [
      'project',
      'create',
      '--email',
      email,
      '--name',
      'Trial',
      '--interest',
      'How sleep consolidates memory',
      ...sources.flatMap(source => ['--source', source])
    ],
    environment
  )
  await json(['import', ...samples, '--project', project], environment)
  return { email, password, key, token: headers.authorization!.slice('Bearer '.length), project }
}

/** Sends a REST request. @returns its JSON @throws Error if the status is not 2xx */
export async function send (url: string, method: string, path: string, credential?: string, body?: object): Promise<any> {
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(credential === undefined ? {} : { authorization: `Bearer ${credential}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' })
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${text.slice(0, 200)}`)
  return text === '' ? undefined : JSON.parse(text)
}

/** Calls a tool. @returns its structured content */
export const callTool = async (url: string, key: string, name: string, args: object): Promise<any> =>
  (await send(url, 'POST', '/api/mcp', key, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })).result
    .structuredContent

/** The value of a metric, summed over its labels that match. */
export async function metric (url: string, name: string, labels = ''): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return text
    .split('\n')
    .filter(line => (line.startsWith(`${name}{`) || line.startsWith(`${name} `)) && line.includes(labels))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0)
}
