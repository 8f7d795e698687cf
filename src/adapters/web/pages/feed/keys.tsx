type Row = readonly [keys: readonly string[], meaning: string]

/** Of the page of a paper, and of the list of a feed. */
const ofPaper: readonly Row[] = [
  [['j', 'k'], 'next or previous paper'],
  [['u'], 'upvote'],
  [['f'], 'star'],
  [['d'], 'not relevant'],
  [['l'], 'low quality'],
  [['c'], 'remove the vote'],
  [['s', 'S'], 'save for later, or remove from saved'],
  [['t'], 'add a tag'],
  [['n'], 'write a note'],
  [['z'], 'undo'],
  [['T'], 'tune the feed from this paper'],
  [['?'], 'show keyboard shortcuts']
]
/** Of the list alone. */
const ofList: readonly Row[] = [
  [['o'], 'open paper'],
  [['e'], 'skip the rest of this day'],
  [['x'], 'select; the next vote, save or tag is for all selected papers'],
  [['A'], 'select all listed papers'],
  [['/'], 'search']
]

/** Help for the keyboard shortcuts. Only scripts open it, since shortcuts need scripts. */
export const Shortcuts = ({ inPaper = false }: { inPaper?: boolean }) => (
  <dialog id='keys' aria-labelledby='keys-title'>
    {/* Else the dialog opens at its first field, below the list. */}
    <h2 id='keys-title' tabIndex={-1} autofocus>Keyboard shortcuts</h2>
    <dl>
      {(inPaper ? ofPaper : [...ofPaper.slice(0, -1), ...ofList, ...ofPaper.slice(-1)]).map(([keys, meaning]) => (
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

/** Opens the help. Scripts show it. */
export const ShortcutsButton = () => <button type='button' class='quiet keys-button' data-keys='' hidden>Shortcuts</button>
