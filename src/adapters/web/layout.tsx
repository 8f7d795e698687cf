import type { ComponentChildren } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { version } from '../../settings/version.js'
import { themeColor } from './manifest.js'
import { assetAddress, assetsVersion, firstFontAddresses } from './assets.js'
import type { PageContent, View } from './page.js'
import { Icon } from './components/icon.js'
import { Form } from './components/form.js'
import { Refusal } from './components/notice.js'
import { FormulaBudgetContext, newFormulaBudget } from './components/rich-text.js'
import { useView, ViewContext } from './view.js'

/** The content security policy forbids inline styles and eval, so htmx must not use them. */
const htmxSettings = JSON.stringify({
  includeIndicatorStyles: false,
  allowEval: false,
  allowScriptTags: false,
  selfRequestsOnly: true,
  // A part of another page, such as Tune in a dialog, does not rename the window.
  ignoreTitle: true,
  historyCacheSize: 0,
  // Else forms submit without htmx until it has processed new content, 20 ms after they appear.
  defaultSettleDelay: 0,
  responseHandling: [{ code: '...', swap: true }]
})

/** Renders the whole document of a page. */
export function renderPage (view: View, content: PageContent): string {
  const render = (showsRefusal: boolean) =>
    `<!doctype html>\n${renderToString(
      <ViewContext.Provider value={view}>
        <FormulaBudgetContext.Provider value={newFormulaBudget()}>
          <Document {...content} showsRefusal={showsRefusal} />
        </FormulaBudgetContext.Provider>
      </ViewContext.Provider>
    )}`
  const html = render(false)
  // A refusal's message precedes the fields but names one of them. The first rendering collects the labels. It also shows whether the form
  // is still there: a list that has become empty has no forms.
  return view.refused === undefined ? html : render(!view.refused.wasShown())
}

function Document (
  { title, content, project, projects = [], allProjects = false, columns = false, wide = false, ...others }:
  PageContent & { showsRefusal: boolean }
) {
  const { isVisitorUnknown = false, noindex = false, showsResult = false, showsRefusal } = others
  const { to, account, notice, refused } = useView()
  return (
    <html lang='en'>
      <head>
        <meta charset='utf-8' />
        <meta name='viewport' content='width=device-width, initial-scale=1' />
        <meta name='color-scheme' content='light dark' />
        {noindex && <meta name='robots' content='noindex' />}
        <meta name='htmx-config' content={htmxSettings} />
        <title>{title === 'Litfeed' ? title : `${title} · Litfeed`}</title>
        {/* Blocks rendering until the page is complete, which prevents layout shifts. */}
        <link rel='expect' href='#end' {...{ blocking: 'render' }} />
        <link rel='icon' href={to(assetAddress('icon.svg'))} />
        <link rel='apple-touch-icon' href={to(assetAddress('icon-192.png'))} />
        <link rel='manifest' href={to('/manifest.webmanifest')} />
        <meta name='theme-color' content={themeColor} />
        {firstFontAddresses.map(path => (
          <link key={path} rel='preload' as='font' type='font/woff2' crossOrigin='anonymous' href={to(path)} />
        ))}
        <link rel='stylesheet' href={to(assetAddress('litfeed.css'))} />
        <script src={to(assetAddress('htmx.js'))} defer />
        {/* Blocks rendering, so that elements which the script adds do not shift the page. */}
        <script src={to(assetAddress('litfeed.js'))} defer {...(account === undefined ? {} : { blocking: 'render' })} />
      </head>
      <body
        class={wide ? 'wide' : columns ? 'columned' : ''}
        data-account={account?.id}
        data-visitor={isVisitorUnknown ? 'unknown' : undefined}
        data-login={to('/login')}
        data-offline={to('/offline')}
        data-worker={to('/service-worker.js')}
        data-readiness={to('/readyz')}
        data-version={assetsVersion}
        data-shows-result={showsResult ? '' : undefined}
      >
        <a class='skip' href='#content'>Skip to content</a>
        <header class='head'>
          <Brand />
          {account !== undefined && (
            <>
              {project !== undefined && <ProjectName {...project} projects={projects} />}
              {allProjects && <Switcher name={allProjectsName} projects={projects} />}
              <Navigation project={project} />
            </>
          )}
        </header>
        <main id='content' tabIndex={-1}>
          {notice !== undefined && <div data-notice='' class='notice good' role='status'>{notice}</div>}
          {showsRefusal && refused !== undefined && <Refusal>{refused.message()}</Refusal>}
          {content}
        </main>
        <footer id='end' class='foot'>Litfeed {version}</footer>
      </body>
    </html>
  )
}

