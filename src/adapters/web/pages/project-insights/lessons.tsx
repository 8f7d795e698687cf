import type { Project } from '../../../../../schemas/project.js'
import type { ProjectStatistics } from '../../../../../schemas/statistics.js'
import { Time } from '../../parts/time.js'
import { useView } from '../../view.js'

/** What votes have taught, as the words that they taught. */
export function Lessons ({ statistics: { feedback, learned }, project }: { statistics: ProjectStatistics, project: Project }) {
  const { to } = useView()
  const { upvotes, stars, downvotes, not_relevant, low_quality } = feedback
  const reasons = [not_relevant > 0 && `${not_relevant} not relevant`, low_quality > 0 && `${low_quality} of low quality`].filter(reason => reason !== false)
  return (
    <section aria-labelledby='learned'>
      <h2 id='learned'>What your votes have taught</h2>
      {upvotes + stars + downvotes === 0
        ? <p class='section-text'>Nothing yet: scores are made of the words of your interest and your keywords. <a href={to(`/projects/${project.id}`)}>Rate some papers of the feed</a>; a handful of votes makes a difference.</p>
        : (
          <p class='section-text'>
            {upvotes} {upvotes === 1 ? 'upvote' : 'upvotes'}, {stars} {stars === 1 ? 'star' : 'stars'} and {downvotes} {downvotes === 1 ? 'downvote' : 'downvotes'}{reasons.length > 0 && ` (${reasons.join(', ')})`}.
            {' '}{learned.at === null ? 'They are learned from within a minute.' : <>Last learned from on <Time at={learned.at} precise />.</>}
          </p>
          )}
      {learned.wanted.length + learned.unwanted.length > 0 && (
        <div class='beside'>
          <Terms title='Speaks for a paper' terms={learned.wanted} kind='wanted' empty='No paper has been liked yet.' />
          <Terms title='Speaks against one' terms={learned.unwanted} kind='unwanted' empty='No paper has been disliked yet.' />
        </div>
      )}
    </section>
  )
}

type Term = ProjectStatistics['learned']['wanted'][number]

function Terms ({ title, terms, kind, empty }: { title: string, terms: readonly Term[], kind: 'wanted' | 'unwanted', empty: string }) {
  return (
    <div>
      <h3 id={kind}>{title}</h3>
      {terms.length === 0
        ? <p class='quiet-text'>{empty}</p>
        : (
          <table class='terms' aria-labelledby={kind}>
            <thead class='unseen'><tr><th scope='col'>Word</th><th scope='col'>Weight</th></tr></thead>
            <tbody>
              {terms.map(({ term, weight }) => (
                <tr key={term}>
                  <th scope='row'>{term}</th>
                  <td>
                    <svg viewBox='0 0 100 8' width='100%' height='8' preserveAspectRatio='none' aria-hidden='true'><rect class={kind} width={Math.max(100 * weight, 1)} height='8' /></svg>
                    <span class='unseen'>{weight.toFixed(2)}</span>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          )}
    </div>
  )
}
