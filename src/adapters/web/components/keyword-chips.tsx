import type { Static } from 'typebox'
import type { KeywordsSuggestResult } from '../../../../schemas/project.js'
import { useView } from '../view.js'

type Suggestions = Pick<Static<typeof KeywordsSuggestResult>, 'terms' | 'examples'>

/** Keywords from example papers, to include or exclude with a click each, and the examples that were not found. */
export function KeywordChips ({ terms: suggested, examples }: Suggestions) {
  const { entered } = useView()
  const chosen = (name: 'include' | 'exclude') => [entered[name]].flat().filter(term => typeof term === 'string')
  const [included, excluded] = [chosen('include'), chosen('exclude')]
  const others = [...new Set([...included, ...excluded])].filter(term => !suggested.some(each => each.term === term))
  const terms = [...suggested, ...others.map(term => ({ term, papers: null, titles: null }))]
  const missing = examples.filter(({ problem }) => problem !== null)
  const found = examples.length - missing.length
  return (
    <>
      {terms.length > 0 && (
        <fieldset class='suggestions'>
          <legend>From your examples</legend>
          <ul class='plain'>
            {terms.map(({ term, papers, titles }, at) => (
              <li key={term} class='suggestion'>
                <input type='checkbox' id={`include-${at}`} name='include' value={term} checked={included.includes(term)} />
                <label
                  for={`include-${at}`}
                  title={papers === null ? undefined : `In ${papers} of ${found} papers, ${titles} of their titles`}
                >
                  <span class='unseen'>Include </span>{term} {papers !== null && <small>{papers}/{found}</small>}
                </label>
                <input type='checkbox' id={`exclude-${at}`} name='exclude' value={term} checked={excluded.includes(term)} />
                <label for={`exclude-${at}`} class='against' title={`Exclude papers with “${term}”`}>
                  <span class='unseen'>Exclude {term}</span><span aria-hidden='true'>−</span>
                </label>
              </li>
            ))}
          </ul>
        </fieldset>
      )}
      {missing.length > 0 && (
        <div class='notice warn'>
          <p>{missing.length === 1 ? 'An example was not found:' : `${missing.length} examples were not found:`}</p>
          <ul>{missing.map(({ text, problem }) => <li key={text}><span dir='auto'>{text}</span>: {problem}</li>)}</ul>
        </div>
      )}
    </>
  )
}
