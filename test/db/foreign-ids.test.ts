import { randomUUID } from 'node:crypto'
import t from 'tap'
import { sql } from 'kysely'
import { markSent, claimBatch } from '../../db/queries/alert-items.js'
import {
  createAlert, deleteAlert, deleteDetachedAlerts, detachAlerts, findAlert, listAlerts, updateAlert
} from '../../db/queries/alerts.js'
import {
  addCandidates,
  countNotIncluded,
  demoteItems,
  findItemOfPaper,
  listNotIncluded,
  promoteCandidates,
  replaceCandidateScores,
  walkCandidates
} from '../../db/queries/candidates.js'
import { listAllItems, listReadyTimes } from '../../db/queries/all-feeds.js'
import { findNeighbors } from '../../db/queries/feed-neighbors.js'
import { countRows, listRows, walkFeed } from '../../db/queries/feed-page.js'
import { listCoverage } from '../../db/queries/coverage.js'
import { findItem, listFeed, walkRated } from '../../db/queries/feed.js'
import { setFeedback } from '../../db/queries/votes.js'
import { countFeed } from '../../db/queries/feed-count.js'
import { changeTimeZone } from '../../db/queries/time-zone.js'
import { countItems, countMarked, listFew, listIds, listMarked } from '../../db/queries/feed-listing.js'
import { countSlices, listSlices, walkSlices } from '../../db/queries/feed-slices.js'
import { findJob, insertJob, listJobs, retryFailedJob } from '../../db/queries/jobs.js'
import { markSeen, setItemState, unmarkSeen } from '../../db/queries/item-state.js'
import { findImportOfJob, findImportRejections } from '../../db/queries/import-rejections.js'
import {
  addImportPart,
  beginLibraryImport,
  completeImportFile,
  deleteLibraryImport,
  deleteOldImports,
  findLibraryImport,
  finishLibraryImport,
  listLibraryImports,
  lockLibraryImport,
  readImportParts,
  releaseImportFile,
  removeImportFile,
  saveImportedFeeds,
  saveImportProgress
} from '../../db/queries/library-imports.js'
import { removeImportedItems, undoLibraryImport } from '../../db/queries/import-undo.js'
import { deleteKey, deleteKeyByName, findKeyByName, listKeys, markKeyUsed, recordKeyClient, renameKey } from '../../db/queries/keys.js'
import { deleteProject } from '../../db/queries/deletions.js'
import { listKeptItems, walkFetched, walkFetchedItems } from '../../db/queries/fetched-items.js'
import { forgetImportedSources, keepImportedSources } from '../../db/queries/found-papers.js'
import { countFoundScores } from '../../db/queries/found-scores.js'
import { listTalliedPapers } from '../../db/queries/found-tally.js'
import { saveNotices } from '../../db/queries/notice-checks.js'
import { listNoticedPapers } from '../../db/queries/noticed-papers.js'
import { walkTagged } from '../../db/queries/tags.js'
import { listItemsOfPapers, markCited, notifyAccounts } from '../../db/queries/notices.js'
import { addPaperBytes, findOwnPaperIds } from '../../db/queries/import.js'
import {
  countPrivateTextBytes, deleteUploadedText, findConversion, findMarkdown, listTextParts, saveMarkdown
} from '../../db/queries/markdown.js'
import { findFeedsOfPaper, findPaper, findPaperInFeeds, findVersions, resolveReference } from '../../db/queries/papers.js'
import {
  countProjects,
  findProject,
  findProjectName,
  findProjectStart,
  listProjects,
  lockAndCountProjects,
  lockProjectSources,
  ownsProject,
  updateProject
} from '../../db/queries/projects.js'
import { findNthNewestItem } from '../../db/queries/recall.js'
import {
  beginScoring,
  deleteModel,
  findLessons,
  findModel,
  findScoring,
  lockScoring,
  markScored,
  replaceScores,
  sampleUnrated,
  saveModel,
  scheduleScoring,
  walkScoredItems,
  walkTexts,
  walkVotes
} from '../../db/queries/relevance.js'
import { listNewestTexts } from '../../db/queries/texts.js'
import { mondayOf } from '../../schemas/utc-time.js'
import { listCandidates, recordEntered, walkMovingPapers } from '../../db/queries/weekly-selection.js'
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
import { countDecisions, listPapersForSnapshot, walkDecisions } from '../../db/queries/snapshot-decisions.js'
import {
  addSnapshotPart, beginSnapshot, createScheduledSnapshot, createSnapshot, deleteDetachedSnapshots, deleteProjectSnapshots, deleteSnapshot,
  failSnapshot, findModelSummary, publishSnapshot,
  findReviewSettings, findSnapshot, findSnapshotSchedule, findWaitingSnapshot, freezeSnapshot, listSnapshots, readPublishedParts,
  readSnapshotParts, setSnapshotSchedule, sumSnapshotBytes, unpublishSnapshot
} from '../../db/queries/snapshots.js'
import { createShareLink, deleteShareLink, listShareLinks, listTagged, markShareLinkOpened } from '../../db/queries/share-links.js'
import { listExcerptSummaries, saveSummary } from '../../db/queries/summaries.js'
import { countItemsByFeed, countTextBytes, readTally } from '../../db/queries/tally.js'
import {
  abandonUpload,
  addUploadPart,
  completeUpload,
  findUpload,
  findUploadPaper,
  findUploadUsage,
  readUploadParts,
  withdrawUpload,
  withdrawUploads
} from '../../db/queries/uploads.js'
import {
  deleteZoteroAccount,
  deleteZoteroSync,
  findZoteroAccount,
  findZoteroSync,
  findZoteroSyncStatus,
  saveZoteroAccount,
  saveZoteroPosition,
  saveZoteroSync,
  updateZoteroAccount,
  updateZoteroSync
} from '../../db/queries/zotero.js'
import {
  countZoteroItems,
  countZoteroStates,
  deleteZoteroItems,
  findZoteroItems,
  listPapersToPlace,
  listPapersToSend,
  listUnlinkedZoteroItems,
  listZoteroItemsToSend,
  markZoteroItemsDeleted,
  saveZoteroItems,
  walkStarred
} from '../../db/queries/zotero-items.js'
import { backupTables } from '../../db/queries/backup.js'
import { RowNotFound } from '../../db/errors.js'
import type { Relevance } from '../../schemas/relevance.js'
import { saveNextBrief } from '../support/briefs.js'
import { logIn, projectWith, testService } from '../support/service.js'
import { storeUpload } from '../support/uploads.js'

