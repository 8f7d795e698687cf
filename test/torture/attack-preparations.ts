import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makePapers } from '../../bench/search/corpus.js'
import { saveMarkdown } from '../../db/queries/markdown.js'
import { divideText } from '../../src/fulltext/parts/divide.js'
import { alertCreate } from '../../src/operations/alerts/alert-create.js'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { keyCreate } from '../../src/operations/keys/key-create.js'
import { papersImport } from '../../src/operations/papers/papers-import.js'
import { projectCreate } from '../../src/operations/projects/project-create.js'
import type { Context, ServiceContext } from '../../src/operations/context.js'
import { addPapers } from '../support/service.js'
import type { AttackData } from './attacks.js'
import { createPerson } from './bystander.js'
import { recordsWithReferences } from './heavy-records.js'
import { temporaryDirectory } from './service.js'

/** Papers of searches and exports. */
export const attackPapers = Number(process.env.ATTACK_PAPERS ?? 20_000)
export const attackerEmail = 'attacker@example.org'

/** What an attack uses of its account. */
export type Prepared = Pick<AttackData, 'key' | 'keys' | 'paperId' | 'paperIds' | 'projectId'>

interface Target extends Pick<Prepared, 'paperId' | 'projectId'> { foreignOrigin: string }

/** What attacks need besides an account with a long text. */
const preparations: Partial<Record<AttackData['attack'], (attacker: Context, target: Target) => Promise<Partial<Prepared> | void>>> = {
  projects: createLargeProjects,
  searches: importPapers,
  exports: importPapers,
  // 24 MB of UTF-8.
  async text ({ db }, { paperId }) {
    await saveText(db, paperId, `${'长'.repeat(998)}\n\n`.repeat(8000))
  },
  references: async (attacker, { projectId }) => await importFile(attacker, projectId, recordsWithReferences(1, 20)),
  keys: async attacker => ({ keys: await Promise.all(Array.from({ length: 20 }, async (_each, at) => await createKey(attacker, `${at}`))) }),
  alerts: createDueAlerts,
  chunks: importForeignPapers,
  silent: importForeignPapers,
  endless: importForeignPapers,
  failingFeeds: async (attacker, { foreignOrigin }) => ({ projectId: await createFailingProject(attacker, foreignOrigin) })
}

/** Creates an account with a long text, and what else the attack needs. */
export async function prepareAttacker (
  service: ServiceContext,
  attack: AttackData['attack'],
  foreignOrigin: string
): Promise<Prepared> {
  const attacker = await createPerson(service, attackerEmail)
  const { id: projectId } = await projectCreate.run(attacker, { name: 'Texts', sources: [] })
  await addPapers(attacker, projectId, [{ title: 'A long paper' }])
  const paperId = (await feedGet.run(attacker, { project_id: projectId })).items[0]!.paper.id
  await saveText(attacker.db, paperId, 'Long text. '.repeat(1_900_000 / 11))
  const prepared = await preparations[attack]?.(attacker, { paperId, projectId, foreignOrigin })
  return { key: await createKey(attacker, 'Attack'), keys: [], paperId, paperIds: [], projectId, ...prepared }
}

/** Saves a text in parts, as a conversion does. */
const saveText = async (db: Context['db'], paperId: string, markdown: string): Promise<void> =>
  await saveMarkdown(db, { paper_id: paperId, markdown }, await divideText(markdown))

const createKey = async (attacker: Context, name: string): Promise<string> =>
  (await keyCreate.run(attacker, { name, scope: 'act' })).api_key

/** Creates 40 projects of the largest size. */
async function createLargeProjects (attacker: Context): Promise<void> {
  const keywords = Array.from({ length: 100 }, (_each, at) => String(at).padStart(200, 'x'))
  const sources = Array.from({ length: 50 }, (_each, at) => ({
    name: 'feed',
    query: `https://example.org/${String(at).padStart(370, 'x')}`
  }))
  for (let at = 0; at < 40; at++) {
    await projectCreate.run(attacker, {
      name: `Large ${at}`,
      interest_description: 'x'.repeat(10_000),
      positive_keywords: keywords,
      negative_keywords: keywords,
      sources,
      matching_state: 'paused'
    })
  }
}

function importPapers (attacker: Context, { projectId }: Target) {
  return importFile(attacker, projectId, [...makePapers(attackPapers)].map(paper => JSON.stringify(paper)).join('\n'))
}

/** Imports papers whose PDFs are at the foreign host. */
function importForeignPapers (attacker: Context, { projectId, foreignOrigin }: Target) {
  return importFile(attacker, projectId, Array.from({ length: 100 }, (_each, at) =>
    JSON.stringify({ title: `A paper elsewhere ${at}`, pdf_url: `${foreignOrigin}/${at}` })).join('\n'))
}

/** Imports a file of records. @returns the ids of the project's papers, 100 at most */
async function importFile (attacker: Context, projectId: string, content: string): Promise<Pick<Prepared, 'paperIds'>> {
  const file = join(temporaryDirectory(), 'records')
  writeFileSync(file, content)
  await papersImport.run(attacker, { project_id: projectId, files: [file] })
  const { items } = await feedGet.run(attacker, { project_id: projectId, limit: 100 })
  return { paperIds: items.map(({ paper }) => paper.id) }
}

/** Creates ten projects with 20 alerts and 50 papers each. All alerts are due. */
async function createDueAlerts (attacker: Context, { foreignOrigin }: Target): Promise<void> {
  const abstract = 'A sentence of the abstract. '.repeat(40)
  for (let project = 0; project < 10; project++) {
    const { id: project_id } = await projectCreate.run(attacker, { name: `Alerts ${project}`, sources: [] })
    for (let at = 0; at < 20; at++) {
      await alertCreate.run(attacker, { project_id, kind: 'webhook', target: `${foreignOrigin}/${at}`, frequency: 'immediate' })
    }
    await addPapers(attacker, project_id, Array.from({ length: 50 }, (_each, at) => ({ title: `A new paper ${project} ${at}`, abstract })))
  }
  await attacker.db.updateTable('alert').set({ next_send_at: attacker.now() }).execute()
}

/** Creates a project of 50 journal feeds, each of which fails. @returns its id */
async function createFailingProject (attacker: Context, foreignOrigin: string): Promise<string> {
  const sources = Array.from({ length: 50 }, (_each, at) => ({ name: 'feed', query: `${foreignOrigin}/${at}` }))
  return (await projectCreate.run(attacker, { name: 'Failing', interest_description: 'Sleep', sources })).id
}
