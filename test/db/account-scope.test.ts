import { randomUUID } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import t from 'tap'
import { sql } from 'kysely'
import { createAlert, deleteAlert, findAlert, listAlerts, markSent, takeBatch, updateAlert } from '../../db/queries/alerts.js'
import { countRows, listRows, walkFeed } from '../../db/queries/feed-page.js'
import { countFeed, findItem, listFeed, listRated, setFeedback } from '../../db/queries/feed.js'
import { findJob, insertJob, listJobs, retryFailedJob } from '../../db/queries/jobs.js'
import { deleteKey, findKeyOfAccount, markKeyUsed } from '../../db/queries/keys.js'
import { deleteUpload, findMarkdown, findUpload, findUploadTime, saveUpload, saveMarkdown } from '../../db/queries/markdown.js'
import { findFeedsOfPaper, findPaper, findPaperInFeeds, findVersions, resolveReference } from '../../db/queries/papers.js'
import { deleteProject, findProject, findProjectName, listProjects, ownsProject, updateProject } from '../../db/queries/projects.js'
import { findLessons } from '../../db/queries/relevance.js'
import { endSession, endSessions, extendSession, findSession, listSessions, markSessionUsed } from '../../db/queries/sessions.js'
import { beginFetch, listSourceStates, makeDue, markFetched, restartKeywordQueries, syncSources, updateFetch } from '../../db/queries/sources.js'
import { listExcerptSummaries, saveSummary } from '../../db/queries/summaries.js'
import { readTally } from '../../db/queries/tally.js'
import { backupTables } from '../../db/queries/backup.js'
import { RowNotFound } from '../../db/errors.js'
import { logIn, projectWith, testService } from '../support/service.js'

/** Files whose queries act for the service as a whole, with the reason. */
const serviceWideFiles: Record<string, string> = {
  'backup.ts': 'a backup holds every account',
  'import.ts': 'one batch of an ingest, in a transaction that holds the lock of the account',
  'maintenance.ts': 'vacuum',
  'ownership.ts': 'the conditions themselves',
  'papers-merge.ts': 'shared papers belong to every account',
  'relevance.ts': 'scoring jobs, whose project comes with the job',
  'search-index.ts': 'the index of a project; the search itself asks whose project it is',
  'search-storage.ts': 'the index of a project; the search itself asks whose project it is',
  'service.ts': 'sizes and versions, no rows',
  'state.ts': 'figures for the operator'
}

/** Service-wide functions of the other files, with the reason. */
const serviceWide: Record<string, string> = {
  createAccount: 'registration',
  createFirstAccount: 'registration',
  hasAccount: 'registration',
  listAccounts: 'administration: shows no content of an account',
  findAccount: 'takes the account as its id',
  findAccountByEmail: 'login',
  updateAccount: 'administration',
  appointAdministrator: 'upgrade and restore',
  createSession: 'login: the row names its account',
  findBrowserSession: 'authentication: the hash of the secret is in the condition',
  rotateSession: 'authentication: the hash of the secret is in the condition',
  endTokenSession: 'authentication: a refresh token was used twice',
  findKey: 'authentication: a key is found by its prefix',
  replaceKey: 'the row names its account',
  findAtomProject: 'authentication: the token of the Atom feed is derived from the account',
  listDueAlerts: 'ticker',
  findAlertToSend: 'the job that sends the alert; what follows takes its account',
  listDueProjects: 'ticker',
  acquireSlot: 'all accounts share the rate limits of outside services',
  releaseSlot: 'all accounts share the rate limits of outside services',
  deleteExpiredSlots: 'all accounts share the rate limits of outside services',
  findSlot: 'all accounts share the rate limits of outside services',
  isAccountEnabled: 'a condition',
  findLastFailure: 'conversion of shared papers',
  insertJob: 'the row names its account',
  deleteJob: 'the job that the same transaction inserted',
  claimJob: 'worker',
  completeJob: 'worker',
  failJob: 'worker',
  releaseJob: 'worker',
  recordHeartbeats: 'worker',
  requeueSilentJobs: 'ticker',
  listAllJobs: 'administration: shows the account, but not the paper or project',
  countJobsByState: 'administration',
  deleteEndedJobs: 'upkeep',
  createProject: 'the row names its account',
  listAllProjects: 'the operator\'s command line',
  findProjectOwner: 'the operator\'s command line',
  findConversionInput: 'conversion of shared papers',
  isMergedPaper: 'conversion of shared papers',
  saveMarkdown: 'the row names its account, or none if the text is shared',
  selectItems: 'the select list; its callers add the account',
  matching: 'a condition; its callers add the account',
  markdownReady: 'a condition; its callers add the account',
  compactTally: 'upkeep: no row leaves the database',
  compactTallies: 'upkeep'
}

