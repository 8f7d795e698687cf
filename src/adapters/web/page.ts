import type { VNode } from 'preact'
import type { TObject } from 'typebox'
import type { ArgumentProblem } from '../../errors/argument-problem.js'
import type { AnonymousContext, Context } from '../../operations/context.js'
import type { AnyOperation } from '../../operations/operation.js'
import type { Fields, Query } from './fields.js'
import type { RefusedForm } from './refused-form.js'

/** A visitor, signed in or not. */
export interface PublicContext extends AnonymousContext, Partial<Pick<Context, 'account' | 'sessionId'>> {
  /** The browser's device token from an earlier login. */
  device?: string | undefined
}

/** A request as pages and components see it, besides its input. Components read it with `useView()`. */
export interface View {
  /** Prefixes a path with the service's base path, which a reverse proxy may set: `to('/projects/new')`. */
  to: (path: string) => string
  /** The signed-in account; undefined for visitors. */
  account: { id: string, email: string, administrator: boolean, time_zone: string } | undefined
  /** `<Form>` sends it. Empty for visitors. */
  csrfToken: string
  /** The requested address: path and query. */
  url: string
  /** The form that was refused, if any. */
  refused: RefusedForm | undefined
  /** Values of the refused form, by field name. */
  entered: Readonly<Record<string, unknown>>
  /** Result of the previous action, shown once at the top of the next page. */
  notice: string | undefined
}

/** A page before it is rendered. */
export interface PageContent {
  title: string
  content: VNode
  /** The project that the navigation shows. */
  project?: { id: string, name: string }
  /** The projects to switch to, if the page offers that. */
  projects?: ReadonlyArray<{ id: string, name: string }>
  /** Whether the page is of all projects; `projects` are those to switch to. */
  allProjects?: boolean
  /** Whether the page has a second column on wide windows. */
  columns?: boolean
  /** Whether the page does not know who asks: an error may precede the look-up of the session, or be one of it. */
  isVisitorUnknown?: boolean
  /** Whether search engines leave the page out. */
  noindex?: boolean
  /** Whether the page shows what an action made, which would be made again if a reload sent the form again. */
  showsResult?: boolean
  /** Whether the page uses the full width of the window. */
  wide?: boolean
}

/** A new session of the browser, with its cookies. */
export interface SignIn { token: string, expires: Date, device: string }

/** A file to download, possibly streamed. */
export interface Download {
  file: { body: string | Buffer | AsyncIterable<string | Buffer>, type: string, name: string }
}

/** The response to a form: a redirect (303), a page without an address of its own, data for scripts, or a download. */
export type ActionResult =
  { to: string, notice?: string, signIn?: SignIn, signOut?: true } |
  { page: PageContent } |
  { data: object } |
  Download

/** What a form of a page does. */
export interface Action<C = never> {
  /** The operations that the action calls. Only they validate its fields. */
  operations: readonly AnyOperation[]
  /** The form's fields. An empty field counts as omitted, an unchecked checkbox as false. */
  fields: TObject
  /** The problem of an argument in the field that it was read from. Default: fields have the names and units of arguments. */
  inField?: (invalid: ArgumentProblem, fields: never) => ArgumentProblem
  /** Whether a form that was filled in during an earlier session of the account need not be sent again. */
  isForLaterSessions?: true
  /** Whether its form may be of a page for visitors although somebody is signed in by now: it must not do anything then. */
  isForVisitors?: true
  /** @throws OperationError: the page is shown again with its message and what was entered */
  run: (context: C, input: never, view: View) => Promise<ActionResult>
}

/** Users who may open a page. Visitors are redirected to the sign-in page; others get 403. */
export type PageAccess = 'anyone' | 'account' | 'administrator'

/** A page of the site. */
export interface Page {
  /** Fastify route pattern: `/projects/:project_id`. Forms post to the page's own address. */
  url: string
  access: PageAccess
  /** The operations that `show` calls. Only they validate its query. */
  operations: readonly AnyOperation[]
  /** Path parameters and query. Other names are ignored. */
  query: TObject
  show: (context: never, query: never, view: View) => Promise<PageContent | Download | { to: string }>
  /** Whether anyone with its address may read it: requests are counted by network address, and search engines leave it out. */
  isShared?: true
  /** Whether it is a file, which a browser saves without leaving the page that it shows. */
  isDownload?: true
  /** Actions of the page's forms, by the name that `<Form action>` sends. */
  actions: Readonly<Record<string, Action>>
  /** The action of a POST that names none, as mail programs send it (RFC 8058). */
  oneClick?: string
}

interface Definition<C, Q extends TObject> {
  url: string
  operations: readonly AnyOperation[]
  query: Q
  show: (context: C, query: Query<Q>, view: View) => Promise<PageContent | Download | { to: string }>
  actions?: Readonly<Record<string, Action<C>>>
  oneClick?: string
  isShared?: true
}

/** A page for signed-in users. */
export const accountPage = <Q extends TObject>(page: Definition<Context, Q>): Page => ({ actions: {}, ...page, access: 'account' })

/** A file for signed-in users. The page that offers it has its address without the last segment. */
export const downloadPage = <Q extends TObject>(page: Definition<Context, Q>): Page => ({ ...accountPage(page), isDownload: true })

/** A page for administrators. */
export const administratorPage = <Q extends TObject>(page: Definition<Context, Q>): Page => ({
  actions: {},
  ...page,
  access: 'administrator'
})

/** A page for anyone. */
export const publicPage = <Q extends TObject>(page: Definition<PublicContext, Q>): Page => ({ actions: {}, ...page, access: 'anyone' })

/** Ids in the path of a page's address: `project_id`. */
type PathIds = Readonly<Record<'project_id' | 'paper_id' | 'snapshot_id', string>>

/** Infers the type of an action's input: its fields and the page's path parameters. Does nothing at run time. */
export const action = <F extends TObject, C = Context>(definition: {
  operations: readonly AnyOperation[]
  fields: F
  inField?: (invalid: ArgumentProblem, fields: Fields<F>) => ArgumentProblem
  isForLaterSessions?: true
  isForVisitors?: true
  run: (context: C, input: Fields<F> & PathIds, view: View) => Promise<ActionResult>
}): Action<C> => definition

/** A page that shows what an action made, such as a new key: reloading it does not make another. */
export const resultOf = (page: PageContent): PageContent => ({ ...page, showsResult: true })
