const shortcuts: ReadonlyArray<[keys: string[], meaning: string]> = [
  [['j', 'k'], 'next or previous paper'],
  [['u'], 'upvote'],
  [['f'], 'star'],
  [['d'], 'not relevant'],
  [['l'], 'low quality'],
  [['c'], 'remove the vote'],
  [['s', 'S'], 'save for later, or remove from saved'],
  [['t'], 'add a tag'],
  [['n'], 'write a note'],
  [['e'], 'skip the rest of this day'],
  [['z'], 'undo'],
  [['x'], 'select; the next vote, save or tag is for all selected papers'],
  [['A'], 'select all listed papers'],
  [['o'], 'open paper'],
  [['T'], 'tune the feed from this paper'],
  [['/'], 'search'],
  [['?'], 'show keyboard shortcuts']
]

/** Help for the keyboard shortcuts. Only scripts open it, since shortcuts need scripts. */
export const Shortcuts = () => (
  <dialog id='keys' aria-labelledby='keys-title'>
    {/* Else the dialog opens at its first field, below the list. */}
    <h2 id='keys-title' tabIndex={-1} autofocus>Keyboard shortcuts</h2>
    <dl>
      {shortcuts.map(([keys, meaning]) => (
        <div key={meaning}>
          <dt>
            {keys.map(key => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
    <p class='tick'>
      <input type='checkbox' id='keys-on' />
      <label for='keys-on'>Enable shortcuts</label>
    </p>
    <p class='tick'>
      <input type='checkbox' id='advance-on' />
      <label for='advance-on'>Open the next paper after a vote by key</label>
    </p>
    <form method='dialog'>
      <button class='secondary'>Close</button>
    </form>
  </dialog>
)
