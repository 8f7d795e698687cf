/* Clicks that scripts handle in the place of the browser. */

/** Whether a click would open a link in this tab. With other buttons and keys, the browser opens it elsewhere. */
export const isPlainClick = ({ button, ctrlKey, metaKey, shiftKey, altKey }) => button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey
