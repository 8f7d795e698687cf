import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { makePapers } from '../../bench/search/corpus.js'
import { saveMarkdown } from '../../db/queries/markdown.js'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { keyCreate } from '../../src/operations/keys/key-create.js'
import { papersImport } from '../../src/operations/papers/papers-import.js'
import { projectCreate } from '../../src/operations/projects/project-create.js'
import type { ServiceContext } from '../../src/operations/context.js'
import { addPapers } from '../support/service.js'
import type { AttackData } from './attacks.js'
import { type Disturbance, createBystander, createPerson, fillDatabase, withBystander } from './bystander.js'
import { largeFeed } from './bounds-large-feed.js'
import { feedServer } from './feed-server.js'
import { runParts, serve, temporaryDirectory } from './service.js'

/* One ordinary account attacks; a bystander works meanwhile. */

const attackSeconds = Number(process.env.ATTACK_SECONDS ?? 30)
const paperCount = Number(process.env.ATTACK_PAPERS ?? 20_000)
const email = 'attacker@example.org'

await runParts({
  largeFeed,
  batch: () => attackWith('batch', 'batches of 50 full texts of 1.9 MB, six at a time'),
  unread: () => attackWith('unread', 'responses to such batches that nobody reads, 12 connections'),
  projects: () => attackWith('projects', 'batches of 50 lists of 40 large projects, six at a time'),
  uploads: () => attackWith('uploads', 'uploads of 63 MB, two at a time'),
  previews: () => attackWith('previews', 'previews of ten journal feeds of 1.8 MB, six at a time'),
  searches: () => attackWith('searches', `hostile searches of ${paperCount.toLocaleString('en')} papers, six at a time`),
  logins: () => attackWith('logins', 'wrong logins from many addresses, 60 at a time'),
  exports: () => attackWith('exports', `exports of ${paperCount.toLocaleString('en')} papers as BibTeX, six at a time`),
  marks: () => attackWith('marks', 'prompts, completion and notes of 50,000 marks, six at a time'),
  forms: () => attackWith('forms', 'large forms that anyone may send, 20 at a time'),
  files: () => attackWith('files', 'imports of files that take long to parse, two at a time'),
  pipelines: () => attackWith('pipelines', 'thousands of pipelined requests, 6 connections'),
  bodies: () => attackWith('bodies', 'rejected bodies without end, 20 connections')
})

async function attackWith (attack: AttackData['attack'], what: string): Promise<void> {
  const { origin: feedOrigin } = await feedServer()
  const environment = { DATA_DIR: temporaryDirectory(), TRUST_PROXY: '127.0.0.1', PRIVATE_ORIGINS: feedOrigin }
  const { attacker, bystander } = await fillDatabase(environment, async context => ({
    attacker: await prepareAttacker(context, attack),
    bystander: await createBystander(context)
  }))
  const service = await serve(environment)
  const workerData: AttackData = { ...attacker, attack, email, url: service.url, feedOrigin, seconds: attackSeconds }
  await withBystander(what, service, bystander, attackSeconds, () => new Promise<Disturbance>((resolve, reject) => {
    new Worker(new URL('./attacks.js', import.meta.url), { workerData }).once('message', resolve).once('error', reject)
  }))
  await service.stop()
}

/** Creates an account with a long text, and 40 projects of the largest size or many papers if the attack needs them. */
async function prepareAttacker (
  context: ServiceContext,
  attack: AttackData['attack']
): Promise<{ key: string, paperId: string, projectId: string }> {
  const attacker = await createPerson(context, email)
  if (attack === 'projects') {
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
  const { id: projectId } = await projectCreate.run(attacker, { name: 'Texts', sources: [] })
  await addPapers(attacker, projectId, [{ title: 'A long paper' }])
  const paperId = (await feedGet.run(attacker, { project_id: projectId })).items[0]!.paper.id
  await saveMarkdown(context.db, { paper_id: paperId, markdown: 'Long text. '.repeat(1_900_000 / 11) })
  if (attack === 'searches' || attack === 'exports') {
    const file = join(temporaryDirectory(), 'papers.jsonl')
    writeFileSync(file, [...makePapers(paperCount)].map(paper => JSON.stringify(paper)).join('\n'))
    await papersImport.run(attacker, { project_id: projectId, files: [file] })
  }
  return {
    key: (await keyCreate.run(attacker, { name: 'Attack', scope: attack === 'previews' || attack === 'marks' ? 'act' : 'read' })).api_key,
    paperId,
    projectId
  }
}
