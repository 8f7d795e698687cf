import type { FastifyInstance } from 'fastify'
import type { TestUser } from './service.js'

/** Requests pages and sends forms like a browser, with cookies but without a browser. Signs the user in first, if given. */
export async function formSession (app: FastifyInstance, user?: TestUser) {
  const cookies = new Map<string, string>()
  const request = async (method: 'GET' | 'POST', url: string, fields?: Record<string, string>, headers: Record<string, string> = {}) => {
    const answer = await app.inject({
      method,
      url,
      headers: {
        accept: 'text/html',
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(fields === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        ...headers
      },
      ...(fields === undefined ? {} : { payload: new URLSearchParams(fields).toString() })
    })
    for (const { name, value } of answer.cookies) value === '' ? cookies.delete(name) : cookies.set(name, value)
    return answer
  }
  const get = async (url: string, headers?: Record<string, string>) => await request('GET', url, undefined, headers)
  /** Sends a form with the CSRF token of the page. */
  const post = async (url: string, fields: Record<string, string>, headers?: Record<string, string>) => {
    const csrfToken = /name="csrf_token" value="([^"]+)"/.exec((await get(url)).body)?.[1]
    return await request('POST', url, { ...(csrfToken === undefined ? {} : { csrf_token: csrfToken }), ...fields }, headers)
  }
  if (user !== undefined) await post('/login', { action: 'sign-in', email: user.email, password: user.password })
  return { get, post, request, cookies }
}
