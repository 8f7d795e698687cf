import { hasAccount } from '../../../db/queries/accounts.js'
import { RegistrationState } from '../../../schemas/account.js'
import { NoInput } from '../../../schemas/empty.js'
import type { AnonymousContext } from '../context.js'
import { operation } from '../operation.js'

export const registrationState = operation({
  name: 'registration_state',
  title: 'Get the registration state',
  description: 'Returns whether registration is open, whether the next account is the first, and whether it needs the setup token.',
  input: NoInput,
  output: RegistrationState,
  async handler ({
    db,
    accounts: { registration, trustsLocalSetup },
    isLocal = false
  }: Pick<AnonymousContext, 'db' | 'accounts' | 'isLocal'>) {
    const first = registration !== 'closed' && !(await hasAccount(db))
    return { first, open: registration === 'open', needs_setup_token: first && !(trustsLocalSetup && isLocal) }
  }
})
