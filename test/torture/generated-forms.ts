import fc from 'fast-check'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { routes } from '../../src/adapters/rest/routes.js'
import { pages } from '../../src/adapters/web/pages.js'
import { formSession } from '../support/forms.js'
import type { TestUser } from '../support/service.js'
import { ofSchema } from './arbitrary.js'
import { mutated, mutations } from './mutations.js'

/** Excluded forms: they end the session, or send requests to outside services. */
const leftOut = new Set(['sign-out', 'sign-out-everywhere', 'end-session', 'change-password', 'reset-password', 'disable', 'demote', 'delete', 'suggest', '/projects/new preview'])
const urlencoded = 'application/x-www-form-urlencoded'

/** Generates requests for every page, signed in and anonymous, and for every route that needs no session. */
export async function formRequests (app: FastifyInstance, person: Pick<TestUser, 'email' | 'password'>, ids: readonly string[]): Promise<fc.Arbitrary<InjectOptions>> {
  const { get, cookies } = await formSession(app, person as TestUser)
  const proof = /name="proof" value="([^"]+)"/.exec((await get('/account')).body)![1]!
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const signedIn = fc.oneof({ weight: 5, arbitrary: fc.constant({ cookie }) }, fc.constant({}))

  const shown = fc.constantFrom(...pages).chain(({ url, query }) => fc.record({ values: ofSchema(query, ids), headers: signedIn }).map(({ values, headers }): InjectOptions =>
    ({ method: 'GET', url: `${addressOf(url, values, ids)}?${encoded(values)}`, headers: { ...headers, accept: 'text/html' } })))

  const forms = pages.flatMap(({ url, actions }) => Object.entries(actions).filter(([name]) => !leftOut.has(name) && !leftOut.has(`${url} ${name}`)).map(([name, { fields }]) => ({ url, name, fields })))
  const sent = fc.constantFrom(...forms).chain(({ url, name, fields }) =>
    fc.record({ values: ofSchema(fields, ids), headers: signedIn, proven: fc.boolean(), mutation: mutations, type: fc.constantFrom(urlencoded, urlencoded, urlencoded, 'multipart/form-data; boundary=x', 'multipart/form-data', 'application/json') })
      .map(({ values, headers, proven, mutation, type }): InjectOptions => {
        const all = { action: name, ...(proven ? { proof } : {}), ...values as object }
        const payload = type === urlencoded ? encoded(all) : type.startsWith('multipart') ? parts(all) : JSON.stringify(all)
        return { method: 'POST', url: addressOf(url, values, ids), headers: { ...headers, accept: 'text/html', 'content-type': type }, payload: mutated(payload, mutation) }
      }))

  const anyones = fc.constantFrom(...routes.filter(({ access, method }) => access === 'anyone' && method === 'POST')).chain(({ url, operation }) =>
    fc.record({ values: ofSchema(operation.input, ids), mutation: mutations }).map(({ values, mutation }): InjectOptions =>
      ({ method: 'POST', url, headers: { 'content-type': 'application/json' }, payload: mutated(JSON.stringify(values), mutation) })))

  return fc.oneof({ weight: 3, arbitrary: shown }, { weight: 6, arbitrary: sent }, anyones)
}

const written = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value)).toWellFormed()
const encoded = (values: unknown) => new URLSearchParams(Object.entries(values as object).map(([name, value]): [string, string] => [name.toWellFormed(), written(value)])).toString()
const parts = (values: object) => `${Object.entries(values).map(([name, value]) => `--x\r\nContent-Disposition: form-data; name="${name.toWellFormed()}"\r\n\r\n${written(value)}\r\n`).join('')}--x--\r\n`

/** The address of a route with its parameters filled in. */
function addressOf (url: string, values: unknown, ids: readonly string[]): string {
  const given = values as Record<string, unknown>
  return url.replace(/:(\w+)/g, (_whole, name: string) => encodeURIComponent(typeof given[name] === 'string' ? given[name].toWellFormed().slice(0, 200) : ids[0]!) || 'x')
}
