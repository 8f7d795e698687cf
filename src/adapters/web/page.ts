import type { VNode } from 'preact'
import type { TObject } from 'typebox'
import type { AnonymousContext, Context } from '../../operations/context.js'
import type { AnyOperation } from '../../operations/operation.js'
import type { Fields } from './fields.js'

/** A visitor, signed in or not. */
export interface PublicContext extends AnonymousContext, Partial<Pick<Context, 'account' | 'sessionId'>> {
  /** What the browser calls itself. */
  userAgent: string
}

/** What a page knows of the request besides its input; components read it with `useView()`. */
export interface View {
  /** The address of a page of this service, under the path that a reverse proxy may give it: `to('/projects/new')`. */
  to: (path: string) => string
  /** Who is signed in; undefined on pages for anyone. */
  account: { id: string, email: string, administrator: boolean } | undefined
  /** What proves that a form is ours; `<Form>` carries it. Empty while nobody is signed in. */
  proof: string
  /** The address that was asked for, path and query. */
  url: string
  /** The form that was refused, and why: the page is shown again with what was entered. */
  refused: { action: string, message: string } | undefined
  /** What was entered in the refused form, by the field's name. */
  entered: Readonly<Record<string, unknown>>
  /** What was just done, said once on top of the page that follows. */
  notice: string | undefined
}

export interface Shown {
  title: string
  content: VNode
  /** The project whose pages the navigation lists. */
  project?: { id: string, name: string }
  /** Whether the page takes the whole width of the window. */
  wide?: boolean
}

/** A download, whole or piece by piece. */
export interface SentFile {
  file: { body: string | Buffer | AsyncIterable<string>, type: string, name: string }
}

/** What a form leads to: another page (303), or a page that is shown this once. */
export type Outcome =
  { to: string, notice?: string, signIn?: { token: string, expires: Date }, signOut?: true } |
  { shown: Shown } |
  SentFile

export interface Action<C = any> {
  /** What the form has done. Only they validate its fields. */
  operations: readonly AnyOperation[]
  /** The form's fields. An empty one counts as left out, a box that is not ticked as false. */
  fields: TObject
  /** @throws OperationError: the page is shown again with its message and what was entered */
  run: (context: C, input: any, view: View) => Promise<Outcome>
}

/** Who may open a page. Others are asked to sign in; people without the right are refused. */
export type PageAccess = 'anyone' | 'account' | 'administrator'

export interface Page {
  /** Fastify's pattern: `/projects/:project_id`. Forms are posted to the page's own address. */
  url: string
  access: PageAccess
  /** What the page shows the results of. Only they validate its query. */
  operations: readonly AnyOperation[]
  /** Path parameters and query; names that are not in it are ignored. */
  query: TObject
  show: (context: any, query: any, view: View) => Promise<Shown | SentFile | { to: string }>
  /** What its forms do, by the name that `<Form action>` sends. */
  actions: Readonly<Record<string, Action>>
}

interface Definition<C, Q extends TObject> {
  url: string
  operations: readonly AnyOperation[]
  query: Q
  show: (context: C, query: Fields<Q>, view: View) => Promise<Shown | SentFile | { to: string }>
  actions?: Readonly<Record<string, Action<C>>>
}

/** A page for people who are signed in. */
export const accountPage = <Q extends TObject>(page: Definition<Context, Q>): Page => ({ actions: {}, ...page, access: 'account' })

/** A page for administrators. */
export const administratorPage = <Q extends TObject>(page: Definition<Context, Q>): Page => ({ actions: {}, ...page, access: 'administrator' })

/** A page for anyone. */
export const publicPage = <Q extends TObject>(page: Definition<PublicContext, Q>): Page => ({ actions: {}, ...page, access: 'anyone' })

/** Infers the type of an action's input; does nothing at run time. `I` holds the page's path parameters and the fields. */
export const action = <F extends TObject, C = Context>(definition: {
  operations: readonly AnyOperation[]
  fields: F
  run: (context: C, input: Fields<F> & Readonly<Record<string, any>>, view: View) => Promise<Outcome>
}): Action<C> => definition
