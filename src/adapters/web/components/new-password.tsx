import { passwordLength, RegisterInput } from '../../../../schemas/account.js'
import { InvalidArguments } from '../../../errors/operation-errors.js'
import { boundsOf } from '../fields.js'
import { Checkbox, Field } from './form.js'

const { password } = RegisterInput.properties

interface NewPasswordProps {
  /** Name of the first field. */
  name: 'password' | 'new_password'
  /** Follows the minimum length. */
  hint: string
  autofocus?: boolean
}

/** The fields in which a person chooses a password and enters it again. The action's fields have `repeatedPassword`. */
export const NewPassword = ({ name, hint, autofocus = false }: NewPasswordProps) => (
  <>
    <Field
      name={name}
      label={name === 'password' ? 'Password' : 'New password'}
      hint={`At least ${passwordLength.minimum} characters. ${hint}`}
      type='password'
      autocomplete='new-password'
      {...boundsOf(password)}
      required
      autofocus={autofocus}
    />
    <Field name='repeated' label='Confirm password' type='password' autocomplete='new-password' required />
  </>
)

/** The address whose password a form sets, for password managers. @param name sends it as a field, too */
export const Username = ({ email, name }: { email: string, name?: string }) =>
  <input type='email' class='unseen' name={name} value={email} autocomplete='username' readOnly tabIndex={-1} aria-hidden='true' />

/** The field `revoke_keys` of a form that changes a password. */
export const RevokeKeys = () => (
  <Checkbox
    name='revoke_keys'
    label='Revoke MCP keys'
    hint='Use this if someone else may know your password. AI clients need a new key afterwards.'
  />
)

/** The second field of `NewPassword`. */
export const repeatedPassword = { repeated: password }

/** @param name of the first field of `NewPassword` @throws InvalidArguments if the second password differs */
export function requireEqualPasswords (name: NewPasswordProps['name'], first: string | undefined, repeated: string | undefined): void {
  if (first === repeated) return
  const problem = 'must be the same in both fields. Enter it again.'
  throw new InvalidArguments(`${name} ${problem}`, { invalid: { path: name, problem } })
}
