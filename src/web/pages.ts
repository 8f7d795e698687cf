import type { Page } from './page.js'
import { citationPage } from './pages/citation.js'
import { feedExportPage } from './pages/feed-export.js'
import { feedPage } from './pages/feed.js'
import { loginPage } from './pages/login.js'
import { projectAlertsPage } from './pages/project-alerts.js'
import { projectInsightsPage } from './pages/project-insights.js'
import { projectNewPage } from './pages/project-new.js'
import { projectSettingsPage } from './pages/project-settings.js'
import { projectsPage } from './pages/projects.js'
import { welcomePage } from './pages/welcome.js'

/** Every page. */
export const pages: readonly Page[] = [
  welcomePage,
  loginPage,
  projectsPage,
  feedPage,
  feedExportPage,
  citationPage,
  projectNewPage,
  projectSettingsPage,
  projectInsightsPage,
  projectAlertsPage
]
