import { networkInterfaces } from 'node:os'
import { Worker } from 'node:worker_threads'
import { attackerEmail, attackPapers, prepareAttacker } from './attack-preparations.js'
import type { AttackData } from './attacks.js'
import { type Disturbance, type ExpectedStatuses, createBystander, fillDatabase, withBystander } from './bystander.js'
import { largeFeed } from './bounds-large-feed.js'
import { feedServer } from './feed-server.js'
import { foreignServer, type Treatment } from './foreign-server.js'
import { onBothKinds } from './operations-calls.js'
import { skip } from './report.js'
import { type Environment, runParts, serve } from './service.js'

/* One ordinary account, or an anonymous client, attacks; a bystander works meanwhile. */

const attackSeconds = Number(process.env.ATTACK_SECONDS ?? 30)
const minutes = Math.ceil(attackSeconds / 60)
/** Counts of statuses that must occur, and of those that may. */
const some = [1, Infinity] as const
const maybe = [0, Infinity] as const

/** An attack, and what the attacker is expected to see. */
interface Attack {
  what: string
  statuses: ExpectedStatuses
  /** The server of others that the attack needs. */
  foreign?: Treatment
  environment?: Environment
}

/** The rate limit of attacks that exercise it. The bystander stays below it. */
const rateLimit = 600
const withRateLimit = { RATE_LIMIT: String(rateLimit) }

const attacks: Record<AttackData['attack'], Attack> = {
  batch: { what: 'batches of 50 full texts of 1.9 MB, six at a time', statuses: { 200: some } },
  unread: { what: 'responses to such batches that nobody reads, 12 connections', statuses: {} },
  projects: { what: 'batches of 50 lists of 40 large projects, six at a time', statuses: { 200: some } },
  uploads: { what: 'uploads of 63 MB, two at a time', statuses: { 202: some, 413: maybe } },
  previews: { what: 'previews of ten journal feeds of 1.8 MB, six at a time', statuses: { 200: some, 429: some } },
  searches: {
    what: `hostile searches of ${attackPapers.toLocaleString('en')} papers, six at a time`,
    statuses: { 200: some, 400: some }
  },
  abandoned: {
    what: 'searches that nobody waits for, 20 new connections at a time',
    statuses: {},
    environment: { HOST: '0.0.0.0' }
  },
  logins: { what: 'wrong logins from many addresses, 60 at a time', statuses: { 401: some } },
  rightLogins: { what: 'right logins, six at a time', statuses: { 200: [1, 200], 429: some } },
  refreshes: { what: 'refreshes of the tokens of 20 sessions, without a pause', statuses: { 200: [1, 20 * 30 * minutes], 429: some } },
  wrongKeys: { what: 'wrong keys and tokens from one address, 60 at a time', statuses: { 401: some } },
  links: {
    what: 'links with wrong tokens to alerts, feeds and snapshots, 60 at a time',
    statuses: { 404: some, 429: some },
    environment: withRateLimit
  },
  paths: {
    what: 'paths and headers of 14 kB, logged, 20 at a time',
    statuses: { 0: maybe, 200: some, 401: some, 403: some, 404: some, 431: some },
    environment: { LOG_LEVEL: 'info' }
  },
  connections: {
    what: '3,000 idle or slow connections of one network, and 1,500 of this machine',
    statuses: { kept: [100, 200], closed: some },
    environment: { HOST: '0.0.0.0' }
  },
  exports: { what: `exports of ${attackPapers.toLocaleString('en')} papers as BibTeX, six at a time`, statuses: { 200: some } },
  marks: { what: 'prompts, completion and notes of 50,000 marks, six at a time', statuses: { 200: some } },
  forms: { what: 'large forms that anyone may send, 20 at a time', statuses: { 0: maybe, 413: some } },
  files: { what: 'imports of files that take long to parse, two at a time', statuses: { 202: some, 429: some } },
  heavyTexts: { what: 'imports of 1,000 papers in Chinese or with much LaTeX, two at a time', statuses: { 202: some, 429: maybe } },
  references: { what: 'papers with 3,000 references, imported and read, four at a time', statuses: { 200: some, 202: some, 429: maybe } },
  text: { what: 'a full text of 24 MB, page by page by 20 clients', statuses: { 200: some } },
  keys: {
    what: 'calls with 20 keys of one account, 20 at a time',
    statuses: { 200: [1, 5 * rateLimit * minutes], 429: some },
    environment: withRateLimit
  },
  refusals: { what: 'calls without a slot, 400 at a time', statuses: { 200: some, 429: some } },
  alerts: { what: '200 alerts to a webhook that takes five seconds', statuses: { received: some }, foreign: 'slow' },
  chunks: {
    what: 'journal feeds and PDFs of a server that sends bytes one by one, six at a time',
    statuses: { 200: some, 202: some, 404: maybe, 429: some, received: some },
    foreign: 'chunks'
  },
  silent: {
    what: 'journal feeds and PDFs of a server that does not answer, six at a time',
    statuses: { 200: some, 202: some, 404: maybe, 429: some, received: some },
    foreign: 'silent'
  },
  endless: {
    what: 'journal feeds and PDFs without end, six at a time',
    statuses: { 200: some, 202: some, 404: maybe, 429: some, received: some },
    foreign: 'endless'
  },
  failingFeeds: {
    what: 'fetches of 50 journal feeds that always fail, six at a time',
    statuses: { 202: some, received: some },
    foreign: 'failing'
  },
  pipelines: { what: 'thousands of pipelined requests, 6 connections', statuses: {} },
  bodies: { what: 'rejected bodies without end, 20 connections', statuses: {} }
}

await runParts({
  largeFeed,
  ...Object.fromEntries(Object.entries(attacks).map(([name, attack]) =>
    [name, () => attackWith(name as AttackData['attack'], attack)]))
})

function attackWith (name: AttackData['attack'], { what, statuses, foreign, environment: more }: Attack): Promise<void> {
  return onBothKinds(async (kind, databaseEnvironment) => {
    const row = `${what}; ${kind}`
    const ownAddress = Object.values(networkInterfaces()).flat().find(each => each?.family === 'IPv4' && !each.internal)?.address
    if (['connections', 'abandoned'].includes(name) && ownAddress === undefined) {
      return skip(row, '', 'this machine has no address besides the loopback ones')
    }
    const { origin: feedOrigin } = await feedServer()
    const foreigner = foreign === undefined ? undefined : await foreignServer(foreign)
    const foreignOrigin = foreigner?.origin ?? feedOrigin
    const environment = {
      ...databaseEnvironment,
      TRUST_PROXY: '127.0.0.1',
      PRIVATE_ORIGINS: [...new Set([feedOrigin, foreignOrigin])].join(),
      ...more
    }
    const { attacker, bystander } = await fillDatabase(environment, async context => ({
      attacker: await prepareAttacker(context, name, foreignOrigin),
      bystander: await createBystander(context)
    }))
    const service = await serve(environment)
    const workerData: AttackData = {
      ...attacker,
      attack: name,
      email: attackerEmail,
      url: service.url,
      feedOrigin,
      foreignOrigin,
      ownAddress: ownAddress ?? '',
      seconds: attackSeconds
    }
    await withBystander(row, service, bystander, attackSeconds, async () => {
      const done = await new Promise<Disturbance>((resolve, reject) => {
        new Worker(new URL('./attacks.js', import.meta.url), { workerData }).once('message', resolve).once('error', reject)
      })
      if (foreigner !== undefined) done.statuses.received = await foreigner.countReceived()
      return done
    }, statuses)
    await service.stop()
  })
}
