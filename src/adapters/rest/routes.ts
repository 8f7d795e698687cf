import { accountDelete } from '../../operations/accounts/account-delete.js'
import { accountExport } from '../../operations/accounts/account-export.js'
import { accountSettings } from '../../operations/accounts/account-settings.js'
import { alertCreate } from '../../operations/alerts/alert-create.js'
import { alertDelete } from '../../operations/alerts/alert-delete.js'
import { alertGet } from '../../operations/alerts/alert-get.js'
import { alertTest } from '../../operations/alerts/alert-test.js'
import { alertUpdate } from '../../operations/alerts/alert-update.js'
import { alertsList } from '../../operations/alerts/alerts-list.js'
import { candidateAdd } from '../../operations/feed/candidate-add.js'
import { candidatesList } from '../../operations/feed/candidates-list.js'
import { paperReferences } from '../../operations/papers/paper-references.js'
import { paperTuning } from '../../operations/feed/paper-tuning.js'
import { citationGet } from '../../operations/papers/citation-get.js'
import { feedAtomUrl } from '../../operations/feed/feed-atom-url.js'
import { feedBrief } from '../../operations/feed/feed-brief.js'
import { feedExport } from '../../operations/feed/feed-export.js'
import { feedGet } from '../../operations/feed/feed-get.js'
import { feedSearch } from '../../operations/feed/feed-search.js'
import { feedSeen } from '../../operations/feed/feed-seen.js'
import { feedTokenRotate } from '../../operations/accounts/feed-token-rotate.js'
import { feedsExport } from '../../operations/feed/feeds-export.js'
import { feedsGet } from '../../operations/feed/feeds-get.js'
import { feedbackClear } from '../../operations/feed/feedback-clear.js'
import { feedbackList } from '../../operations/feed/feedback-list.js'
import { feedbackPreview } from '../../operations/feed/feedback-preview.js'
import { feedbackSet } from '../../operations/feed/feedback-set.js'
import { followCreate } from '../../operations/follows/follow-create.js'
import { followDelete } from '../../operations/follows/follow-delete.js'
import { followPreview } from '../../operations/follows/follow-preview.js'
import { followsList } from '../../operations/follows/follows-list.js'
import { itemUpdate } from '../../operations/feed/item-update.js'
import { jobGet } from '../../operations/jobs/job-get.js'
import { jobRetry } from '../../operations/jobs/job-retry.js'
import { jobsList } from '../../operations/jobs/jobs-list.js'
import { keyCreate } from '../../operations/keys/key-create.js'
import { keyDelete } from '../../operations/keys/key-delete.js'
import { keyGet } from '../../operations/keys/key-get.js'
import { keyReplace } from '../../operations/keys/key-replace.js'
import { keyRevoke } from '../../operations/keys/key-revoke.js'
import { keyRotate } from '../../operations/keys/key-rotate.js'
import { keyUpdate } from '../../operations/keys/key-update.js'
import { keysList } from '../../operations/keys/keys-list.js'
import { keywordsSuggest } from '../../operations/projects/keywords-suggest.js'
import { login } from '../../operations/accounts/login.js'
import { logout } from '../../operations/accounts/logout.js'
import { me } from '../../operations/accounts/me.js'
import { newProjectPreview } from '../../operations/projects/new-project-preview.js'
import { noticesList } from '../../operations/papers/notices-list.js'
import { passwordChange } from '../../operations/accounts/password-change.js'
import { passwordResetConfirm } from '../../operations/accounts/password-reset-confirm.js'
import { passwordResetRequest } from '../../operations/accounts/password-reset-request.js'
import { fetch } from '../../operations/papers/fetch.js'
import { examplesAdd } from '../../operations/papers/examples-add.js'
import { libraryImportRejections } from '../../operations/papers/library-import-rejections.js'
import { libraryImports } from '../../operations/papers/library-imports.js'
import { libraryImport } from '../../operations/papers/library-import.js'
import { paperAdd } from '../../operations/papers/paper-add.js'
import { paperCite } from '../../operations/papers/paper-cite.js'
import { paperGet } from '../../operations/papers/paper-get.js'
import { paperMarkdown } from '../../operations/papers/paper-markdown.js'
import { paperUpload } from '../../operations/papers/paper-upload.js'
import { paperUploadDelete } from '../../operations/papers/paper-upload-delete.js'
import { search } from '../../operations/papers/search.js'
import { projectCreate } from '../../operations/projects/project-create.js'
import { projectDelete } from '../../operations/projects/project-delete.js'
import { projectFetchQueue } from '../../operations/projects/project-fetch-queue.js'
import { projectPaperGet } from '../../operations/papers/project-paper-get.js'
import { projectPreview } from '../../operations/projects/project-preview.js'
import { projectThresholds } from '../../operations/projects/project-thresholds.js'
import { projectStatistics } from '../../operations/projects/project-statistics.js'
import { projectUpdate } from '../../operations/projects/project-update.js'
import { projectsGet } from '../../operations/projects/projects-get.js'
import { projectsList } from '../../operations/projects/projects-list.js'
import { register } from '../../operations/accounts/register.js'
import { sessionEnd } from '../../operations/accounts/session-end.js'
import { sessionsEnd } from '../../operations/accounts/sessions-end.js'
import { sessionsList } from '../../operations/accounts/sessions-list.js'
import { shareLinkCreate } from '../../operations/sharing/share-link-create.js'
import { shareLinkDelete } from '../../operations/sharing/share-link-delete.js'
import { shareLinksList } from '../../operations/sharing/share-links-list.js'
import { snapshotCreate } from '../../operations/snapshots/snapshot-create.js'
import { snapshotDelete } from '../../operations/snapshots/snapshot-delete.js'
import { snapshotDownload } from '../../operations/snapshots/snapshot-download.js'
import { snapshotGet } from '../../operations/snapshots/snapshot-get.js'
import { snapshotPublish } from '../../operations/snapshots/snapshot-publish.js'
import { snapshotSchedule } from '../../operations/snapshots/snapshot-schedule.js'
import { snapshotUnpublish } from '../../operations/snapshots/snapshot-unpublish.js'
import { snapshotsList } from '../../operations/snapshots/snapshots-list.js'
import { sourcesList } from '../../operations/administration/sources-list.js'
import { tagsList } from '../../operations/feed/tags-list.js'
import { tokenRefresh } from '../../operations/accounts/token-refresh.js'
import { zoteroCollections } from '../../operations/zotero/zotero-collections.js'
import { zoteroConnect } from '../../operations/zotero/zotero-connect.js'
import { zoteroDisconnect } from '../../operations/zotero/zotero-disconnect.js'
import { zoteroGet } from '../../operations/zotero/zotero-get.js'
import { zoteroLibraries } from '../../operations/zotero/zotero-libraries.js'
import { zoteroProjectClear } from '../../operations/zotero/zotero-project-clear.js'
import { zoteroProjectGet } from '../../operations/zotero/zotero-project-get.js'
import { zoteroProjectSet } from '../../operations/zotero/zotero-project-set.js'
import { zoteroSyncQueue } from '../../operations/zotero/zotero-sync-queue.js'
import { sendAdded } from './added-paper.js'
import { administrationRoutes } from './administration-routes.js'
import { sendArchive, sendCitation, sendExport, sendZip } from './files.js'
import { sendMarkdown } from './markdown.js'
import type { Route } from './route.js'

