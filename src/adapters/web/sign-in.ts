import { browserLogin } from '../../operations/accounts/browser-login.js'
import { OperationError } from '../../errors/operation-errors.js'
import type { ActionResult, PublicContext, SignIn } from './page.js'

/** Starts a session of the browser. Validates nothing: the operation does. */
export async function signIn (
  context: PublicContext,
  { email, password }: { email: string | undefined, password: string | undefined }
): Promise<SignIn> {
  const { token, expires_at, device } = await browserLogin.run(context, {
    email,
    password,
    user_agent: context.userAgent ?? '',
    device: context.device
  })
  return { token, expires: new Date(expires_at), device }
}

/** Signs in to an account that was just created. A refusal must not look like one of the account: its form cannot be sent again. */
export async function signInFirst (
  context: PublicContext,
  credentials: { email: string | undefined, password: string | undefined },
  to: string
): Promise<ActionResult> {
  try {
    return { to, signIn: await signIn(context, credentials) }
  } catch (error) {
    if (!(error instanceof OperationError)) throw error
    return { to: '/login', notice: 'Account created. Sign in.' }
  }
}
