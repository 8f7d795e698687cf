import { randomUUID } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import t from 'tap'
import { sql } from 'kysely'
import { createAlert, deleteAlert, findAlert, listAlerts, markSent, claimBatch, updateAlert } from '../../db/queries/alerts.js'
import { saveNextBrief } from '../../db/queries/briefs.js'
import { countNotIncluded, findItemOfPaper, listNotIncluded, replaceCandidateScores, walkCandidates } from '../../db/queries/candidates.js'
import { countRows, listRows, walkFeed } from '../../db/queries/feed-page.js'
import { findCoverage } from '../../db/queries/coverage.js'
import { countFeed, findItem, listFeed, listRated, setFeedback } from '../../db/queries/feed.js'
import { findJob, insertJob, listJobs, retryFailedJob } from '../../db/queries/jobs.js'
import { listTagSpellings, markSeen, setItemState, unmarkSeen } from '../../db/queries/item-state.js'
import {
  addImportPart,
  beginLibraryImport,
  completeImportFile,
  deleteLibraryImport,
  findLibraryImport,
  finishLibraryImport,
  listLibraryImports,
  lockLibraryImport,
  readImportParts,
  removeImportFile,
  saveImportedFeeds,
  saveImportProgress,
  undoLibraryImport
} from '../../db/queries/library-imports.js'
import { deleteKey, deleteKeyByName, findKeyByName, listKeys, markKeyUsed, recordKeyClient, renameKey } from '../../db/queries/keys.js'
import { countFoundScores } from '../../db/queries/found-scores.js'
import { listItemsOfPapers, listNoticedPapers, markCited, saveNotices, tellAccounts } from '../../db/queries/notices.js'
import { countPrivateTextBytes, findMarkdown, saveMarkdown } from '../../db/queries/markdown.js'
import { findFeedsOfPaper, findPaper, findPaperInFeeds, findVersions, resolveReference } from '../../db/queries/papers.js'
import {
  countProjects,
  deleteProject,
  findProject,
  findProjectName,
  findProjectStart,
  listProjects,
  lockAndCountProjects,
  lockProjectSources,
  ownsProject,
  updateProject
} from '../../db/queries/projects.js'
import {
  findLessons,
  findModel,
  listVotes,
  sampleUnrated,
  walkItems
} from '../../db/queries/relevance.js'
import { listCandidates, listFetchedItems, listKeptItems, listMovingPapers, recordEntered } from '../../db/queries/weekly-selection.js'
import { endSession, endSessions, extendSession, findSession, listSessions, markSessionUsed } from '../../db/queries/sessions.js'
import {
  beginFetch,
  listSourceStates,
  makeSourcesDue,
  markFetched,
  restartKeywordQueries,
  syncSources,
  updateFetch
} from '../../db/queries/sources.js'
import {
  addSnapshotPart, beginSnapshot, createScheduledSnapshot, createSnapshot, deleteSnapshot, failSnapshot, findModelSummary,
  findReviewSettings, findSnapshot, findSnapshotSchedule, findWaitingSnapshot, freezeSnapshot, listPapersForSnapshot, listSnapshots,
  readDecisions, readSnapshotParts, setSnapshotSchedule, sumSnapshotBytes
} from '../../db/queries/snapshots.js'
import { createShareLink, deleteShareLink, listShareLinks, markShareLinkOpened } from '../../db/queries/share-links.js'
import { listExcerptSummaries, saveSummary } from '../../db/queries/summaries.js'
import { readTally } from '../../db/queries/tally.js'
import {
  abandonUpload,
  addUploadPart,
  completeUpload,
  deleteUpload,
  findUpload,
  findUploadUsage,
  readUploadParts
} from '../../db/queries/uploads.js'
import {
  deleteZoteroAccount,
  deleteZoteroSync,
  findZoteroAccount,
  findZoteroSync,
  saveZoteroAccount,
  saveZoteroPosition,
  saveZoteroSync,
  updateZoteroAccount,
  updateZoteroSync
} from '../../db/queries/zotero.js'
import {
  deleteZoteroItems,
  findZoteroItems,
  listPapersToSend,
  listStarredToSend,
  listUnlinkedZoteroItems,
  listZoteroItemsToSend,
  markZoteroItemsDeleted,
  saveZoteroItems,
  scheduleScoring
} from '../../db/queries/zotero-items.js'
import { backupTables } from '../../db/queries/backup.js'
import { RowNotFound } from '../../db/errors.js'
import { logIn, projectWith, testService } from '../support/service.js'
import { storeUpload } from '../support/uploads.js'

