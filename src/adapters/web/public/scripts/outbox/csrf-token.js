/* The token that every form of a signed-in user carries. */
import { fetchPage } from '../page/fetched.js'
import { account } from '../session.js'
import { setObstacle } from './unsent.js'

/**
 * Another sign-in in this browser replaces the token of forms, and kept pages have none.
 * @returns whether there is a new one for this account; undefined if an error page leaves this open
 */
export async function renewCsrfToken () {
  const { page } = await fetchPage(location.href)
  // An error page may not know who is signed in.
  if (page.body.dataset.visitor === 'unknown') return undefined
  if (page.body.dataset.account !== account) { setObstacle('signed out'); return false }
  const value = page.querySelector('[name=csrf_token]')?.value ?? ''
  if (value === '') return undefined
  for (const field of document.querySelectorAll('[name=csrf_token]')) field.value = value
  return true
}
