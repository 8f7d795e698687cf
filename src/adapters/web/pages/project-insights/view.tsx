import type { Project } from '../../../../../schemas/project.js'
import type { ProjectStatistics } from '../../../../../schemas/statistics.js'
import { Columns } from '../../parts/columns.js'
import { score } from '../../parts/score.js'
import { useView } from '../../view.js'
import { Lessons } from './lessons.js'

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const dayOf = (date: string) => day.format(new Date(date))
const whole = (value: number) => value.toLocaleString('en')

export function ProjectInsights ({ project, statistics }: { project: Project, statistics: ProjectStatistics }) {
  const { to } = useView()
  const { counts } = project
  return (
    <>
      <h1>Insights</h1>
      {counts.papers === 0
        ? <p class='empty'>The feed is empty, so there is nothing to picture yet. <a href={to(`/projects/${project.id}/settings#sources`)}>See how its sources fare</a>.</p>
        : (
          <>
            <dl class='figures'>
              <div><dt>in the feed</dt><dd>{whole(counts.papers)}</dd></div>
              <div><dt>must read</dt><dd>{whole(counts.must_read)}</dd></div>
              <div><dt>unrated</dt><dd>{whole(counts.unrated)}</dd></div>
              <div><dt>rated</dt><dd>{whole(counts.papers - counts.unrated)}</dd></div>
            </dl>
            <PerWeek weeks={statistics.papers_per_week} />
            <Scores scores={statistics.scores} project={project} />
            <Lessons statistics={statistics} project={project} />
          </>
          )}
    </>
  )
}

function PerWeek ({ weeks }: { weeks: ProjectStatistics['papers_per_week'] }) {
  const total = weeks.reduce((sum, { papers }) => sum + papers, 0)
  const best = weeks.reduce((most, week) => week.papers > most.papers ? week : most)
  const [first, middle] = [weeks[0]!, weeks[Math.floor(weeks.length / 2)]!]
  return (
    <section aria-labelledby='weeks'>
      <h2 id='weeks'>Papers per week</h2>
      <p class='section-text'>{total === 0 ? 'Nothing entered the feed in the last 26 weeks.' : <>{whole(total)} entered the feed in the last 26 weeks, most of them, {whole(best.papers)}, in the week of {dayOf(best.week)}.</>}</p>
      <Columns
        summary={`Papers that entered the feed in each of the last 26 weeks: ${whole(total)} in all, ${whole(best.papers)} at most, in the week of ${dayOf(best.week)}.`}
        heads={['Week of', 'Papers']}
        columns={weeks.map(({ week, papers }, at) => ({ name: dayOf(week), value: papers, strong: at === weeks.length - 1 }))}
        axis={[dayOf(first.week), dayOf(middle.week), 'this week']}
      />
    </section>
  )
}

function Scores ({ scores, project: { must_read_threshold, feed_threshold, counts } }: { scores: ProjectStatistics['scores'], project: Project }) {
  return (
    <section aria-labelledby='scores'>
      <h2 id='scores'>Scores</h2>
      <p class='section-text'>
        Fetched papers enter the feed from {score(feed_threshold)}, and are must read from {score(must_read_threshold)} on. Papers that you import enter with any score.
      </p>
      <Columns
        summary={`How the scores of the feed's papers are distributed between 0 and 1: ${whole(counts.must_read)} of ${whole(counts.papers)} are must read.`}
        heads={['Score', 'Papers']}
        columns={scores.map(({ from, to, papers }) => ({ name: `${score(from)} to ${score(to)}`, value: papers, strong: from >= must_read_threshold - 1e-9 }))}
        axis={['0', '0.25', '0.5', '0.75', '1']}
        legend={<p class='chart-key'><span class='chart-mark' aria-hidden='true' /> related <span class='chart-mark strong' aria-hidden='true' /> must read</p>}
      />
    </section>
  )
}
