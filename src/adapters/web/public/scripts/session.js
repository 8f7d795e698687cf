/* The account that this page was rendered for. */

/** Id of the account; undefined if nobody is signed in. */
export const { account } = document.body.dataset

/** Whether a page of the service is for nobody, or for another account than this one. */
export const isOfOther = ({ body: { dataset } }) => 'version' in dataset && dataset.visitor !== 'unknown' && dataset.account !== account

/** The link to the sign-in page, which leads back here. */
export function signInLink () {
  const { login } = document.body.dataset
  // The service adds the path that a proxy has in front of it.
  const next = encodeURIComponent(location.pathname.slice(login.length - '/login'.length) + location.search)
  return Object.assign(document.createElement('a'), { href: `${login}?next=${next}`, textContent: 'Sign in' })
}

/** What a page says when its session is over. */
export const sessionEnded = 'Your session has ended. Sign in again.'
