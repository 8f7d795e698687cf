import fc from 'fast-check'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { routes } from '../../src/adapters/rest/routes.js'
import { pages } from '../../src/adapters/web/pages.js'
import { formSession } from '../support/forms.js'
import type { TestUser } from '../support/service.js'
import { inputsForSchema } from './arbitrary.js'
import { applyMutation, mutations } from './mutations.js'

/** Excluded forms: they end the session, or send requests to outside services. */
const excludedForms = new Set([
  'sign-out', 'sign-out-everywhere', 'end-session', 'change-password', 'reset-password', 'disable', 'demote', 'delete', 'suggest',
  '/projects/new preview'
])
const urlencoded = 'application/x-www-form-urlencoded'

/** Generates requests for every page, signed in and anonymous, and for every route that needs no session. */
export async function formRequests (
  app: FastifyInstance,
  person: Pick<TestUser, 'email' | 'password'>,
  ids: readonly string[]
): Promise<fc.Arbitrary<InjectOptions>> {
  const { get, cookies } = await formSession(app, person as TestUser)
  const csrfToken = /name="csrf_token" value="([^"]+)"/.exec((await get('/account')).body)![1]!
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const signedIn = fc.oneof({ weight: 5, arbitrary: fc.constant({ cookie }) }, fc.constant({}))

  const pageRequests = fc
    .constantFrom(...pages)
    .chain(({ url, query }) =>
      fc
        .record({ values: inputsForSchema(query, ids), headers: signedIn })
        .map(({ values, headers }): InjectOptions => ({
          method: 'GET',
          url: `${buildUrl(url, values, ids)}?${urlEncode(values)}`,
          headers: { ...headers, accept: 'text/html' }
        }))
    )

  const forms = pages.flatMap(({ url, actions }) =>
    Object.entries(actions)
      .filter(([name]) => !excludedForms.has(name) && !excludedForms.has(`${url} ${name}`))
      .map(([name, { fields }]) => ({ url, name, fields }))
  )
  const formSubmissions = fc.constantFrom(...forms).chain(({ url, name, fields }) =>
    fc
      .record({
        values: inputsForSchema(fields, ids),
        headers: signedIn,
        withCsrfToken: fc.boolean(),
        mutation: mutations,
        type: fc.constantFrom(
          urlencoded,
          urlencoded,
          urlencoded,
          'multipart/form-data; boundary=x',
          'multipart/form-data',
          'application/json'
        )
      })
      .map(({ values, headers, withCsrfToken, mutation, type }): InjectOptions => {
        const all = { action: name, ...(withCsrfToken ? { csrf_token: csrfToken } : {}), ...values as object }
        const payload = type === urlencoded ? urlEncode(all) : type.startsWith('multipart') ? multipartEncode(all) : JSON.stringify(all)
        return {
          method: 'POST',
          url: buildUrl(url, values, ids),
          headers: { ...headers, accept: 'text/html', 'content-type': type },
          payload: applyMutation(payload, mutation)
        }
      })
  )

  const anonymousRequests = fc
    .constantFrom(...routes.filter(({ access, method }) => access === 'anyone' && method === 'POST'))
    .chain(({ url, operation }) =>
      fc
        .record({ values: inputsForSchema(operation.input, ids), mutation: mutations })
        .map(({ values, mutation }): InjectOptions => ({
          method: 'POST',
          url,
          headers: { 'content-type': 'application/json' },
          payload: applyMutation(JSON.stringify(values), mutation)
        }))
    )

  return fc.oneof({ weight: 3, arbitrary: pageRequests }, { weight: 6, arbitrary: formSubmissions }, anonymousRequests)
}

const toText = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value)).toWellFormed()
const urlEncode = (values: unknown) =>
  new URLSearchParams(
    Object.entries(values as object).map(([name, value]): [string, string] => [name.toWellFormed(), toText(value)])
  ).toString()
const multipartEncode = (values: object) =>
  `${Object.entries(values)
    .map(([name, value]) => `--x\r\nContent-Disposition: form-data; name="${name.toWellFormed()}"\r\n\r\n${toText(value)}\r\n`)
    .join('')}--x--\r\n`

/** Fills in the parameters of a route. */
function buildUrl (url: string, values: unknown, ids: readonly string[]): string {
  const parameters = values as Record<string, unknown>
  return url.replace(
    /:(\w+)/g,
    (_whole, name: string) =>
      encodeURIComponent(typeof parameters[name] === 'string' ? parameters[name].toWellFormed().slice(0, 200) : ids[0]!) || 'x'
  )
}
