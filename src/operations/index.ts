import { accountCreate } from './accounts/account-create.js'
import { accountDelete } from './accounts/account-delete.js'
import { accountExport } from './accounts/account-export.js'
import { accountFind } from './accounts/account-find.js'
import { accountUpdate } from './accounts/account-update.js'
import { accountsList } from './accounts/accounts-list.js'
import { browserLogin } from './accounts/browser-login.js'
import { feedTokenRotate } from './accounts/feed-token-rotate.js'
import { login } from './accounts/login.js'
import { logout } from './accounts/logout.js'
import { me } from './accounts/me.js'
import { passwordChange } from './accounts/password-change.js'
import { passwordReset } from './accounts/password-reset.js'
import { register } from './accounts/register.js'
import { registrationState } from './accounts/registration-state.js'
import { sessionEnd } from './accounts/session-end.js'
import { sessionsEnd } from './accounts/sessions-end.js'
import { sessionsList } from './accounts/sessions-list.js'
import { tokenRefresh } from './accounts/token-refresh.js'
import { administrationJobRetry } from './administration/administration-job-retry.js'
import { administrationJobs } from './administration/administration-jobs.js'
import { backup } from './administration/backup.js'
import { maintenance } from './administration/maintenance.js'
import { readiness } from './administration/readiness.js'
import { restore } from './administration/restore.js'
import { serviceReport } from './administration/service-report.js'
import { serviceState } from './administration/service-state.js'
import { sourcesList } from './administration/sources-list.js'
import { alertCreate } from './alerts/alert-create.js'
import { alertDelete } from './alerts/alert-delete.js'
import { alertGet } from './alerts/alert-get.js'
import { alertSend } from './alerts/alert-send.js'
import { alertsList } from './alerts/alerts-list.js'
import { atomFeed } from './feed/atom-feed.js'
import { feedAtomUrl } from './feed/feed-atom-url.js'
import { feedAtomUrls } from './feed/feed-atom-urls.js'
import { feedBrief } from './feed/feed-brief.js'
import { feedExport } from './feed/feed-export.js'
import { feedGet } from './feed/feed-get.js'
import { feedPage } from './feed/feed-page.js'
import { feedSearch } from './feed/feed-search.js'
import { feedSeen } from './feed/feed-seen.js'
import { itemUpdate } from './feed/item-update.js'
import { tagsList } from './feed/tags-list.js'
import { feedbackClear } from './feed/feedback-clear.js'
import { feedbackList } from './feed/feedback-list.js'
import { feedbackSet } from './feed/feedback-set.js'
import { jobGet } from './jobs/job-get.js'
import { jobRetry } from './jobs/job-retry.js'
import { jobsList } from './jobs/jobs-list.js'
import { queueDue } from './jobs/queue-due.js'
import { keyCreate } from './keys/key-create.js'
import { keyDelete } from './keys/key-delete.js'
import { keyGet } from './keys/key-get.js'
import { keyReplace } from './keys/key-replace.js'
import { keyRevoke } from './keys/key-revoke.js'
import { keyRotate } from './keys/key-rotate.js'
import { keyUpdate } from './keys/key-update.js'
import { keysList } from './keys/keys-list.js'
import { mcpTry } from './keys/mcp-try.js'
import type { AnyOperation } from './operation.js'
import { citationGet } from './papers/citation-get.js'
import { fetch } from './papers/fetch.js'
import { paperAdd } from './papers/paper-add.js'
import { paperCite } from './papers/paper-cite.js'
import { paperConvert } from './papers/paper-convert.js'
import { paperGet } from './papers/paper-get.js'
import { paperLookup } from './papers/paper-lookup.js'
import { paperMarkdown } from './papers/paper-markdown.js'
import { paperPage } from './papers/paper-page.js'
import { paperUpload } from './papers/paper-upload.js'
import { libraryImport } from './papers/library-import.js'
import { libraryImportRun } from './papers/library-import-run.js'
import { libraryImportUndo } from './papers/library-import-undo.js'
import { libraryImports } from './papers/library-imports.js'
import { papersImport } from './papers/papers-import.js'
import { projectPaperGet } from './papers/project-paper-get.js'
import { search } from './papers/search.js'
import { summariesWrite } from './papers/summaries-write.js'
import { keywordsSuggest } from './projects/keywords-suggest.js'
import { newProjectPreview } from './projects/new-project-preview.js'
import { projectCreate } from './projects/project-create.js'
import { projectDelete } from './projects/project-delete.js'
import { projectFetchQueue } from './projects/project-fetch-queue.js'
import { projectFetch } from './projects/project-fetch.js'
import { projectOwner } from './projects/project-owner.js'
import { projectPreview } from './projects/project-preview.js'
import { projectScore } from './projects/project-score.js'
import { projectStatistics } from './projects/project-statistics.js'
import { projectUpdate } from './projects/project-update.js'
import { projectsGet } from './projects/projects-get.js'
import { projectsList } from './projects/projects-list.js'
import { projectsOverview } from './projects/projects-overview.js'

/** Every operation. Each adapter exposes some of them; a test compares the adapters' tables with this one. */
export const operations: readonly AnyOperation[] = [
  accountCreate,
  accountDelete,
  accountExport,
  accountFind,
  accountUpdate,
  accountsList,
  browserLogin,
  feedTokenRotate,
  login,
  logout,
  me,
  passwordChange,
  passwordReset,
  register,
  registrationState,
  sessionEnd,
  sessionsEnd,
  sessionsList,
  tokenRefresh,
  administrationJobRetry,
  administrationJobs,
  backup,
  maintenance,
  readiness,
  restore,
  serviceReport,
  serviceState,
  sourcesList,
  alertCreate,
  alertDelete,
  alertGet,
  alertSend,
  alertsList,
  atomFeed,
  feedAtomUrl,
  feedAtomUrls,
  feedBrief,
  feedExport,
  feedGet,
  feedPage,
  feedSearch,
  feedSeen,
  itemUpdate,
  tagsList,
  feedbackClear,
  feedbackList,
  feedbackSet,
  jobGet,
  jobRetry,
  jobsList,
  queueDue,
  keyCreate,
  keyDelete,
  keyGet,
  keyReplace,
  keyRevoke,
  keyRotate,
  keyUpdate,
  keysList,
  mcpTry,
  citationGet,
  fetch,
  paperAdd,
  paperCite,
  paperConvert,
  paperGet,
  paperLookup,
  paperMarkdown,
  paperPage,
  paperUpload,
  papersImport,
  libraryImport,
  libraryImportRun,
  libraryImportUndo,
  libraryImports,
  projectPaperGet,
  search,
  summariesWrite,
  keywordsSuggest,
  newProjectPreview,
  projectCreate,
  projectDelete,
  projectFetchQueue,
  projectFetch,
  projectOwner,
  projectPreview,
  projectScore,
  projectStatistics,
  projectUpdate,
  projectsGet,
  projectsList,
  projectsOverview
]