/** Whether a write found no row. */
const isMissing = async (write: Promise<unknown>): Promise<boolean> =>
  await write.then(() => false, error => error instanceof RowNotFound)

t.test("another account's ids", async t => {
  const service = await testService(t)
  const { context: { db } } = service
  const [victim, attacker] = [await service.user(), await service.user()]
  const [owner, stranger] = [victim.context.account.id, attacker.context.account.id]
  const now = new Date()
  const projectId = await projectWith(victim, [{ title: 'A private record', doi: '10.1000/1' }])
  await projectWith(victim, [{ title: 'Another record', doi: '10.1000/2' }])
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
  await setFeedback(db, owner, item.id, { vote: 'upvote', downvote_reason: null, updated_at: now.toISOString() }, { at: now, latest: now })
  await db.insertInto('found_tally').values({ project_id: projectId, day: '2026-01-01', sources: ['pubmed'], papers: 1 }).execute()
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
      { perProject: 5, perAccount: 5 }
    )) as { id: string }
  ).id
  const alert = (await findAlert(db, owner, alertId))!
  await saveMarkdown(db, { paper_id: paperId, account_id: owner, markdown: 'text', origin: 'upload' })
  const text = (await findMarkdown(db, owner, paperId))!
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
  await addImportPart(db, owner, { fileId: importId, ordinal: 0, bytes: Buffer.from('ris') })
  await completeImportFile(db, owner, importId)
  await db.updateTable('project_paper').set({ import_id: importId }).where('id', '=', item.id).execute()
  const counts = { read: 1, created: 0, updated: 0, unchanged: 0, rejected_count: 1, rejected: [{ record: 1, reason: 'No title' }] }
  await db.updateTable('library_import').set({ result: JSON.stringify(counts) }).where('id', '=', importId).execute()
  const importJob = { task: 'import-library', once_key: importId, project_id: projectId, account_id: owner, import_id: importId } as const
  const { id: importJobId } = await insertJob(db, importJob)
  await db.updateTable('job').set({ state: 'done' }).where('id', '=', importJobId).execute()
  const notice = { source: 'pubmed', kind: 'retraction' as const, reference: '', date: null, doi: null, pmid: null, url: null }
  await saveNotices(db, [{ id: paperId, notices: [notice] }], ['pubmed'], now)
  t.equal(await notifyAccounts(db, { isNews: () => true, now }), 1)
  const reader = { consumer: 'agent', projectIds: [projectId] }
  const { id: briefId } = (await saveNextBrief(db, owner, reader, { limit: 1, now })) as { id: string }
  const sealedKey = Buffer.from('sealed')
  await saveZoteroAccount(db, { account_id: owner, api_key: sealedKey, user_id: '1', username: 'ada' })
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
  const score = { relevance_score: 0.9, relevance_class: 'must_read', matching_details: {}, personalized_note: 'changed' } as Relevance
  const { id: otherId } = await db.selectFrom('paper').select('id').where('doi', '=', '10.1000/2').executeTakeFirstOrThrow()
  const candidate = { project_id: projectId, paper_id: otherId, relevance_score: 0.9, relevance_class: 'must_read' as const, ready_at: now }
  await addCandidates(db, [{ project_id: projectId, paper_id: otherId, relevance_score: 0.9, found_at: now }])
  await saveModel(db, owner, projectId, { version: 2 }, now)
  const filter = { projectId }
  const page = { limit: 10, offset: 0 }
  const walk = { projectId, order: 'newest', part: sql<boolean>`true`, condition: sql<boolean>`true` } as const
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
      findNeighbors: findNeighbors(db, stranger, { projectIds: null }, { itemId: item.id, sort: 'day', isScan: false, limit: 1 }),
      listTagged: listTagged(db, stranger, 'GROUP', page),
      listReadyTimes: listReadyTimes(db, stranger, { projectIds: [projectId] }, { limit: 10, maxRead: 10 }),
      listAllItems: listAllItems(db, stranger, { projectIds: [projectId] }, { ...page, sort: 'day' }),
      walkFeed: firstBatch(walkFeed(db, stranger, filter, 10)),
      listFeed: listFeed(db, stranger, filter, page),
      countFeed: countFeed(db, stranger, filter),
      countSlices: countSlices(db, stranger, walk),
      listSlices: listSlices(db, stranger, walk, page),
      walkSlices: walkSlices(db, stranger, walk, page).next().then(({ value }) => value?.items),
      listIds: listIds(db, stranger, { projectId, saved: false }, 'newest', page),
      countItems: countItems(db, stranger, { projectId, saved: false }, 10),
      listMarked: listMarked(db, stranger, { projectIds: [projectId], must_read: true }),
      listFew: listFew(db, stranger, [projectId], sql<boolean>`true`),
      countMarked: countMarked(db, stranger, { projectIds: [projectId] }, [item.id]),
      countItemsByFeed: countItemsByFeed(db, stranger, [projectId]),
      listCoverage: listCoverage(db, stranger, [projectId]),
      listSnapshots: listSnapshots(db, stranger, projectId),
      findSnapshot: findSnapshot(db, stranger, projectId, snapshotId),
      findWaitingSnapshot: findWaitingSnapshot(db, stranger, projectId, []),
      findReviewSettings: findReviewSettings(db, stranger, projectId),
      findModelSummary: findModelSummary(db, stranger, projectId),
      walkDecisions: walkDecisions(db, stranger, { projectId, since: null, until: now })[Symbol.asyncIterator]().next()
        .then(({ value: { text, unlisted } }) => [...text, ...unlisted]),
      countDecisions: countDecisions(db, stranger, { projectId, since: null, until: now }, {
        after: '00000000-0000-0000-0000-000000000000', last: 'ffffffff-ffff-ffff-ffff-ffffffffffff'
      }),
      listPapersForSnapshot: listPapersForSnapshot(db, stranger, [paperId]),
      readSnapshotParts: readSnapshotParts(db, stranger, snapshotId)[Symbol.asyncIterator]().next().then(({ value }) => value as unknown),
      readPublishedParts: readPublishedParts(db, stranger, snapshotId)[Symbol.asyncIterator]().next().then(({ value }) => value as unknown),
      findSnapshotSchedule: findSnapshotSchedule(db, stranger, projectId),
      walkRated: firstBatch(walkRated(db, stranger, filter, page)),
      findItem: findItem(db, stranger, item.id),
      listNoticedPapers: listNoticedPapers(db, stranger, { projectIds: null, withdrawn: true }, page),
      listItemsOfPapers: listItemsOfPapers(db, stranger, [paperId], null),
      findAlert: findAlert(db, stranger, alertId),
      listAlerts: listAlerts(db, stranger, projectId),
      claimBatch: claimBatch(db, stranger, alert, { maxItems: 10, maxRead: 10 }),
      findJob: findJob(db, stranger, jobId),
      listJobs: listJobs(db, { accountId: stranger }, page),
      findMarkdown: findMarkdown(db, stranger, paperId),
      findConversion: findConversion(db, stranger, paperId),
      listTextParts: listTextParts(db, stranger, text, { from: 0, to: 1 }),
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
      findScoring: findScoring(db, stranger, projectId),
      lockScoring: lockScoring(db, stranger, projectId),
      listNewestTexts: listNewestTexts(db, stranger, projectId, 10),
      walkFetched: firstBatch(walkFetched(db, stranger, projectId, { since: new Date(0) })),
      walkFetchedItems: firstBatch(walkFetchedItems(db, stranger, projectId, new Date(0), 10)),
      listKeptItems: listKeptItems(db, stranger, projectId, new Date(0), 10),
      walkMovingPapers: firstBatch(
        walkMovingPapers(db, stranger, projectId, { limit: 1, minScore: 0, monday: mondayOf(now), keepsSeen: false })),
      listCandidates: listCandidates(db, stranger, projectId, [paperId]),
      listNotIncluded: listNotIncluded(db, stranger, projectId, { limit: 10, offset: 0 }),
      listTalliedPapers: listTalliedPapers(db, stranger, { projectId, since: null, until: new Date(2100, 0) }),
      countFoundScores: countFoundScores(db, stranger, projectId, new Date(0)),
      countNotIncluded: countNotIncluded(db, stranger, projectId, 10),
      findItemOfPaper: findItemOfPaper(db, stranger, projectId, paperId),
      sampleUnrated: sampleUnrated(db, stranger, projectId, 10),
      walkScoredItems: firstBatch(walkScoredItems(db, stranger, projectId, 10)),
      walkStarred: firstBatch(walkStarred(db, stranger, projectId, 10)),
      walkTexts: firstBatch(walkTexts(db, stranger, projectId, 10)),
      walkVotes: firstBatch(walkVotes(db, stranger, projectId, 10)),
      findNthNewestItem: findNthNewestItem(db, stranger, projectId, 0),
      walkCandidates: firstBatch(walkCandidates(db, stranger, projectId, new Date(0), 10)),
      findSession: findSession(db, stranger, sessionId, now),
      listSourceStates: listSourceStates(db, stranger, projectId),
      listExcerptSummaries: listExcerptSummaries(db, stranger, projectId, new Date(0), [], 10),
      findLibraryImport: findLibraryImport(db, stranger, importId),
      findImportRejections: findImportRejections(db, stranger, { projectId, id: importId }, { limit: 10, offset: 0 }),
      findImportOfJob: findImportOfJob(db, stranger, importJobId),
      readImportParts: readAll(readImportParts(db, stranger, importId)),
      lockProjectSources: lockProjectSources(db, stranger, projectId),
      listLibraryImports: listLibraryImports(db, stranger, projectId, { limit: 10, offset: 0 }),
      walkTagged: firstBatch(walkTagged(db, stranger, null)),
      walkTaggedOfProject: firstBatch(walkTagged(db, stranger, [projectId])),
      listShareLinks: listShareLinks(db, stranger, projectId),
      findZoteroAccount: findZoteroAccount(db, stranger),
      findZoteroSync: findZoteroSync(db, stranger, projectId),
      findZoteroSyncStatus: findZoteroSyncStatus(db, stranger, projectId),
      countZoteroItems: countZoteroItems(db, stranger, known),
      findZoteroItems: findZoteroItems(db, stranger, known, itemKeys),
      listZoteroItemsToSend: listZoteroItemsToSend(db, stranger, known, 10),
      listUnlinkedZoteroItems: listUnlinkedZoteroItems(db, stranger, known, ['doi 10.1000/1']),
      listPapersToPlace: listPapersToPlace(db, stranger, known, 'ABCD2345', { itemIds: [item.id], limit: 10 }),
      listPapersToSend: listPapersToSend(db, stranger, projectId, [paperId]),
      readTally: readTally(db, stranger, projectId)
    }
    for (const [name, read] of Object.entries(reads)) {
      const found = await read
      t.ok(found === undefined || found === false || found === 0 || (Array.isArray(found) && found.length === 0), name)
    }
    t.notOk((await listSessions(db, stranger, now)).some(({ id }) => id === sessionId))
    t.not((await findKeyByName(db, stranger, 'Default'))?.prefix, prefix)
    t.notOk((await listKeys(db, stranger, { limit: 10, offset: 0 })).some(each => each.prefix === prefix))
    t.equal(await countPrivateTextBytes(db, stranger), 0)
    t.ok(await countTextBytes(db, owner) > 0)
    t.equal(await countTextBytes(db, stranger), 0)
    t.strictSame(await countZoteroStates(db, stranger, projectId), {})
    t.equal((await findOwnPaperIds(db, stranger, [paperId])).size, 0)
    await addPaperBytes(db, stranger, [{ id: paperId, bytes: 1 }])
    t.strictSame(await findUploadUsage(db, stranger), { pendingBytes: 0, importBytes: 0, textBytes: 0 })
  })

  await t.test('change nothing', async t => {
    t.ok(await isMissing(setItemState(db, stranger, item.id, { note: 'Theirs', saved: false }, now)))
    t.equal(await markSeen(db, stranger, filter, now), 0)
    t.equal(await unmarkSeen(db, stranger, filter, now), 0)
    t.ok(await isMissing(setFeedback(db, stranger, item.id, null, { at: now, latest: now })))
    t.equal(
      await createAlert(
        db,
        stranger,
        { project_id: projectId, kind: 'email', target: 'a@example.org', frequency: 'daily', next_send_at: now },
        { perProject: 5, perAccount: 5 }
      ),
      undefined
    )
    t.equal(await deleteAlert(db, stranger, alertId), false)
    t.equal(await detachAlerts(db, stranger, { projectId }), 0)
    t.equal(await detachAlerts(db, stranger, { id: alertId }), 0)
    await deleteDetachedAlerts(db, stranger)
    await updateAlert(db, stranger, alertId, { last_error: 'changed' })
    await markCited(db, stranger, paperId, null, now)
    await markSent(db, stranger, alertId, randomUUID(), now)
    t.equal(await retryFailedJob(db, stranger, jobId), undefined)
    t.equal(await withdrawUpload(db, stranger, paperId, created_at), false)
    t.strictSame(await withdrawUploads(db, stranger, paperId), [])
    t.equal(await deleteUploadedText(db, stranger, paperId), false)
    await abandonUpload(db, stranger, uploadId)
    t.ok(await isMissing(addUploadPart(db, stranger, { fileId: uploadId, ordinal: 1, bytes: Buffer.from('more') })))
    t.ok(await isMissing(completeUpload(db, stranger, uploadId)))
    t.ok(await isMissing(findUploadPaper(db, stranger, uploadId)))
    t.equal(await undoLibraryImport(db, stranger, { projectId, id: importId, now, scoreAt: now }), undefined)
    t.equal(await removeImportedItems(db, stranger, { projectId, id: importId, now, scoreAt: now }), 0)
    await forgetImportedSources(db, stranger, { projectId, importId, batchSize: 500 })
    await keepImportedSources(db, stranger, { projectId, importIds: [importId], batchSize: 500 })
    await finishLibraryImport(db, stranger, importId, {
      result: { read: 9, created: 9, updated: 0, unchanged: 0, rejected_count: 0, rejected: [] },
      scoreAt: now
    })
    await deleteLibraryImport(db, stranger, importId)
    await removeImportFile(db, stranger, importId)
    t.equal(await releaseImportFile(db, stranger, importId), false)
    await changeTimeZone(db, stranger, 'UTC', () => new Date(0))
    await deleteOldImports(db, stranger, 0)
    t.equal(await completeImportFile(db, stranger, importId), false)
    t.equal(await lockLibraryImport(db, stranger, importId), false)
    t.ok(await isMissing(addImportPart(db, stranger, { fileId: importId, ordinal: 1, bytes: Buffer.from('more') })))
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
    t.equal(await publishSnapshot(db, stranger, projectId, snapshotId, now), undefined)
    t.equal(await unpublishSnapshot(db, stranger, projectId, snapshotId), false)
    t.equal(await deleteSnapshot(db, stranger, projectId, snapshotId), false)
    await deleteProjectSnapshots(db, stranger, projectId)
    await deleteDetachedSnapshots(db, stranger)
    t.equal(await setSnapshotSchedule(db, stranger, projectId, { schedule: 'weekly', nextAt: now }), false)
    t.equal(await deleteZoteroAccount(db, stranger), false)
    t.equal(await deleteZoteroSync(db, stranger, projectId), false)
    t.equal(await saveZoteroSync(db, stranger, projectId, { ...synced, learn: true }), false)
    await saveZoteroPosition(db, stranger, projectId, 'ABCD2345', { version: 1, listing: null })
    await updateZoteroAccount(db, stranger, sealedKey, { rejected_at: now })
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
    t.equal(await promoteCandidates(db, stranger, projectId, [candidate]), 0)
    t.equal(await demoteItems(db, stranger, projectId, [item.id], now), 0)
    await replaceScores(db, stranger, projectId, [{ ...score, id: item.id }])
    await saveModel(db, stranger, projectId, {}, now)
    await deleteModel(db, stranger, projectId)
    t.equal(await beginScoring(db, stranger, projectId), undefined)
    await markScored(db, { id: projectId, account_id: stranger, settings_changed_at: null, scoring_due_at: null }, now)
    await recordEntered(db, stranger, projectId, { ...source, entered: 9 })
    await markFetched(db, stranger, projectId, now)
    await saveSummary(db, stranger, item.id, 'changed')
    t.equal(await saveNextBrief(db, stranger, reader, { acknowledge: briefId, limit: 1, now }), 'unknown brief')
    t.strictSame(await rowsOf(), before)
    t.match(await saveNextBrief(db, stranger, reader, { limit: 1, now }), {
      items: [],
      remaining: 0
    })
    await deleteKeyByName(db, stranger, 'Default')
    t.equal((await findKeyByName(db, owner, 'Default'))?.prefix, prefix)
  })
})
