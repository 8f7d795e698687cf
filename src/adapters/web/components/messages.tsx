import type { ComponentChildren } from 'preact'

/** Places for the messages of scripts: unsent votes, and what was just done. */
export const Messages = ({ children }: { children?: ComponentChildren }) => (
  <div class='messages'>
    <p id='unsent' class='unsent' role='status' />
    {children}
    <div id='toast' class='toast'>
      <span class='toast-text' role='status' />
      <button type='button' class='quiet' data-offers='reason' hidden>Low quality</button>
      <button type='button' class='quiet' data-offers='undo' hidden>Undo <kbd>z</kbd></button>
    </div>
  </div>
)
