import { browserLogin } from '../../operations/accounts/browser-login.js'
import type { PublicContext, SignIn } from './page.js'

/** Starts a session of the browser. Validates nothing: the operation does. */
export async function signIn (
  context: PublicContext,
  { email, password }: { email: string | undefined, password: string | undefined }
): Promise<SignIn> {
  const { token, expires_at, device } = await browserLogin.run(context, {
    email,
    password,
    user_agent: context.userAgent,
    device: context.device
  })
  return { token, expires: new Date(expires_at), device }
}
