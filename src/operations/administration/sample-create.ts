import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Type } from 'typebox'
import { hasAccount } from '../../../db/queries/accounts.js'
import { McpKeyRotated } from '../../../schemas/account.js'
import { NoInput } from '../../../schemas/project.js'
import { packageRoot } from '../../settings/version.js'
import { accountCreate } from '../accounts/account-create.js'
import { keyRotate } from '../keys/key-rotate.js'
import type { ServiceContext } from '../context.js'
import { operation } from '../operation.js'
import { papersImport } from '../papers/papers-import.js'
import { projectCreate } from '../projects/project-create.js'

const email = 'you@example.org'
const project = {
  name: 'Sample: sleep and memory',
  interest_description: 'How sleep consolidates memory: slow oscillations, spindles, hippocampal replay and REM sleep, in people, animals and models; what sleep loss does to learning, and what stimulation can restore.',
  positive_keywords: ['memory consolidation', 'sleep spindles', 'slow oscillations', 'hippocampal replay', 'REM sleep'],
  negative_keywords: []
}

const SampleResult = Type.Object({
  created: Type.Boolean({ description: 'False when there was an account already; nothing was made then.' }),
  email: Type.Optional(Type.String()),
  password: Type.Optional(Type.String()),
  project_id: Type.Optional(Type.String()),
  papers: Type.Optional(Type.Integer()),
  key: Type.Optional(McpKeyRotated)
})

/** On an empty service: an account, a key, and a project of invented papers, read from samples/ by the importer. */
export const sampleCreate = operation({
  name: 'sample_create',
  title: 'Create a sample',
  description: 'Gives a new service an account and a project to look at.',
  input: NoInput,
  output: SampleResult,
  async handler (context: ServiceContext) {
    if (await hasAccount(context.db)) return { created: false }
    const { id, password } = await accountCreate.run(context, { email })
    const owner = { ...context, account: { id } }
    const { id: project_id } = await projectCreate.run(owner, project)
    const { created: papers } = await papersImport.run(owner, { project_id, files: await sampleFiles() })
    return { created: true, email, password: password!, project_id, papers, key: await keyRotate.run(owner, {}) }
  }
})

async function sampleFiles (): Promise<string[]> {
  const folder = new URL('samples/', packageRoot)
  const names = (await readdir(folder)).filter(name => !name.endsWith('.md')).sort()
  return names.map(name => fileURLToPath(new URL(name, folder)))
}