const directory = new URL('../../../db/queries/', import.meta.url)
const exportedFunction = /^export (?:const (\w+) = (?:async )?(?:<[^>]*>)?\(|(?:async )?function (?:\* )?(\w+) ?(?:<[^>]*>)?\()(.*)$/gm

t.test('every exported query takes the account, or is listed as service-wide', async t => {
  const unused = new Set(Object.keys(serviceWide))
  for (const file of readdirSync(directory).filter(name => !Object.hasOwn(serviceWideFiles, name))) {
    for (const [, constant, declared, parameters] of readFileSync(new URL(file, directory), 'utf8').matchAll(exportedFunction)) {
      const name = (constant ?? declared)!
      if (/\b(accountId|account_id|StateKey|JobFilter)\b/.test(parameters!.split(/\) ?(?:=>|[:{])/, 1)[0]!)) t.notOk(Object.hasOwn(serviceWide, name), `${name} takes the account`)
      else t.ok(unused.delete(name), `${file}: ${name} takes no account; add it, or list the function with the reason`)
    }
  }
  t.strictSame([...unused], [], 'no stale entry')
  t.strictSame(Object.keys(serviceWideFiles).filter(name => !readdirSync(directory).includes(name)), [], 'no stale file')
})

t.test('an account that has another\'s ids', async t => {
  const service = await testService(t)
  const { context: { db } } = service
  const [victim, attacker] = [await service.user(), await service.user()]
  const [owner, stranger] = [victim.context.account.id, attacker.context.account.id]
  const now = new Date()
  const projectId = await projectWith(victim, [{ title: 'A private record', doi: '10.1000/1' }])
  await logIn(service, victim)
  const item = await db.selectFrom('project_paper').select(['id', 'paper_id']).where('project_id', '=', projectId).executeTakeFirstOrThrow()
  const paperId = item.paper_id
  const { id: sessionId } = await db.selectFrom('session').select('id').where('account_id', '=', owner).executeTakeFirstOrThrow()
  const { prefix } = await db.selectFrom('mcp_key').select('prefix').where('account_id', '=', owner).executeTakeFirstOrThrow()
  await syncSources(db, owner, projectId, [{ name: 'arxiv', query: 'all:sleep' }, { name: 'pubmed', query: '' }], new Date(now.getTime() + 60_000))
  await setFeedback(db, owner, item.id, { vote: 'upvote', downvote_reason: null, updated_at: now.toISOString() }, now)
  const alertId = (await createAlert(db, owner, { project_id: projectId, kind: 'webhook', target: 'https://example.org/', frequency: 'daily', created_at: new Date(0), next_send_at: now }, 5) as { id: string }).id
  const alert = (await findAlert(db, owner, alertId))!
  await saveMarkdown(db, { paper_id: paperId, account_id: owner, markdown: 'text', origin: 'upload' })
  const { created_at } = await saveUpload(db, { account_id: owner, paper_id: paperId, bytes: Buffer.from('pdf') })
  const { id: jobId } = await insertJob(db, { task: 'fetch-project', once_key: randomUUID(), project_id: projectId, account_id: owner })
  await db.updateTable('job').set({ state: 'failed' }).where('id', '=', jobId).execute()
  const filter = { projectId }
  const page = { limit: 10, offset: 0 }
  const source = { account_id: stranger, project_id: projectId, name: 'arxiv', query: 'all:sleep' }
  const walked = async () => { for await (const items of walkFeed(db, stranger, filter, 10)) if (items.length > 0) return items }

  const rowsOf = async () => await Promise.all(backupTables.map(async table =>
    [table, (await sql<{ row: string }>`select to_jsonb(${sql.table(table)}.*)::text as row from ${sql.table(table)}`.execute(db)).rows.map(({ row }) => row).sort()]))
  const before = await rowsOf()

  await t.test('reads nothing', async t => {
    const reads: Record<string, Promise<unknown>> = {
      listRows: listRows(db, stranger, filter, page),
      countRows: countRows(db, stranger, filter, 10),
      walkFeed: walked(),
      listFeed: listFeed(db, stranger, filter, page),
      countFeed: countFeed(db, stranger, filter),
      listRated: listRated(db, stranger, filter, page),
      findItem: findItem(db, stranger, item.id),
      findAlert: findAlert(db, stranger, alertId),
      listAlerts: listAlerts(db, stranger, projectId),
      takeBatch: takeBatch(db, stranger, alert, 10),
      findJob: findJob(db, stranger, jobId),
      listJobs: listJobs(db, { accountId: stranger }, page),
      findMarkdown: findMarkdown(db, stranger, paperId),
      findUpload: findUpload(db, stranger, paperId),
      findUploadTime: findUploadTime(db, stranger, paperId),
      findPaper: findPaper(db, stranger, paperId),
      findPaperInFeeds: findPaperInFeeds(db, stranger, paperId),
      findFeedsOfPaper: findFeedsOfPaper(db, stranger, paperId),
      findVersions: findVersions(db, stranger, paperId),
      resolveReference: resolveReference(db, stranger, paperId),
      resolveItem: resolveReference(db, stranger, item.id),
      findProject: findProject(db, stranger, projectId),
      findProjectName: findProjectName(db, stranger, projectId),
      listProjects: listProjects(db, stranger),
      ownsProject: ownsProject(db, stranger, projectId),
      findLessons: findLessons(db, stranger, projectId),
      findSession: findSession(db, stranger, sessionId, now),
      listSourceStates: listSourceStates(db, stranger, projectId),
      listExcerptSummaries: listExcerptSummaries(db, stranger, projectId, new Date(0), [], 10),
      readTally: readTally(db, stranger, projectId)
    }
    for (const [name, read] of Object.entries(reads)) {
      const found = await read
      t.ok(found === undefined || found === false || found === 0 || (Array.isArray(found) && found.length === 0), name)
    }
    t.notOk((await listSessions(db, stranger, now)).some(({ id }) => id === sessionId))
    t.not((await findKeyOfAccount(db, stranger))?.prefix, prefix)
  })

  await t.test('changes nothing', async t => {
    t.ok(await setFeedback(db, stranger, item.id, null, now).then(() => undefined, error => error) instanceof RowNotFound)
    t.equal(await createAlert(db, stranger, { project_id: projectId, kind: 'email', target: 'a@example.org', frequency: 'daily', next_send_at: now }, 5), undefined)
    t.equal(await deleteAlert(db, stranger, alertId), false)
    await updateAlert(db, stranger, alertId, { last_error: 'changed' })
    await markSent(db, stranger, alertId, randomUUID(), now)
    t.equal(await retryFailedJob(db, stranger, jobId), undefined)
    t.equal(await deleteUpload(db, stranger, paperId, created_at), false)
    t.equal(await updateProject(db, stranger, projectId, { name: 'changed' }), undefined)
    t.equal(await deleteProject(db, stranger, projectId), false)
    await markSessionUsed(db, stranger, sessionId, new Date(0))
    await extendSession(db, stranger, { id: sessionId, now, expires_at: new Date(0) })
    t.equal(await endSession(db, stranger, sessionId), false)
    await endSessions(db, stranger)
    await markKeyUsed(db, stranger, prefix, new Date(0))
    await syncSources(db, stranger, projectId, [{ name: 'crossref', query: 'changed' }], now)
    t.equal(await beginFetch(db, source, () => ({ last_attempt_at: now, window_from: '2026-01-01', window_to: '2026-01-02' })), undefined)
    await updateFetch(db, source, now, { failures: 9 })
    await restartKeywordQueries(db, stranger, projectId, now)
    await makeDue(db, stranger, projectId, now)
    await markFetched(db, stranger, projectId, now)
    await saveSummary(db, stranger, item.id, 'changed')
    t.strictSame(await rowsOf(), before)
    await deleteKey(db, stranger)
    t.equal((await findKeyOfAccount(db, owner))?.prefix, prefix)
  })
})
