import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Static } from 'typebox'
import type { McpKeyRotated } from '../../schemas/account.js'
import { accountCreate } from '../operations/accounts/account-create.js'
import { accountsList } from '../operations/accounts/accounts-list.js'
import type { ServiceContext } from '../operations/context.js'
import { keyRotate } from '../operations/keys/key-rotate.js'
import { papersImport } from '../operations/papers/papers-import.js'
import { projectCreate } from '../operations/projects/project-create.js'
import { projectMarkSample } from '../operations/projects/project-mark-sample.js'
import { packageRoot } from '../settings/version.js'

const email = 'you@example.org'
const project = {
  name: 'Sample: sleep and memory',
  interest_description: 'How sleep consolidates memory: slow oscillations, spindles, hippocampal replay and REM sleep, in people, ' +
    'animals and models; what sleep loss does to learning, and what stimulation can restore.',
  positive_keywords: ['memory consolidation', 'sleep spindles', 'slow oscillations', 'hippocampal replay', 'REM sleep'],
  negative_keywords: []
}

/** The account of a sample project, with its secrets. */
export interface Sample { email: string, password: string, papers: number, key: Static<typeof McpKeyRotated> }

/** The operations that create a sample. */
export const sampleOperations = [accountsList, accountCreate, projectCreate, projectMarkSample, papersImport, keyRotate]

/** Creates an account with a key and a project of invented papers. @returns undefined if the service has an account already */
export async function createSample (context: ServiceContext): Promise<Sample | undefined> {
  const { total } = await accountsList.run(context, {})
  if (total > 0) return undefined
  const { id, password } = await accountCreate.run(context, { email })
  const owner = { ...context, account: { id } }
  const { id: project_id } = await projectCreate.run(owner, project)
  await projectMarkSample.run(owner, { project_id })
  const { created: papers } = await papersImport.run(owner, { project_id, files: await sampleFiles() })
  return { email, password: password!, papers, key: await keyRotate.run(owner, {}) }
}

async function sampleFiles (): Promise<string[]> {
  const folder = new URL('samples/', packageRoot)
  const names = (await readdir(folder)).filter(name => !name.endsWith('.md')).sort()
  return names.map(name => fileURLToPath(new URL(name, folder)))
}