const Brand = () => {
  const { to } = useView()
  return (
    <a class='brand' href={to('/')}>
      <svg viewBox='0 0 20 20' width='20' height='20' aria-hidden='true'>
        <path class='mark' d='M3 4h14v2H3zM3 9h9v2H3zM3 14h5v2H3z' />
        <circle class='mark-dot' cx='16' cy='14.5' r='2.5' />
      </svg>
      <span class='brand-name'>Litfeed</span>
    </a>
  )
}

/** The pages of a project and those of the service. Narrow windows show them in a menu. */
function Navigation ({ project }: { project: PageContent['project'] }) {
  const { account } = useView()
  const base = `/projects/${project?.id ?? ''}`
  return (
    <>
      <button type='button' class='quiet menu-button' popovertarget='site-menu'><Icon name='menu' />Menu</button>
      <div id='site-menu' class='site-menu' popover='auto'>
        {project !== undefined && (
          <nav aria-label='Project pages'>
            <Tab path={base} exact>Feed</Tab>
            <Tab path={`${base}/insights`}>Insights</Tab>
            <Tab path={`${base}/alerts`}>Alerts</Tab>
            <Tab path={`${base}/settings`}>Settings</Tab>
          </nav>
        )}
        <nav class='site-pages' aria-label='Main'>
          <Tab path='/' exact>Projects</Tab>
          <Tab path='/connect'>Connect</Tab>
          <Tab path='/account'>Account</Tab>
          {account?.administrator === true && <Tab path='/administration'>Administration</Tab>}
        </nav>
        <Form action='sign-out' address='/login' class='sign-out'><button class='quiet'>Sign out</button></Form>
      </div>
    </>
  )
}

const ProjectName = ({ id, name, projects }: { id: string, name: string, projects: ReadonlyArray<{ id: string, name: string }> }) =>
  projects.length < 2
    ? <p class='project-name'><bdi>{name}</bdi></p>
    : <Switcher name={name} projects={projects} current={id} />

const allProjectsName = 'All projects'

/** A menu of the projects, and of all of them together. @param current id of the current project; undefined: all projects */
function Switcher ({ name, projects, current }: { name: string, projects: ReadonlyArray<{ id: string, name: string }>, current?: string }) {
  const { to } = useView()
  return (
    <details class='menu project-name switcher'>
      <summary><span class='switcher-name'><bdi>{name}</bdi></span><Icon name='open' /></summary>
      <div class='menu-list'>
        <a href={to('/feed')} aria-current={current === undefined ? 'true' : undefined}>{allProjectsName}</a>
        {projects.map(each => (
          <a key={each.id} href={to(`/projects/${each.id}`)} aria-current={each.id === current ? 'true' : undefined}>
            <bdi>{each.name}</bdi>
          </a>
        ))}
      </div>
    </details>
  )
}

interface TabProps {
  path: string
  /** The tab is current at all addresses below this path. Default: the tab's own path. */
  under?: string
  exact?: boolean
  children: ComponentChildren
}

/** A navigation link, marked as current on its page and the pages below. */
export function Tab ({ path, under = path, exact = false, children }: TabProps) {
  const { to, url } = useView()
  const currentPath = url.split('?', 1)[0]!
  const isCurrent = currentPath === path || (!exact && currentPath.startsWith(under))
  return <a href={to(path)} aria-current={isCurrent ? 'page' : undefined}>{children}</a>
}
