import type { Static } from 'typebox'
import { Type } from 'typebox'
import { type Candidate, candidateRetentionDays, type CandidatesListResult } from '../../../../schemas/candidate.js'
import { isUuid } from '../../../../schemas/ids.js'
import { toPoints } from '../../../../schemas/points.js'
import { candidateAdd } from '../../../operations/feed/candidate-add.js'
import { candidatesList } from '../../../operations/feed/candidates-list.js'
import { projectsGet } from '../../../operations/projects/projects-get.js'
import { ChangeBadges } from '../components/changes.js'
import { ExternalLink } from '../components/external-link.js'
import { Form, RefusalNotice } from '../components/form.js'
import { Pager } from '../components/pager.js'
import { publishedOn } from '../../../papers/published-on.js'
import { plainTitle, RichText } from '../components/rich-text.js'
import { ScorePill } from '../components/score.js'
import { Time } from '../components/time.js'
import { fromText } from '../fields.js'
import { accountPage, action } from '../page.js'
import { useView } from '../view.js'
import { dayOf, mondayOf } from '../../../../schemas/utc-time.js'

const pageSize = 50

/** Papers that sources found and the feed does not include, each with a button that adds it. */
export const projectCandidatesPage = accountPage({
  url: '/projects/:project_id/candidates',
  operations: [projectsGet, candidatesList],
  query: Type.Pick(candidatesList.input, ['project_id', 'offset']),
  async show (context, { project_id = '', offset }) {
    // Before anything is read.
    const input = candidatesList.check({ project_id, offset, limit: pageSize }, fromText)
    const project = await projectsGet.run(context, { project_id })
    const page = await candidatesList.run(context, input)
    return {
      title: `Not in ${project.name}`,
      project,
      content: <NotInFeed project={project} page={page} />
    }
  },
  actions: {
    add: action({
      operations: [candidateAdd],
      fields: Type.Object({ paper: candidateAdd.input.properties.candidate_id, next: Type.Optional(Type.String()) }),
      async run (context, { project_id, paper, next }, { url }) {
        const { paper_title } = await candidateAdd.run(context, { project_id, candidate_id: paper })
        const to = next !== undefined && isUuid(next) ? `${url}#${lineId(next)}` : url
        return { to, notice: `Added “${plainTitle(paper_title)}” to the feed.` }
      }
    })
  }
})

/** The line of a candidate, to which the page returns when the one before it was added. */
const lineId = (candidateId: string) => `found-${candidateId}`

interface Props {
  project: { id: string, feed_threshold: number }
  page: Static<typeof CandidatesListResult>
}

/** The papers that a feed does not include, by the week in which they were found. */
export function NotInFeed ({ project: { id, feed_threshold }, page: { items, total, offset, limit, has_more, weekly_limit } }: Props) {
  const { to } = useView()
  const base = `/projects/${id}/candidates`
  const nextOf = new Map(items.map(({ candidate_id }, at) => [candidate_id, items[at + 1]?.candidate_id]))
  return (
    <>
      <h1>Not in the feed</h1>
      <p class='lead after-title'>
        Papers found in the last {candidateRetentionDays} days with a score below {toPoints(feed_threshold)}
        {weekly_limit > 0 && `, or not among the best ${weekly_limit} of their week`}. Change this in the{' '}
        <a href={to(`/projects/${id}/settings#amount`)}>settings</a>.
      </p>
      <RefusalNotice actions={['add']} />
      {total === 0
        ? <p class='empty'>Papers below the minimum score will appear here.</p>
        : weeksOf(items).map(({ week, papers }) => (
          <section key={week} aria-labelledby={`week-${week}`}>
            <h2 id={`week-${week}`}>Found in the week of <Time at={`${week}T00:00:00Z`} zone='UTC' /></h2>
            <ol class='paper-lines'>
              {papers.map(paper => <Line key={paper.candidate_id} paper={paper} next={nextOf.get(paper.candidate_id)} />)}
            </ol>
          </section>
        ))}
      <Pager {...{ offset, limit, total, has_more }} count={items.length} address={from => from > 0 ? `${base}?offset=${from}` : base} />
    </>
  )
}

/** @param next the candidate below it */
function Line ({ paper, next }: { paper: Candidate, next: string | undefined }) {
  const { candidate_id, title, authors, author_count, venue_name, published_date, published, url, relevance_score, changes } = paper
  const named = author_count > authors.length ? `${authors[0] ?? ''} et al.` : authors.join(', ')
  const date = published_date === null ? '' : publishedOn(published_date, published)
  const about = [named, venue_name ?? '', date].filter(part => part !== '')
  const text = <RichText as='span' text={title} />
  return (
    <li id={lineId(candidate_id)} class='with-action'>
      <div class='paper-score'><ScorePill value={relevance_score} /></div>
      <div>
        <p class='paper-title'>{url === null ? text : <ExternalLink href={url}>{text}</ExternalLink>}</p>
        {changes.length > 0 && <p><ChangeBadges changes={changes} /></p>}
        <p class='quiet-text' dir='auto'>{about.join(' · ')}</p>
      </div>
      <Form action='add' inRow>
        <input type='hidden' name='paper' value={candidate_id} />
        {next !== undefined && <input type='hidden' name='next' value={next} />}
        <button class='secondary' aria-label={`Add ${plainTitle(title)}`}>Add</button>
      </Form>
    </li>
  )
}

/** Groups papers by the Monday (UTC) of the week in which they were found. */
function weeksOf (papers: readonly Candidate[]): Array<{ week: string, papers: Candidate[] }> {
  const weeks: Array<{ week: string, papers: Candidate[] }> = []
  for (const paper of papers) {
    const week = dayOf(mondayOf(new Date(paper.found_at)))
    const last = weeks.at(-1)
    if (last?.week === week) last.papers.push(paper)
    else weeks.push({ week, papers: [paper] })
  }
  return weeks
}