/** Files whose queries act for the service as a whole, with the reason. */
const serviceWideFiles: Record<string, string> = {
  'backup.ts': 'a backup holds every account',
  'disabled-sources.ts': 'a setting of the service',
  'index-order.ts': 'how another query is planned',
  'maintenance.ts': 'vacuum',
  'ownership.ts': 'the conditions themselves',
  'papers-merge.ts': 'shared papers belong to every account',
  'search-index.ts': 'the index of a project; the search itself asks whose project it is',
  'search-storage.ts': 'the index of a project; the search itself asks whose project it is',
  'service.ts': 'sizes and versions, no rows',
  'state.ts': 'figures for the operator',
  'time-limit.ts': 'how long another query may take'
}

/** Service-wide functions of the other files, with the reason. */
const serviceWide: Record<string, string> = {
  createAccount: 'registration',
  createFirstAccount: 'registration',
  insertAccount: 'registration',
  lockAccounts: 'a lock',
  createInvitation: 'administration: a link belongs to the service',
  listOpenInvitations: 'administration: a link belongs to the service',
  listEndedInvitations: 'administration: a link belongs to the service',
  revokeInvitation: 'administration: a link belongs to the service',
  findInvitation: 'authentication: the hash of the token is in the condition',
  createInvitedAccount: 'authentication: the hash of the token is in the condition',
  deleteExpiredInvitations: 'upkeep',
  setPasswordWithLink: 'authentication: the hash of the token is in the condition',
  hasAccount: 'registration',
  listAccounts: 'administration: shows no content of an account',
  findAccount: 'takes the account as its id',
  findAccountByEmail: 'login',
  updateAccount: 'administration',
  removeAbandonedImports: 'upkeep',
  usedBytes: 'a sum',
  filterCondition: 'a condition; its callers add the account',
  paperConditions: 'a condition; its callers add the account',
  namedConsumer: 'text alone',
  beginLibraryImport: 'the row names its account',
  appointAdministrator: 'upgrade and restore',
  savePasswordReset: 'the row names its account',
  findPasswordReset: 'authentication: the hash of the token is in the condition',
  usePasswordReset: 'authentication: the hash of the token is in the condition',
  deleteExpiredPasswordResets: 'upkeep',
  createSession: 'login: the row names its account',
  findBrowserSession: 'authentication: the hash of the secret is in the condition',
  rotateSession: 'authentication: the hash of the secret is in the condition',
  endTokenSession: 'authentication: a refresh token was used twice',
  findKey: 'authentication: a key is found by its prefix',
  createKey: 'the row names its account',
  replaceKey: 'the row names its account',
  findAtomProject: 'authentication: the token of the Atom feed is derived from the account',
  listDueAlerts: 'ticker',
  listDueZoteroSyncs: 'ticker',
  unsubscribeAlert: 'authentication: the token of the email is derived from the alert',
  findSharedFeed: 'authentication: the hash of the token is in the condition',
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
  readDatabaseTime: 'ticker',
  recordHeartbeats: 'worker',
  requeueSilentJobs: 'ticker',
  listAllJobs: 'administration: shows the account, but not the paper or project',
  countJobsByState: 'administration',
  retryAllFailedJobs: 'administration',
  deleteEndedJobs: 'upkeep',
  createProject: 'the row names its account',
  listAllProjects: 'the operator\'s command line',
  findProjectOwner: 'the operator\'s command line',
  findConversionInput: 'conversion of shared papers',
  isMergedPaper: 'conversion of shared papers',
  saveMarkdown: 'the row names its account, or none if the text is shared',
  beginUpload: 'the row names its account',
  deleteAbandonedUploads: 'upkeep',
  matching: 'a condition; its callers add the account',
  markdownReady: 'a condition; its callers add the account',
  findScoring: 'the job that scores a feed: it learns the account from it',
  lockScoring: 'the job that scores a feed: it learns the account from it',
  markScored: 'the job that scores a feed: takes a row of findScoring',
  saveModel: 'the job that scores a feed: writes for a row of findScoring',
  deleteModel: 'the job that scores a feed: writes for a row of findScoring',
  replaceScores: 'the job that scores a feed: takes rows of walkItems',
  addCandidates: 'the job that scores a feed: takes rows that it read',
  promoteCandidates: 'the job that scores a feed: takes rows of walkCandidates',
  demoteItems: 'the job that scores a feed: takes rows of walkItems',
  listDueScoring: 'ticker',
  deleteOldCandidates: 'upkeep',
  listReferences: 'facts about papers that the caller has read, which sources state to everyone',
  listPeople: 'facts about papers that the caller has read, which sources state to everyone',
  addCitations: 'facts about papers, which sources state to everyone',
  savePapers: 'the rows name their account; never changes the owner of one',
  findInFeed: 'one batch of an ingest, whose project was found by its account',
  addItems: 'one batch of an ingest, whose project was found by its account',
  deleteCandidates: 'one batch of an ingest, whose project was found by its account',
  refreshStatistics: 'no row leaves the database',
  deleteUnusedBriefs: 'upkeep',
  isChosen: 'a condition; its callers add the account',
  listPapersToCheck: 'the job that asks sources about papers; names no account',
  saveNotices: 'the job that asks sources about papers: facts about papers',
  markChecked: 'the job that asks sources about papers',
  markCheckFailed: 'the job that asks sources about papers',
  tellAccounts: 'ticker: tells each account of the papers that it chose',
  addFoundPapers: 'one batch of an ingest, whose project was found by its account',
  mergeFoundPapers: 'shared papers belong to every account',
  deleteFoundPapers: 'the undoing of an import, whose project was found by its account',
  listDueSnapshots: 'ticker',
  compactTally: 'upkeep: no row leaves the database',
  compactTallies: 'upkeep'
}

