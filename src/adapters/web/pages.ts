import type { Page } from './page.js'
import { accountExportPage } from './pages/account-export.js'
import { allFeedsPage } from './pages/all-feeds.js'
import { addPage } from './pages/add.js'
import { accountSettingsPage } from './pages/account.js'
import { citationPage } from './pages/citation.js'
import { connectPage } from './pages/connect.js'
import { forgotPasswordPage } from './pages/forgot-password.js'
import { allFeedsExportPage, feedExportPage } from './pages/feed-export.js'
import { feedPage } from './pages/feed.js'
import { jobsPage } from './pages/jobs.js'
import { overviewPage } from './pages/overview.js'
import { paperPage } from './pages/paper.js'
import { paperMarkdownPage } from './pages/paper-markdown.js'
import { loginPage } from './pages/login.js'
import { resetPasswordPage } from './pages/reset-password.js'
import { offlinePage } from './pages/offline.js'
import { projectAlertsPage } from './pages/project-alerts.js'
import { projectCandidatesPage } from './pages/project-candidates.js'
import { projectImportPage, projectImportRejectionsPage } from './pages/project-import.js'
import { projectInsightsPage } from './pages/project-insights.js'
import { projectNewPage } from './pages/project-new.js'
import { projectSettingsPage } from './pages/project-settings.js'
import { projectSnapshotPage, projectSnapshotsPage, snapshotArchivePage } from './pages/project-snapshots.js'
import { projectTunePage } from './pages/project-tune.js'
import { projectZoteroPage } from './pages/project-zotero.js'
import { projectsPage } from './pages/projects.js'
import { projectSharingPage } from './pages/project-sharing.js'
import { sharedExportPage, sharedPage } from './pages/shared.js'
import { publishedArchivePage, publishedSnapshotPage } from './pages/published-snapshot.js'
import { servicePage } from './pages/service.js'
import { signUpPage } from './pages/sign-up.js'
import { skillPage } from './pages/skill.js'
import { unsubscribePage } from './pages/unsubscribe.js'
import { usersPage } from './pages/users.js'
import { welcomePage } from './pages/welcome.js'

/** Every page. */
export const pages: readonly Page[] = [
  welcomePage,
  loginPage,
  signUpPage,
  forgotPasswordPage,
  resetPasswordPage,
  unsubscribePage,
  projectsPage,
  allFeedsPage,
  allFeedsExportPage,
  offlinePage,
  addPage,
  feedPage,
  feedExportPage,
  paperPage,
  paperMarkdownPage,
  citationPage,
  projectNewPage,
  projectSettingsPage,
  projectImportPage,
  projectImportRejectionsPage,
  projectCandidatesPage,
  projectTunePage,
  projectZoteroPage,
  projectSharingPage,
  projectSnapshotsPage,
  projectSnapshotPage,
  snapshotArchivePage,
  sharedPage,
  sharedExportPage,
  publishedSnapshotPage,
  publishedArchivePage,
  projectInsightsPage,
  projectAlertsPage,
  connectPage,
  skillPage,
  accountSettingsPage,
  accountExportPage,
  overviewPage,
  usersPage,
  jobsPage,
  servicePage
]
