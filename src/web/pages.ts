import type { Page } from './page.js'
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
  projectNewPage,
  projectSettingsPage,
  projectInsightsPage,
  projectAlertsPage
]
