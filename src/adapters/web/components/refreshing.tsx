import type { ComponentChildren } from 'preact'

/**
 * Attributes of a part of a page that loads itself again while work is running.
 * @param part its selector @param address of the page @param seconds between loads
 */
export const refreshWhile = (isRunning: boolean, part: string, address: string, seconds = 2): Record<string, string> => isRunning
  ? { 'hx-get': address, 'hx-trigger': `every ${seconds}s`, 'hx-select': part, 'hx-target': part, 'hx-swap': 'outerHTML' }
  : {}

/**
 * The same for a part that disappears when the work ends: then a larger part of the page loads itself again.
 * @param whole selector of the larger part
 */
export const refreshUntilGone = (part: string, whole: string, address: string, seconds = 2): Record<string, string> =>
  ({ ...refreshWhile(true, part, address, seconds), 'data-swapped-at-end': whole })

/** Tells readers without scripts how to see the progress of such a part. @param address of the page */
export const ReloadHint = ({ address }: { address: string }) => (
  <noscript> <a href={address}>Reload the page</a> to see whether it is done.</noscript>
)

/** Says that a page updates itself, and how to reload it without scripts. @param address of the page */
export const UpdatesItself = ({ address, children }: { address: string, children?: ComponentChildren }) => (
  <p class='quiet-text'>
    This page updates by itself<noscript>; without scripts, <a href={address}>reload it</a></noscript>.{children}
  </p>
)
