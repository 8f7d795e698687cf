import { keyRotate } from '../../src/operations/keys/key-rotate.js'
import { formSession } from './forms.js'
import { type TestService, type TestUser, logIn } from './service.js'

/** The user's session, and another one once a call has ended it. */
export function sessions (service: TestService, user: TestUser): () => Promise<{ authorization: string }> {
  let headers: { authorization: string } | undefined
  return async () => {
    const ended = headers === undefined || (await service.app.inject({ url: '/api/auth/me', headers })).statusCode === 401
    if (ended) headers = { authorization: `Bearer ${(await logIn(service, user)).access_token}` }
    return headers!
  }
}

/** The user's key, and another one once a call has ended it. */
export function keys ({ context: { db } }: TestService, user: TestUser): () => Promise<{ 'x-api-key': string }> {
  let key = user.key
  return async () => {
    const isThere = await db.selectFrom('mcp_key').select('prefix').where('prefix', '=', key.split('_')[1]!).executeTakeFirst()
    if (isThere === undefined) key = (await keyRotate.run(user.context, {})).api_key
    return { 'x-api-key': key }
  }
}

/** What a browser has after it has signed in: its cookie, and the proof that its forms carry. */
export function browserOf (service: TestService, user: TestUser): () => Promise<{ cookie: string, proof: string }> {
  let session: Awaited<ReturnType<typeof formSession>> | undefined
  return async () => {
    const form = await session?.get('/projects/new')
    if (form?.statusCode !== 200) session = await formSession(service.app, user)
    const proof = /name="proof" value="([^"]+)"/.exec((await session!.get('/projects/new')).body)![1]!
    return { cookie: [...session!.cookies].map(([name, value]) => `${name}=${value}`).join('; '), proof }
  }
}
