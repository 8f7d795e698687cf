/* The hint at the must-read score: whether every fetched paper of the feed reaches it. */

/** Lets the hint follow the fields. src/adapters/web/project-values.ts decides likewise before and after. */
export function startMustReadScore () {
  document.addEventListener('input', ({ target: { form } }) => {
    const problem = form?.querySelector('#must-read-problem')
    if (problem == null) return
    const [minimum, mustRead] = ['feed_threshold', 'must_read_threshold'].map(name => form.elements[name].value)
    problem.hidden = minimum === '' || mustRead === '' || Number(mustRead) > Number(minimum)
  })
}
