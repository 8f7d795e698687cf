import type { ComponentChildren } from 'preact'
import { useView } from '../view.js'

/** Places for the messages of scripts: unsent votes, and what was just done. */
export function Messages ({ children }: { children?: ComponentChildren }) {
  const { to } = useView()
  return (
    <div class='messages'>
      <p id='unsent' class='unsent' role='status' data-login={to('/login')} hidden />
      {children}
      <div id='toast' class='toast'>
        <span class='toast-text' role='status' />
        <button type='button' class='quiet' data-offers='reason' hidden>Low quality</button>
        <button type='button' class='quiet' data-offers='undo' hidden>Undo <kbd>z</kbd></button>
      </div>
    </div>
  )
}
