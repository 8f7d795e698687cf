import type { FastifyRequest } from 'fastify'
import { keywordsOf } from '../../../schemas/keywords.js'
import type { ServiceContext } from '../../operations/context.js'
import { isOfOwnPage } from '../../server/browser-sessions.js'
import { Form } from './components/form.js'
import { Notice } from './components/notice.js'
import { SignInFields } from './components/sign-in-fields.js'
import { parseForm } from './fields.js'
import type { Page, PageContent } from './page.js'

/*
 * Forms that are sent after their session has ended. The page that asks to sign in carries what was entered, and nothing else stores it.
 * The form's page is then shown with it, to the account whose form it is, and nothing is done before the form is sent again.
 */

/** Characters of a kept form: a research interest of 10,000 Chinese characters has 90,000. */
const maxKeptChars = 256 * 1024
/** Bytes of a form with a kept one in it, whose percent signs are encoded again. */
const maxBytes = 512 * 1024

/** Whether a form without a session may be read: a browser sent it from a page of this service, it has no file, and it is not large. */
export function mayBeKept (context: ServiceContext, request: FastifyRequest): boolean {
  const { method, headers } = request
  return method === 'POST' && headers['hx-request'] === undefined && /\btext\/html\b/.test(headers.accept ?? '') &&
    headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true &&
    Number(headers['content-length']) <= maxBytes && isOfOwnPage(context, request)
}

/** What a form sent, as text, without passwords and other secrets. @returns undefined if it is too long, or of no page of an account */
export function packForm ({ actions }: Page, sent: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof sent.csrf_token !== 'string' || sent.csrf_token === '') return undefined
  const fields = Object.values(actions).flatMap(({ fields }) => Object.entries(fields.properties))
  const secrets = new Set(fields.filter(([, schema]) => keywordsOf(schema).writeOnly === true).map(([name]) => name))
  const kept = Object.entries(sent).filter(([name]) => !secrets.has(name)).flatMap(([name, value]) =>
    [value].flat().map(each => [name, String(each)] as [string, string])
  )
  const text = String(new URLSearchParams(kept))
  return text.length <= maxKeptChars ? text : undefined
}

/** The kept form in one that signs in; undefined for other forms. @throws PayloadTooLarge */
export const unpackForm = ({ action, kept }: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined =>
  action === 'sign-in' && typeof kept === 'string' ? parseForm(kept) : undefined

/** Asks the sender of a form to sign in again. @param kept what was sent */
export const signInAgain = (kept: string): PageContent => ({
  title: 'Sign in',
  content: (
    <div class='narrow'>
      <h1>Sign in</h1>
      <Notice kind='warn'>Your session has ended. Sign in to continue: what you typed is kept, except passwords.</Notice>
      <Form action='sign-in' class='stack'>
        <input type='hidden' name='kept' value={kept} />
        <SignInFields />
      </Form>
    </div>
  )
})
