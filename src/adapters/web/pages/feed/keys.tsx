const keys: ReadonlyArray<[keys: string[], meaning: string]> = [
  [['j', 'k'], 'next or previous paper'],
  [['u'], 'upvote'],
  [['s'], 'star'],
  [['d'], 'downvote with a reason'],
  [['o'], 'open paper'],
  [['/'], 'search'],
  [['?'], 'show keyboard shortcuts']
]

/** What the keys do; shown by scripts alone, as the keys work with them alone. */
export const Keys = () => (
  <dialog id='keys' aria-labelledby='keys-title'>
    <h2 id='keys-title'>Keyboard shortcuts</h2>
    <dl>{keys.map(([each, meaning]) => <div key={meaning}><dt>{each.map(key => <kbd key={key}>{key}</kbd>)}</dt><dd>{meaning}</dd></div>)}</dl>
    <p class='tick'><input type='checkbox' id='keys-on' /><label for='keys-on'>Enable shortcuts</label></p>
    <form method='dialog'><button class='secondary'>Close</button></form>
  </dialog>
)