const pdfBody = { type: 'application/pdf', property: 'pdf' }

/** Every REST route. Path, query and body are merged into the operation's input. */
export const routes: readonly Route[] = [
  { method: 'POST', url: '/api/auth/register', operation: register, access: 'anyone', status: 201 },
  { method: 'POST', url: '/api/auth/login', operation: login, access: 'anyone', errors: [401] },
  { method: 'POST', url: '/api/auth/refresh', operation: tokenRefresh, access: 'anyone', errors: [401] },
  { method: 'POST', url: '/api/auth/logout', operation: logout, access: 'session', status: 204 },
  { method: 'GET', url: '/api/auth/me', operation: me, access: 'session' },
  { method: 'POST', url: '/api/auth/password', operation: passwordChange, access: 'session', status: 204 },
  { method: 'POST', url: '/api/auth/password-reset', operation: passwordResetRequest, access: 'anyone', status: 202, errors: [404] },
  { method: 'POST', url: '/api/auth/password-reset/confirm', operation: passwordResetConfirm, access: 'anyone', status: 204 },
  { method: 'GET', url: '/api/auth/sessions', operation: sessionsList, access: 'session' },
  { method: 'DELETE', url: '/api/auth/sessions', operation: sessionsEnd, access: 'session', status: 204 },
  { method: 'DELETE', url: '/api/auth/sessions/:session_id', operation: sessionEnd, access: 'session', status: 204 },
  { method: 'GET', url: '/api/auth/mcp-key', operation: keyGet, access: 'browser' },
  { method: 'POST', url: '/api/auth/mcp-key/rotate', operation: keyRotate, access: 'browser', status: 201 },
  { method: 'DELETE', url: '/api/auth/mcp-key', operation: keyRevoke, access: 'browser', status: 204 },
  { method: 'POST', url: '/api/auth/feed-token/rotate', operation: feedTokenRotate, access: 'session', status: 201 },
  { method: 'GET', url: '/api/account/export', operation: accountExport, access: 'session', send: sendArchive },
  { method: 'PATCH', url: '/api/account', operation: accountSettings, access: 'session' },
  { method: 'DELETE', url: '/api/account', operation: accountDelete, access: 'session', status: 204 },
  { method: 'GET', url: '/api/keys', operation: keysList, access: 'browser' },
  { method: 'POST', url: '/api/keys', operation: keyCreate, access: 'browser', status: 201 },
  { method: 'PATCH', url: '/api/keys/:key_id', operation: keyUpdate, access: 'browser' },
  { method: 'POST', url: '/api/keys/:key_id/rotate', operation: keyReplace, access: 'browser', status: 201 },
  { method: 'DELETE', url: '/api/keys/:key_id', operation: keyDelete, access: 'browser', status: 204 },

  { method: 'GET', url: '/api/projects', operation: projectsList, access: 'reader' },
  { method: 'POST', url: '/api/projects', operation: projectCreate, access: 'reader', status: 201 },
  { method: 'POST', url: '/api/projects/preview', operation: newProjectPreview, access: 'reader' },
  { method: 'POST', url: '/api/projects/keywords', operation: keywordsSuggest, access: 'reader' },
  { method: 'GET', url: '/api/projects/:project_id', operation: projectsGet, access: 'reader' },
  { method: 'PATCH', url: '/api/projects/:project_id', operation: projectUpdate, access: 'reader' },
  { method: 'DELETE', url: '/api/projects/:project_id', operation: projectDelete, access: 'reader', status: 204 },
  { method: 'POST', url: '/api/projects/:project_id/preview', operation: projectPreview, access: 'reader' },
  { method: 'POST', url: '/api/projects/:project_id/fetch', operation: projectFetchQueue, access: 'reader', status: 202 },
  { method: 'POST', url: '/api/projects/:project_id/papers', operation: paperAdd, access: 'reader', send: sendAdded },
  {
    method: 'POST',
    url: '/api/projects/:project_id/imports',
    operation: libraryImport,
    access: 'reader',
    status: 202,
    multipart: { property: 'file' }
  },
  { method: 'GET', url: '/api/projects/:project_id/imports', operation: libraryImports, access: 'reader' },
  {
    method: 'GET',
    url: '/api/projects/:project_id/imports/:import_id/rejections',
    operation: libraryImportRejections,
    access: 'reader'
  },
  { method: 'POST', url: '/api/projects/:project_id/examples', operation: examplesAdd, access: 'reader', status: 202 },
  { method: 'GET', url: '/api/projects/:project_id/candidates', operation: candidatesList, access: 'reader' },
  { method: 'POST', url: '/api/projects/:project_id/candidates', operation: candidateAdd, access: 'reader' },
  { method: 'GET', url: '/api/projects/:project_id/statistics', operation: projectStatistics, access: 'reader' },
  { method: 'GET', url: '/api/projects/:project_id/thresholds', operation: projectThresholds, access: 'reader' },
  { method: 'GET', url: '/api/projects/:project_id/feedback', operation: feedbackList, access: 'reader' },
  { method: 'GET', url: '/api/projects/:project_id/alerts', operation: alertsList, access: 'session' },
  { method: 'POST', url: '/api/projects/:project_id/alerts', operation: alertCreate, access: 'session', status: 201 },
  { method: 'GET', url: '/api/alerts/:alert_id', operation: alertGet, access: 'session' },
  { method: 'PATCH', url: '/api/alerts/:alert_id', operation: alertUpdate, access: 'session' },
  { method: 'POST', url: '/api/alerts/:alert_id/test', operation: alertTest, access: 'session' },
  { method: 'DELETE', url: '/api/alerts/:alert_id', operation: alertDelete, access: 'session', status: 204 },
  { method: 'GET', url: '/api/projects/:project_id/follows', operation: followsList, access: 'reader' },
  { method: 'POST', url: '/api/projects/:project_id/follows', operation: followCreate, access: 'reader', status: 201 },
  { method: 'POST', url: '/api/projects/:project_id/follows/preview', operation: followPreview, access: 'reader' },
  { method: 'DELETE', url: '/api/projects/:project_id/follows/:follow_id', operation: followDelete, access: 'reader', status: 204 },
  { method: 'GET', url: '/api/projects/:project_id/share-links', operation: shareLinksList, access: 'session' },
  { method: 'POST', url: '/api/projects/:project_id/share-links', operation: shareLinkCreate, access: 'session', status: 201 },
  { method: 'DELETE', url: '/api/projects/:project_id/share-links/:link_id', operation: shareLinkDelete, access: 'session', status: 204 },
  { method: 'GET', url: '/api/projects/:project_id/zotero', operation: zoteroProjectGet, access: 'session' },
  { method: 'PUT', url: '/api/projects/:project_id/zotero', operation: zoteroProjectSet, access: 'session' },
  { method: 'DELETE', url: '/api/projects/:project_id/zotero', operation: zoteroProjectClear, access: 'session', status: 204 },
  { method: 'POST', url: '/api/projects/:project_id/zotero/sync', operation: zoteroSyncQueue, access: 'session', status: 202 },
  { method: 'GET', url: '/api/projects/:project_id/snapshots', operation: snapshotsList, access: 'reader' },
  { method: 'POST', url: '/api/projects/:project_id/snapshots', operation: snapshotCreate, access: 'reader', status: 202 },
  { method: 'PUT', url: '/api/projects/:project_id/snapshots/schedule', operation: snapshotSchedule, access: 'reader' },
  { method: 'GET', url: '/api/projects/:project_id/snapshots/:snapshot_id', operation: snapshotGet, access: 'reader' },
  {
    method: 'GET',
    url: '/api/projects/:project_id/snapshots/:snapshot_id/archive',
    operation: snapshotDownload,
    access: 'reader',
    send: sendZip
  },
  { method: 'PUT', url: '/api/projects/:project_id/snapshots/:snapshot_id/publication', operation: snapshotPublish, access: 'session' },
  {
    method: 'DELETE',
    url: '/api/projects/:project_id/snapshots/:snapshot_id/publication',
    operation: snapshotUnpublish,
    access: 'session',
    status: 204
  },
  { method: 'DELETE', url: '/api/projects/:project_id/snapshots/:snapshot_id', operation: snapshotDelete, access: 'session', status: 204 },
  { method: 'GET', url: '/api/projects/:project_id/feed', operation: feedGet, access: 'reader' },
  { method: 'GET', url: '/api/projects/:project_id/feed/search', operation: feedSearch, access: 'reader' },
  { method: 'GET', url: '/api/projects/:project_id/feed/export', operation: feedExport, access: 'reader', send: sendExport },
  { method: 'POST', url: '/api/projects/:project_id/feed/seen', operation: feedSeen, access: 'reader' },
  { method: 'GET', url: '/api/projects/:project_id/atom-url', operation: feedAtomUrl, access: 'reader' },

  { method: 'GET', url: '/api/zotero', operation: zoteroGet, access: 'session' },
  { method: 'PUT', url: '/api/zotero', operation: zoteroConnect, access: 'session' },
  { method: 'DELETE', url: '/api/zotero', operation: zoteroDisconnect, access: 'session', status: 204 },
  { method: 'GET', url: '/api/zotero/libraries', operation: zoteroLibraries, access: 'session', errors: [404] },
  { method: 'GET', url: '/api/zotero/collections', operation: zoteroCollections, access: 'session', errors: [404] },

  { method: 'GET', url: '/api/feed', operation: feedsGet, access: 'reader' },
  { method: 'GET', url: '/api/feed/export', operation: feedsExport, access: 'reader', send: sendExport },
  { method: 'POST', url: '/api/brief', operation: feedBrief, access: 'reader' },
  { method: 'GET', url: '/api/papers/:paper_id', operation: paperGet, access: 'reader' },
  { method: 'GET', url: '/api/papers/:paper_id/markdown', operation: paperMarkdown, access: 'reader', errors: [413], send: sendMarkdown },
  { method: 'GET', url: '/api/papers/:paper_id/references', operation: paperReferences, access: 'reader' },
  { method: 'GET', url: '/api/papers/:paper_id/citation', operation: paperCite, access: 'reader' },
  { method: 'POST', url: '/api/papers/:paper_id/pdf', operation: paperUpload, access: 'reader', status: 202, binary: pdfBody },
  { method: 'DELETE', url: '/api/papers/:paper_id/pdf', operation: paperUploadDelete, access: 'reader', status: 204 },
  { method: 'GET', url: '/api/project-papers/:ref', operation: projectPaperGet, access: 'reader' },
  { method: 'PATCH', url: '/api/project-papers/:ref', operation: itemUpdate, access: 'reader' },
  { method: 'GET', url: '/api/project-papers/:ref/tuning', operation: paperTuning, access: 'reader' },
  { method: 'GET', url: '/api/project-papers/:ref/citation', operation: citationGet, access: 'reader', send: sendCitation },
  { method: 'PUT', url: '/api/project-papers/:paper_id/feedback', operation: feedbackSet, access: 'reader' },
  { method: 'DELETE', url: '/api/project-papers/:paper_id/feedback', operation: feedbackClear, access: 'reader' },
  { method: 'POST', url: '/api/project-papers/:paper_id/feedback/preview', operation: feedbackPreview, access: 'reader' },
  { method: 'GET', url: '/api/tags', operation: tagsList, access: 'reader' },
  { method: 'GET', url: '/api/notices', operation: noticesList, access: 'reader' },
  { method: 'GET', url: '/api/search', operation: search, access: 'reader' },
  { method: 'GET', url: '/api/fetch/:id', operation: fetch, access: 'reader' },
  { method: 'GET', url: '/api/jobs', operation: jobsList, access: 'reader' },
  { method: 'GET', url: '/api/jobs/:job_id', operation: jobGet, access: 'reader' },
  { method: 'POST', url: '/api/jobs/:job_id/retry', operation: jobRetry, access: 'reader', status: 202 },
  { method: 'GET', url: '/api/sources', operation: sourcesList, access: 'reader' },

  ...administrationRoutes
]
