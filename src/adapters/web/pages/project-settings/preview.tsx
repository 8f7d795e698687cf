import type { projectPreview } from '../../../../operations/projects/project-preview.js'
import { score } from '../../../../../schemas/points.js'
import { formatPapers } from '../../components/figures.js'
import { RichText } from '../../components/rich-text.js'
import { Time } from '../../components/time.js'
import { useView } from '../../view.js'

/** Result of a preview. */
export type Preview = Awaited<ReturnType<typeof projectPreview.run>>

/** Papers beyond this number are collapsed. */
const visiblePapers = 8

/** Papers that a change of settings would add and remove. */
export function SettingsPreview ({ preview: { since, compared, not_compared, complete, counts, added, dropped } }: { preview: Preview }) {
  const difference = counts.must_read - counts.must_read_now
  if (compared === 0) {
    return (
      <p class='preview-sum'>
        {not_compared === 0
          ? <>No papers have been found since <Time at={since} />, so the feed would not change yet.</>
          : `No paper would be added or removed. The feed keeps ${formatPapers(not_compared)} that were imported, rated, marked or added ` +
            'earlier; their scores follow your change.'}
      </p>
    )
  }
  return (
    <>
      <p class='preview-sum'>
        Of the {complete ? '' : 'newest '}
        {formatPapers(compared)} found since <Time at={since} />, <strong>{counts.added} would be added</strong> and{' '}
        <strong>{counts.dropped} removed</strong>. {counts.must_read} would be must read
        {difference === 0 ? ', the same as now' : `, ${Math.abs(difference)} ${difference > 0 ? 'more' : 'fewer'} than now`}.
      </p>
      {counts.added + counts.dropped === 0
        ? <p class='quiet-text'>The feed would not change.</p>
        : (
          <div class='beside'>
            <Papers title='Added' mark='+' papers={added} total={counts.added} />
            <Papers title='Removed' mark='−' papers={dropped} total={counts.dropped} />
          </div>
          )}
    </>
  )
}

/** One side of a preview: the papers that a change moves in one direction. */
export function Papers ({ title, mark, papers, total }: { title: string, mark: string, papers: Preview['added'], total: number }) {
  return (
    <div>
      <h3>{title} <span class='quiet-text'>{total}</span></h3>
      {papers.length === 0
        ? <p class='quiet-text'>None.</p>
        : (
          <>
            <Lines papers={papers.slice(0, visiblePapers)} mark={mark} />
            {papers.length > visiblePapers && (
              <details class='fold'>
                <summary>
                  {papers.length - visiblePapers} more{total > papers.length ? ` of ${total - visiblePapers}` : ''}
                </summary>
                <Lines papers={papers.slice(visiblePapers)} mark={mark} />
              </details>
            )}
          </>
          )}
    </div>
  )
}

function Lines ({ papers, mark }: { papers: Preview['added'], mark: string }) {
  const { to } = useView()
  return (
    <ul class='change-lines' hx-boost='false'>
      {papers.map(({ paper_id, title, relevance_score, now }) => {
        const text = <RichText as='span' text={title} />
        return (
          <li key={paper_id}>
            <span class='change-mark' aria-hidden='true'>{mark}</span>
            {/* A paper outside every feed has no page. */}
            <span>{now === null ? text : <a href={to(`/papers/${paper_id}`)}>{text}</a>}</span>
            <span class='change-score'>{now === null ? score(relevance_score) : <>{score(now)} → {score(relevance_score)}</>}</span>
          </li>
        )
      })}
    </ul>
  )
}