const directory = new URL('../../../db/queries/', import.meta.url)
const exportedFunction =
  /^export (?:const (\w+) = (?:async )?(?:<[^>]*>)?\(|(?:async )?function (?:\* )?(\w+) ?(?:<[^>]*>)?\()([\s\S]*?)\) ?(?:=>|[:{])/gm

t.test('every exported query takes the account or is listed as service-wide', async t => {
  const unused = new Set(Object.keys(serviceWide))
  for (const file of readdirSync(directory).filter(name => !Object.hasOwn(serviceWideFiles, name))) {
    for (const [, constant, declared, parameters] of readFileSync(new URL(file, directory), 'utf8').matchAll(exportedFunction)) {
      const name = (constant ?? declared)!
      if (/\b(accountId|account_id|StateKey|JobFilter)\b/.test(parameters!)) {
        t.notOk(Object.hasOwn(serviceWide, name), `${name} takes the account`)
      } else t.ok(unused.delete(name), `${file}: ${name} takes no account; add it, or list the function with the reason`)
    }
  }
  t.strictSame([...unused], [], 'no stale entry')
  t.strictSame(Object.keys(serviceWideFiles).filter(name => !readdirSync(directory).includes(name)), [], 'no stale file')
})

t.test("another account's ids", async t => {
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
  const { id: keyId, prefix } = await db
    .selectFrom('mcp_key')
    .select(['id', 'prefix'])
    .where('account_id', '=', owner)
    .executeTakeFirstOrThrow()
  await syncSources(
    db,
    owner,
    projectId,
    [
      { name: 'arxiv', query: 'all:sleep' },
      { name: 'pubmed', query: '' }
    ],
    new Date(now.getTime() + 60_000)
  )
  await setItemState(db, owner, item.id, { seen: true, tags: ['private'], note: 'Private' }, now)
  await setFeedback(db, owner, item.id, { vote: 'upvote', downvote_reason: null, updated_at: now.toISOString() }, now)
  const alertId = (
    (await createAlert(
      db,
      owner,
      {
        project_id: projectId,
        kind: 'webhook',
        target: 'https://example.org/',
        frequency: 'daily',
        created_at: new Date(0),
        next_send_at: now
      },
      5
    )) as { id: string }
  ).id
  const alert = (await findAlert(db, owner, alertId))!
  await saveMarkdown(db, { paper_id: paperId, account_id: owner, markdown: 'text', origin: 'upload' })
  const { created_at } = await storeUpload(db, { account_id: owner, paper_id: paperId, bytes: Buffer.from('pdf') })
  const { id: jobId } = await insertJob(db, { task: 'fetch-project', once_key: randomUUID(), project_id: projectId, account_id: owner })
  await db.updateTable('job').set({ state: 'failed' }).where('id', '=', jobId).execute()
  const { id: importId } = (await beginLibraryImport(db, {
    account_id: owner,
    project_id: projectId,
    file_name: 'library.ris',
    vote: 'upvote',
    pending_bytes: 3,
    created_at: now,
    maxAccountBytes: Infinity,
    maxPending: 1
  })) as { id: string }
  await addImportPart(db, owner, { import_id: importId, ordinal: 0, bytes: Buffer.from('ris') })
  await completeImportFile(db, owner, importId)
  await db.updateTable('project_paper').set({ import_id: importId }).where('id', '=', item.id).execute()
  const notice = { source: 'pubmed', kind: 'retraction' as const, reference: '', date: null, doi: null, pmid: null, url: null }
  await saveNotices(db, [{ id: paperId, notices: [notice] }], ['pubmed'], now)
  t.equal(await tellAccounts(db, now), 1)
  const { id: briefId } = (await saveNextBrief(db, owner, { consumer: 'agent' }, { limit: 1, now })) as { id: string }
  await saveZoteroAccount(db, { account_id: owner, api_key: Buffer.from('sealed'), user_id: '1', username: 'ada' })
  const [collection, known] = [{ key: 'ABCD2345', name: 'Reading' }, { projectId, library: 'users/1' }]
  const synced = { library: 'users/1', library_name: 'My Library', collections: [collection], learn: false, target: collection }
  await saveZoteroSync(db, owner, projectId, synced)
  await saveZoteroItems(db, owner, known, [
    { item_key: 'AAAA2222', paper_id: null, state: 'known', target: null, identities: ['doi 10.1000/1'] },
    { item_key: 'BBBB2222', paper_id: null, state: 'sending', target: 'ABCD2345' }
  ])
  const itemKeys = ['AAAA2222', 'BBBB2222']
  const shareLink = { project_id: projectId, title: 'List', token_hash: Buffer.from('hash') }
  const { id: linkId } = (await createShareLink(db, owner, shareLink, 5)) as { id: string }
  const snapshot = { project_id: projectId, requested_at: now }
  const { id: snapshotId } = (await createSnapshot(db, owner, snapshot, { maxSnapshots: 5, maxBytes: 1 })) as { id: string }
  const attempt = (await beginSnapshot(db, owner, snapshotId))!
  await addSnapshotPart(db, owner, attempt, { ordinal: 0, content: '{}' })
  const filter = { projectId }
  const page = { limit: 10, offset: 0 }
  const source = { account_id: stranger, project_id: projectId, name: 'arxiv', query: 'all:sleep' }
  const firstBatch = async (batches: AsyncIterable<unknown[]>) => { for await (const items of batches) if (items.length > 0) return items }
  const uploadId = (await findUpload(db, owner, paperId))!.id
  const readAll = async (stored: AsyncIterable<Buffer>) => {
    const parts: Buffer[] = []
    for await (const part of stored) parts.push(part)
    return parts
  }

  const rowsOf = async () =>
    await Promise.all(
      backupTables.map(async table => [
        table,
        (await sql<{ row: string }>`select to_jsonb(${sql.table(table)}.*)::text as row from ${sql.table(table)}`.execute(db)).rows
          .map(({ row }) => row)
          .sort()
      ])
    )
  const before = await rowsOf()

  await t.test('read nothing', async t => {
    const reads: Record<string, Promise<unknown>> = {
      listRows: listRows(db, stranger, filter, page),
      countRows: countRows(db, stranger, filter, 10),
      walkFeed: firstBatch(walkFeed(db, stranger, filter, 10)),
      listFeed: listFeed(db, stranger, filter, page),
      countFeed: countFeed(db, stranger, filter),
      findCoverage: findCoverage(db, stranger, projectId),
      listSnapshots: listSnapshots(db, stranger, projectId),
      findSnapshot: findSnapshot(db, stranger, projectId, snapshotId),
      findWaitingSnapshot: findWaitingSnapshot(db, stranger, projectId, []),
      findReviewSettings: findReviewSettings(db, stranger, projectId),
      findModelSummary: findModelSummary(db, stranger, projectId),
      readDecisions: readDecisions(db, stranger, { projectId, since: null, until: now })
        .then(({ pages, unlisted }) => [...pages, ...unlisted]),
      listPapersForSnapshot: listPapersForSnapshot(db, stranger, [paperId]),
      readSnapshotParts: readSnapshotParts(db, stranger, snapshotId)[Symbol.asyncIterator]().next().then(({ value }) => value as unknown),
      findSnapshotSchedule: findSnapshotSchedule(db, stranger, projectId),
      listRated: listRated(db, stranger, filter, page),
      findItem: findItem(db, stranger, item.id),
      listNoticedPapers: listNoticedPapers(db, stranger, { projectIds: null, withdrawn: true }, page),
      listItemsOfPapers: listItemsOfPapers(db, stranger, [paperId], null),
      findAlert: findAlert(db, stranger, alertId),
      listAlerts: listAlerts(db, stranger, projectId),
      claimBatch: claimBatch(db, stranger, alert, 10),
      findJob: findJob(db, stranger, jobId),
      listJobs: listJobs(db, { accountId: stranger }, page),
      findMarkdown: findMarkdown(db, stranger, paperId),
      findUpload: findUpload(db, stranger, paperId),
      readUploadParts: readAll(readUploadParts(db, stranger, uploadId)),
      findPaper: findPaper(db, stranger, paperId),
      findPaperInFeeds: findPaperInFeeds(db, stranger, paperId),
      findFeedsOfPaper: findFeedsOfPaper(db, stranger, paperId),
      findVersions: findVersions(db, stranger, paperId),
      resolveReference: resolveReference(db, stranger, paperId),
      resolveItem: resolveReference(db, stranger, item.id),
      findProject: findProject(db, stranger, projectId),
      findProjectName: findProjectName(db, stranger, projectId),
      findProjectStart: findProjectStart(db, stranger, projectId),
      listProjects: listProjects(db, stranger, { limit: 10, offset: 0 }),
      countProjects: countProjects(db, stranger),
      lockAndCountProjects: lockAndCountProjects(db, stranger),
      ownsProject: ownsProject(db, stranger, projectId),
      findLessons: findLessons(db, stranger, projectId),
      findModel: findModel(db, stranger, projectId),
      listVotes: listVotes(db, stranger, projectId, 10),
      listFetchedItems: listFetchedItems(db, stranger, projectId, new Date(0), 10),
      listKeptItems: listKeptItems(db, stranger, projectId, new Date(0), 10),
      listMovingPapers: listMovingPapers(db, stranger, projectId, { limit: 1, minScore: 0, since: new Date(0), keepsSeen: false }),
      listCandidates: listCandidates(db, stranger, projectId, [paperId]),
      listNotIncluded: listNotIncluded(db, stranger, projectId, { limit: 10, offset: 0 }),
      countFoundScores: countFoundScores(db, stranger, projectId, new Date(0)),
      countNotIncluded: countNotIncluded(db, stranger, projectId, 10),
      findItemOfPaper: findItemOfPaper(db, stranger, projectId, paperId),
      sampleUnrated: sampleUnrated(db, stranger, projectId, 10),
      walkItems: firstBatch(walkItems(db, stranger, projectId, 10)),
      walkCandidates: firstBatch(walkCandidates(db, stranger, projectId, new Date(0), 10)),
      findSession: findSession(db, stranger, sessionId, now),
      listSourceStates: listSourceStates(db, stranger, projectId),
      listExcerptSummaries: listExcerptSummaries(db, stranger, projectId, new Date(0), [], 10),
      findLibraryImport: findLibraryImport(db, stranger, importId),
      readImportParts: readAll(readImportParts(db, stranger, importId)),
      lockProjectSources: lockProjectSources(db, stranger, projectId),
      listLibraryImports: listLibraryImports(db, stranger, projectId, 10),
      listTagSpellings: listTagSpellings(db, stranger, null, 10),
      listTagSpellingsOfProject: listTagSpellings(db, stranger, [projectId], 10),
      listShareLinks: listShareLinks(db, stranger, projectId),
      findZoteroAccount: findZoteroAccount(db, stranger),
      findZoteroSync: findZoteroSync(db, stranger, projectId),
      findZoteroItems: findZoteroItems(db, stranger, known, itemKeys),
      listZoteroItemsToSend: listZoteroItemsToSend(db, stranger, known, 10),
      listUnlinkedZoteroItems: listUnlinkedZoteroItems(db, stranger, known, ['doi 10.1000/1']),
      listStarredToSend: listStarredToSend(db, stranger, known, 'ABCD2345', 10),
      listPapersToSend: listPapersToSend(db, stranger, projectId, [paperId]),
      readTally: readTally(db, stranger, projectId)
    }
    for (const [name, read] of Object.entries(reads)) {
      const found = await read
      t.ok(found === undefined || found === false || found === 0 || (Array.isArray(found) && found.length === 0), name)
    }
    t.notOk((await listSessions(db, stranger, now)).some(({ id }) => id === sessionId))
    t.not((await findKeyByName(db, stranger, 'Default'))?.prefix, prefix)
    t.notOk((await listKeys(db, stranger)).some(each => each.prefix === prefix))
    t.equal(await countPrivateTextBytes(db, stranger), 0)
    t.strictSame(await findUploadUsage(db, stranger), { pendingBytes: 0, importBytes: 0, textBytes: 0 })
  })

  await t.test('change nothing', async t => {
    t.ok(
      (await setItemState(db, stranger, item.id, { note: 'Theirs', saved: false }, now).then(
        () => undefined,
        error => error
      )) instanceof RowNotFound
    )
    t.equal(await markSeen(db, stranger, filter, now), 0)
    t.equal(await unmarkSeen(db, stranger, filter, now), 0)
    t.ok(
      (await setFeedback(db, stranger, item.id, null, now).then(
        () => undefined,
        error => error
      )) instanceof RowNotFound
    )
    t.equal(
      await createAlert(
        db,
        stranger,
        { project_id: projectId, kind: 'email', target: 'a@example.org', frequency: 'daily', next_send_at: now },
        5
      ),
      undefined
    )
    t.equal(await deleteAlert(db, stranger, alertId), false)
    await updateAlert(db, stranger, alertId, { last_error: 'changed' })
    await markCited(db, stranger, paperId, null, now)
    await markSent(db, stranger, alertId, randomUUID(), now)
    t.equal(await retryFailedJob(db, stranger, jobId), undefined)
    t.equal(await deleteUpload(db, stranger, paperId, created_at), false)
    await abandonUpload(db, stranger, uploadId)
    t.ok(
      (await addUploadPart(db, stranger, { upload_id: uploadId, ordinal: 1, bytes: Buffer.from('more') }).then(
        () => undefined,
        error => error
      )) instanceof RowNotFound
    )
    t.ok(
      (await completeUpload(db, stranger, uploadId).then(
        () => undefined,
        error => error
      )) instanceof RowNotFound
    )
    t.equal(await undoLibraryImport(db, stranger, { projectId, id: importId, now, scoreAt: now }), undefined)
    await finishLibraryImport(db, stranger, importId, {
      result: { read: 9, created: 9, updated: 0, unchanged: 0, rejected_count: 0, rejected: [] },
      scoreAt: now
    })
    await deleteLibraryImport(db, stranger, importId)
    await removeImportFile(db, stranger, importId)
    t.equal(await completeImportFile(db, stranger, importId), false)
    t.equal(await lockLibraryImport(db, stranger, importId), false)
    t.ok(
      (await addImportPart(db, stranger, { import_id: importId, ordinal: 1, bytes: Buffer.from('more') }).then(
        () => undefined,
        error => error
      )) instanceof RowNotFound
    )
    await saveImportProgress(db, stranger, importId, {
      progress: { bytes: 1, total_bytes: 1, read: 1 },
      counts: { read: 1, created: 1, updated: 0, unchanged: 0, rejected_count: 0, rejected: [] }
    })
    await saveImportedFeeds(db, stranger, importId, ['https://example.org/'])
    t.equal(await createShareLink(db, stranger, { ...shareLink, token_hash: Buffer.from('another') }, 5), undefined)
    t.equal(await deleteShareLink(db, stranger, projectId, linkId), false)
    await markShareLinkOpened(db, stranger, projectId, linkId, now)
    t.equal(await createSnapshot(db, stranger, snapshot, { maxSnapshots: 5, maxBytes: 1 }), undefined)
    const next = { schedule: 'weekly', due: now, nextAt: now, now } as const
    t.equal(await createScheduledSnapshot(db, stranger, projectId, next, { maxSnapshots: 5, maxBytes: 1 }), undefined)
    t.equal(await sumSnapshotBytes(db, stranger), 0)
    t.equal(await addSnapshotPart(db, stranger, attempt, { ordinal: 1, content: '{}' }), false)
    t.equal(await beginSnapshot(db, stranger, snapshotId), undefined)
    await failSnapshot(db, stranger, attempt, 'changed')
    const frozen = { frozen_at: now, until: now, sha256: '', bytes: 1, parts: 1, summary: {} as never }
    t.equal(await freezeSnapshot(db, stranger, attempt, frozen), false)
    t.equal(await deleteSnapshot(db, stranger, projectId, snapshotId), false)
    t.equal(await setSnapshotSchedule(db, stranger, projectId, { schedule: 'weekly', nextAt: now }), false)
    t.equal(await deleteZoteroAccount(db, stranger), false)
    t.equal(await deleteZoteroSync(db, stranger, projectId), false)
    t.equal(await saveZoteroSync(db, stranger, projectId, { ...synced, learn: true }), false)
    await saveZoteroPosition(db, stranger, projectId, 'ABCD2345', { version: 1, listing: null })
    await updateZoteroAccount(db, stranger, { rejected_at: now })
    await updateZoteroSync(db, stranger, projectId, { last_error: 'changed' })
    await saveZoteroItems(db, stranger, known, [{ item_key: 'CCCC2222', paper_id: null, state: 'known', target: null }])
    await deleteZoteroItems(db, stranger, known, itemKeys)
    await markZoteroItemsDeleted(db, stranger, known, itemKeys)
    await scheduleScoring(db, stranger, projectId, new Date(0))
    t.equal(await updateProject(db, stranger, projectId, { name: 'changed' }), undefined)
    t.equal(await deleteProject(db, stranger, projectId), false)
    await markSessionUsed(db, stranger, sessionId, new Date(0))
    await extendSession(db, stranger, { id: sessionId, now, expires_at: new Date(0) })
    t.equal(await endSession(db, stranger, sessionId), false)
    await endSessions(db, stranger)
    await markKeyUsed(db, stranger, prefix, new Date(0))
    await recordKeyClient(db, stranger, keyId, { name: 'changed', version: null })
    t.equal(await renameKey(db, stranger, keyId, 'changed'), undefined)
    t.equal(await deleteKey(db, stranger, keyId), false)
    await syncSources(db, stranger, projectId, [{ name: 'crossref', query: 'changed' }], now)
    t.equal(await beginFetch(db, source, () => ({ last_attempt_at: now, window_from: '2026-01-01', window_to: '2026-01-02' })), undefined)
    await updateFetch(db, source, now, { failures: 9 })
    await restartKeywordQueries(db, stranger, projectId, now)
    await makeSourcesDue(db, stranger, projectId, now)
    await replaceCandidateScores(db, stranger, projectId, [{ paper_id: paperId, relevance_score: 0.9 }])
    await recordEntered(db, stranger, projectId, { ...source, entered: 9 })
    await markFetched(db, stranger, projectId, now)
    await saveSummary(db, stranger, item.id, 'changed')
    t.equal(await saveNextBrief(db, stranger, { consumer: 'agent' }, { acknowledge: briefId, limit: 1, now }), 'unknown brief')
    t.strictSame(await rowsOf(), before)
    t.match(await saveNextBrief(db, stranger, { consumer: 'agent', projectIds: [projectId] }, { limit: 1, now }), {
      items: [],
      remaining: 0
    })
    await deleteKeyByName(db, stranger, 'Default')
    t.equal((await findKeyByName(db, owner, 'Default'))?.prefix, prefix)
  })
})
