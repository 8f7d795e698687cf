import { keyRotate } from '../../src/operations/keys/key-rotate.js'
import { formSession } from './forms.js'
import { type TestService, type TestUser, logIn } from './service.js'

/** Headers of the user's session; logs in again after a call ended the session. */
export function sessions (service: TestService, user: TestUser): () => Promise<{ authorization: string }> {
  let headers: { authorization: string } | undefined
  return async () => {
    const ended = headers === undefined || (await service.app.inject({ url: '/api/auth/me', headers })).statusCode === 401
    if (ended) headers = { authorization: `Bearer ${(await logIn(service, user)).access_token}` }
    return headers!
  }
}

/** Headers with the user's key; rotates it after a call revoked the key. */
export function keys ({ context: { db } }: TestService, user: TestUser): () => Promise<{ 'x-api-key': string }> {
  let key = user.key
  return async () => {
    const row = await db.selectFrom('mcp_key').select('prefix').where('prefix', '=', key.split('_')[1]!).executeTakeFirst()
    if (row === undefined) key = (await keyRotate.run(user.context, {})).api_key
    return { 'x-api-key': key }
  }
}

/** Cookie and CSRF token of a signed-in browser; signs in again after a call ended the session. */
export function browserOf (service: TestService, user: TestUser): () => Promise<{ cookie: string, csrfToken: string }> {
  let session: Awaited<ReturnType<typeof formSession>> | undefined
  return async () => {
    const form = await session?.get('/projects/new')
    if (form?.statusCode !== 200) session = await formSession(service.app, user)
    const csrfToken = /name="csrf_token" value="([^"]+)"/.exec((await session!.get('/projects/new')).body)![1]!
    return { cookie: [...session!.cookies].map(([name, value]) => `${name}=${value}`).join('; '), csrfToken }
  }
}
