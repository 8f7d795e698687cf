import { accountFind } from '../operations/accounts/account-find.js'
import type { Context } from '../operations/context.js'
import { projectOwner } from '../operations/projects/project-owner.js'
import type { Service } from '../service.js'

/** Returns the context of a command that acts for the account with this email address. @throws AccountNotFound */
export async function actingForAccount ({ context }: Service, email: string): Promise<Context> {
  const { id } = await accountFind.run(context, { email })
  return { ...context, account: { id } }
}

/** Returns the context of a command that acts for the owner of a project. @throws ProjectNotFound */
export async function actingForOwner ({ context }: Service, project_id: string): Promise<Context> {
  const { account_id } = await projectOwner.run(context, { project_id })
  return { ...context, account: { id: account_id } }
}
