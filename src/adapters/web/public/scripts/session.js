/* The account that this page was rendered for. */

/** Id of the account; undefined if nobody is signed in. */
export const { account } = document.body.dataset

/** Whether a page of the service is for nobody, or for another account than this one. */
export const isOfOther = ({ body: { dataset } }) => 'version' in dataset && dataset.visitor !== 'unknown' && dataset.account !== account

/** What a page says when its session is over. */
export const sessionEnded = 'Your session has ended. Sign in again.'
