import { Field } from './form.js'

/** The fields and the button of a form that signs in. */
export const SignInFields = () => (
  <>
    <Field name='email' label='Email address' type='email' autocomplete='username' required autofocus />
    <Field name='password' label='Password' type='password' autocomplete='current-password' required />
    <button>Sign in</button>
  </>
)
