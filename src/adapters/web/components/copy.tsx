/** A text with a copy button. Without scripts, people select the text. @param label names the text for screen readers */
export const Copy = ({ text, label, lines = false }: { text: string, label: string, lines?: boolean }) => (
  <div class={lines ? 'copy lines' : 'copy'}>
    {lines
      ? <pre tabIndex={0} role='region' aria-label={label}><code>{text}</code></pre>
      : <input type='text' readOnly value={text} aria-label={label} />}
    <button type='button' class='quiet' data-copy={text} hidden>
      <span aria-live='polite'>Copy</span> <span class='unseen'>{label}</span>
    </button>
  </div>
)
