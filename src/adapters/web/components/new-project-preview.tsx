import type { NewProjectPreviewResult } from '../../../../schemas/project.js'
import { ChangeBadges } from './changes.js'
import { ExternalLink } from './external-link.js'
import { formatPapers } from './figures.js'
import { publishedOn } from '../../../papers/published-on.js'
import type { SourceChoice } from './project-fields.js'
import { RichText } from './rich-text.js'
import { ScorePill } from './score.js'
import { Time } from './time.js'

const visibleAuthors = 3

interface PreviewProps { preview: NewProjectPreviewResult, sources: ReadonlyArray<Pick<SourceChoice, 'name' | 'title'>> }

/** A preview of a new project's feed: the result of each source, and the best papers. */
export function NewProjectPreview ({ preview: { counts, papers, sources: results, examples }, sources }: PreviewProps) {
  const excluded = counts.found - counts.entering
  const titleOf = (name: string) => sources.find(source => source.name === name)?.title ?? name
  return (
    <>
      {counts.found > 0 && (
        <p class='preview-sum'>
          <strong>{formatPapers(counts.entering)}</strong>{' '}
          would be added{counts.entering > 0 && `, ${counts.must_read} of them must-read`}
          {excluded > 0 &&
            `; ${excluded} would not: their score is too low, they contain an excluded keyword, or the weekly limit is reached`}.
        </p>
      )}
      {examples.length > 0 && <p class='quiet-text'>{examplesSentence(examples)}</p>}
      <ul class='source-answers'>
        {results.map(({ name, query, since, found, entering, error }) => (
          <li key={`${name} ${query}`} title={query}>
            <span class={`dot ${error === null ? 'good' : 'bad'}`} aria-hidden='true' />
            <span>
              {/* An error names its source. */}
              {(found > 0 || error?.startsWith(titleOf(name)) !== true) && <><strong>{titleOf(name)}</strong>{' '}</>}
              {error === null || found > 0 ? `${entering} of ${found}` : ''}
              {since !== null && error === null && <span class='quiet-text'> since <Time at={since} zone='UTC' /></span>}
              {error !== null && <span class='quiet-text'>{found > 0 && ' '}{error}</span>}
            </span>
          </li>
        ))}
      </ul>
      {papers.length === 0
        ? (
          <p class='quiet-text'>
            {counts.found > 0
              ? 'Lower the minimum score, or change the keywords or the weekly limit, to add some of them.'
              : results.some(({ error }) => error !== null)
                ? 'No papers found, but some sources failed. You can go on: failed sources are retried.'
                : 'No papers found. Try more common keywords, or add a source.'}
          </p>
          )
        : (
          <ol class='paper-lines'>
            {papers.map(paper => <PaperRow key={paper.title} paper={paper} titleOf={titleOf} />)}
          </ol>
          )}
    </>
  )
}

/** "Learned from 1 of 2 example papers. “10.1000/x”: No source has a paper with this identifier." */
function examplesSentence (examples: NewProjectPreviewResult['examples']): string {
  const problems = examples.flatMap(({ text, problem }) => problem === null ? [] : `“${text}”: ${problem}`)
  const papers = examples.length === 1 ? 'example paper' : 'example papers'
  return [`Learned from ${examples.length - problems.length} of ${examples.length} ${papers}.`, ...problems].join(' ')
}

type PreviewPaper = NewProjectPreviewResult['papers'][number]

function PaperRow ({ paper, titleOf }: { paper: PreviewPaper, titleOf: (source: string) => string }) {
  const { title, url, relevance_score, relevance_class, personalized_note, changes } = paper
  const isMustRead = relevance_class === 'must_read'
  return (
    <li>
      <div class='paper-score'>
        <ScorePill value={relevance_score} mustRead={isMustRead} />
      </div>
      <div>
        <p class='paper-title'>
          {url === null
            ? (
              <RichText as='span' text={title} />
              )
            : (
              <ExternalLink href={url}>
                <RichText as='span' text={title} />
              </ExternalLink>
              )}
        </p>
        {changes.length > 0 && <p><ChangeBadges changes={changes} /></p>}
        <p class='quiet-text'>{originOf(paper, titleOf)}</p>
        <RichText as='p' class='quiet-text' text={personalized_note ?? ''} />
      </div>
    </li>
  )
}

/** "Doe, Roe et al. · Nature · 3 May 2026 · PubMed" */
function originOf ({ authors, venue_name, published_date, published, sources }: PreviewPaper, titleOf: (source: string) => string): string {
  const names = authors.slice(0, visibleAuthors).map(({ name }) => name).join(', ')
  const parts = [
    authors.length > visibleAuthors ? `${names} et al.` : names,
    venue_name,
    published_date === null ? null : publishedOn(published_date, published),
    sources.map(titleOf).join(', ')
  ]
  return parts.filter(part => part !== null && part !== '').join(' · ')
}
