import type { ComponentChildren } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { version } from '../../settings/version.js'
import { assetAddress } from './assets.js'
import type { Shown, View } from './page.js'
import { Form } from './components/form.js'
import { Notice } from './components/notice.js'
import { useView, ViewContext } from './view.js'

/** htmx makes no style element and evaluates no text, so that the content security policy can forbid both. */
const htmxSettings = JSON.stringify({ includeIndicatorStyles: false, allowEval: false, allowScriptTags: false, selfRequestsOnly: true, historyCacheSize: 0, responseHandling: [{ code: '...', swap: true }] })

/** The whole document of a page. */
export const renderPage = (view: View, shown: Shown): string =>
  `<!doctype html>\n${renderToString(<ViewContext.Provider value={view}><Document {...shown} /></ViewContext.Provider>)}`

function Document ({ title, content, project, wide = false }: Shown) {
  const { to, account, notice } = useView()
  return (
    <html lang='en'>
      <head>
        <meta charset='utf-8' />
        <meta name='viewport' content='width=device-width, initial-scale=1' />
        <meta name='color-scheme' content='light dark' />
        <meta name='htmx-config' content={htmxSettings} />
        <title>{title === 'Litfeed' ? title : `${title} · Litfeed`}</title>
        {/* Nothing is drawn of a page that is half there, since what follows would move it. */}
        <link rel='expect' href='#end' {...{ blocking: 'render' }} />
        <link rel='icon' href={to(assetAddress('icon.svg'))} />
        <link rel='stylesheet' href={to(assetAddress('litfeed.css'))} />
        <script src={to(assetAddress('htmx.js'))} defer />
        <script src={to(assetAddress('litfeed.js'))} defer />
      </head>
      <body class={wide ? 'wide' : ''}>
        <a class='skip' href='#content'>Skip to content</a>
        {account === undefined ? <Visitors /> : <Navigation />}
        {project !== undefined && <ProjectNavigation {...project} />}
        <main id='content' tabIndex={-1}>
          {notice !== undefined && <Notice kind='good'>{notice}</Notice>}
          {content}
        </main>
        <footer id='end' class='foot'>Litfeed {version} · <a href={to('/api/openapi.json')}>REST interface</a></footer>
      </body>
    </html>
  )
}

const Brand = () => {
  const { to } = useView()
  return (
    <a class='brand' href={to('/')}>
      <svg viewBox='0 0 20 20' width='20' height='20' aria-hidden='true'><path class='mark' d='M3 4h14v2H3zM3 9h9v2H3zM3 14h5v2H3z' /><circle class='mark-dot' cx='16' cy='14.5' r='2.5' /></svg>
      Litfeed
    </a>
  )
}

const Visitors = () => <header class='head'><Brand /></header>

function Navigation () {
  const { account } = useView()
  return (
    <header class='head'>
      <Brand />
      <nav aria-label='Main'>
        <Tab path='/' exact>Projects</Tab>
        <Tab path='/connect'>Connect</Tab>
        <Tab path='/account'>Account</Tab>
        {account?.administrator === true && <Tab path='/administration/users' under='/administration/'>Administration</Tab>}
      </nav>
      <Form action='sign-out' address='/login' class='sign-out'><button class='quiet'>Sign out</button></Form>
    </header>
  )
}

function ProjectNavigation ({ id, name }: { id: string, name: string }) {
  const base = `/projects/${id}`
  return (
    <section class='project-head' aria-label='Project'>
      <p class='project-name'>{name}</p>
      <nav aria-label='Project pages'>
        <Tab path={base} exact>Feed</Tab>
        <Tab path={`${base}/insights`}>Insights</Tab>
        <Tab path={`${base}/alerts`}>Alerts</Tab>
        <Tab path={`${base}/settings`}>Settings</Tab>
      </nav>
    </section>
  )
}

interface TabProps {
  path: string
  /** Addresses below this one count as the tab's; the path itself where it is left out. */
  under?: string
  exact?: boolean
  children: ComponentChildren
}

/** A link of a navigation, marked where the page is the one it leads to, or one below. */
export function Tab ({ path, under = path, exact = false, children }: TabProps) {
  const { to, url } = useView()
  const here = url.split('?', 1)[0]!
  const current = here === path || (!exact && here.startsWith(under))
  return <a href={to(path)} aria-current={current ? 'page' : undefined}>{children}</a>
}
