import { useView } from '../view.js'
import { Field } from './form.js'

/** The fields and the button of a form that signs in. After a refusal, the password is what is left to enter. */
export const SignInFields = () => {
  const { email } = useView().entered
  const hasEmail = typeof email === 'string' && email !== ''
  return (
    <>
      <Field name='email' label='Email address' type='email' autocomplete='username' required autofocus={!hasEmail} />
      <Field name='password' label='Password' type='password' autocomplete='current-password' required autofocus={hasEmail} />
      <button>Sign in</button>
    </>
  )
}
