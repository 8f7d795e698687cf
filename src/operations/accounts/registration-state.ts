import { hasAccount } from '../../../db/queries/accounts.js'
import { RegistrationState } from '../../../schemas/account.js'
import { NoInput } from '../../../schemas/project.js'
import type { ServiceContext } from '../context.js'
import { operation } from '../operation.js'

export const registrationState = operation({
  name: 'registration_state',
  title: 'Who may register',
  description: 'Says whether the first account is still to be made, and what making one takes.',
  input: NoInput,
  output: RegistrationState,
  async handler ({ db, accounts: { registration, setupToken } }: Pick<ServiceContext, 'db' | 'accounts'>) {
    const first = registration !== 'closed' && !await hasAccount(db)
    return { first, open: registration === 'open', needs_setup_token: first && setupToken !== undefined }
  }
})
