import type { NewProjectPreviewResult } from '../../../../schemas/project.js'
import { OutsideLink } from './outside-link.js'
import { publishedOn } from './paper.js'
import type { KnownSource } from './project-fields.js'
import { ScoreBar } from './score.js'
import { Time } from './time.js'

const shownAuthors = 3

/** What a new project would bring: how each source fared, and the best papers. */
export function NewProjectPreview ({ preview: { counts, papers, sources: asked }, sources }: { preview: NewProjectPreviewResult, sources: readonly KnownSource[] }) {
  const titleOf = (name: string) => sources.find(source => source.name === name)?.title ?? name
  return (
    <>
      <p class='preview-sum'>
        <strong>{counts.entering} {counts.entering === 1 ? 'paper' : 'papers'}</strong> would be added, {counts.must_read} of them must-read; {counts.found - counts.entering} score too low.
      </p>
      <ul class='source-answers'>
        {asked.map(({ name, query, since, found, entering, error }) => (
          <li key={`${name} ${query}`} title={query}>
            <span class={`dot ${error === null ? 'good' : 'bad'}`} aria-hidden='true' />
            <span>
              <strong>{titleOf(name)}</strong>{' '}
              {error === null || found > 0 ? `${entering} of ${found}` : ''}
              {since !== null && error === null && <span class='quiet-text'> since <Time at={since} /></span>}
              {error !== null && <span class='quiet-text'> {error}</span>}
            </span>
          </li>
        ))}
      </ul>
      {papers.length === 0
        ? <p class='quiet-text'>No papers. Use keywords that papers use themselves, add a source, or lower the minimum score.</p>
        : (
          <ol class='paper-lines'>
            {papers.map(({ title, url, authors, venue_name, published_date, relevance_score, relevance_class, personalized_note, sources }) => (
              <li key={title}>
                <div class='paper-score'>
                  <ScoreBar value={relevance_score} strong={relevance_class === 'must_read'} />
                  {relevance_class === 'must_read' && 'must read'}
                </div>
                <div>
                  <p class='paper-title'>{url === null ? title : <OutsideLink href={url}>{title}</OutsideLink>}</p>
                  <p class='quiet-text'>
                    {[authors.length === 0 ? null : authors.slice(0, shownAuthors).map(({ name }) => name).join(', ') + (authors.length > shownAuthors ? ' et al.' : ''), venue_name, published_date === null ? null : publishedOn(published_date), sources.map(titleOf).join(', ')].filter(part => part !== null && part !== '').join(' · ')}
                  </p>
                  <p class='quiet-text'>{personalized_note}</p>
                </div>
              </li>
            ))}
          </ol>
          )}
    </>
  )
}
