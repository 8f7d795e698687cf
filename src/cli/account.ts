import { accountFind } from '../operations/accounts/account-find.js'
import type { Context } from '../operations/context.js'
import type { Service } from '../service.js'

/** The context of a command that acts for an account, named by its address. @throws AccountNotFound */
export async function actingFor ({ context }: Service, email: string): Promise<Context> {
  const { id } = await accountFind.run(context, { email })
  return { ...context, account: { id } }
}
