import type { Project } from '../../../../../schemas/project.js'
import type { ProjectStatistics } from '../../../../../schemas/statistics.js'
import { Time } from '../../components/time.js'
import { useView } from '../../view.js'

/** Also after a vote that is not learned from yet. */
const noWords = 'No words yet.'

/** Words that the project learned from votes. */
export function Lessons ({ statistics: { feedback, learned }, project }: { statistics: ProjectStatistics, project: Project }) {
  const { to } = useView()
  const { upvotes, stars, downvotes, not_relevant, low_quality } = feedback
  const reasons = [not_relevant > 0 && `${not_relevant} not relevant`, low_quality > 0 && `${low_quality} low quality`].filter(
    reason => reason !== false
  )
  return (
    <section aria-labelledby='learned'>
      <h2 id='learned'>Learned from your votes</h2>
      {upvotes + stars + downvotes === 0
        ? (
          <p class='section-text'>
            Nothing yet. Scores use your interest and keywords. <a href={to(`/projects/${project.id}`)}>Rate some papers</a>; a handful of
            votes makes a difference.
          </p>
          )
        : (
          <p class='section-text'>
            {upvotes} {upvotes === 1 ? 'upvote' : 'upvotes'}, {stars} {stars === 1 ? 'star' : 'stars'} and {downvotes}{' '}
            {downvotes === 1 ? 'downvote' : 'downvotes'}
            {reasons.length > 0 && ` (${reasons.join(', ')})`}.{' '}
            {learned.at === null
              ? (
                  'The feed will be rescored within a minute.'
                )
              : (
                <>
                  Last learned <Time at={learned.at} precise />.
                </>
                )}
          </p>
          )}
      {learned.wanted.length + learned.unwanted.length > 0 && (
        <div class='beside'>
          <Terms title='Raises the score' terms={learned.wanted} kind='wanted' empty={upvotes + stars > 0 ? noWords : 'No upvotes yet.'} />
          <Terms title='Lowers the score' terms={learned.unwanted} kind='unwanted' empty={downvotes > 0 ? noWords : 'No downvotes yet.'} />
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
                    <svg viewBox='0 0 100 8' width='100%' height='8' preserveAspectRatio='none' aria-hidden='true'>
                      <rect class={kind} width={Math.max(100 * weight, 1)} height='8' />
                    </svg>
                    <span class='unseen'>{Math.round(100 * weight)}</span>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          )}
    </div>
  )
}
