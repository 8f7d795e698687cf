import type { Project } from '../../../../../schemas/project.js'
import type { ProjectStatistics } from '../../../../../schemas/statistics.js'
import { dayAfter } from '../../../../../schemas/utc-time.js'
import { Columns } from '../../components/columns.js'
import { score, toPoints } from '../../../../../schemas/points.js'
import { formatCount, formatPapers } from '../../components/figures.js'
import { useView } from '../../view.js'
import { Lessons } from './lessons.js'
import { Reliability } from './reliability.js'

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const formatDay = (date: string) => day.format(new Date(date))

/** The page of a project's statistics. */
export function ProjectInsights ({ project, statistics }: { project: Project, statistics: ProjectStatistics }) {
  const { to } = useView()
  const { counts } = project
  return (
    <>
      <h1>Insights</h1>
      {counts.papers === 0
        ? (
          <p class='empty'>
            Charts appear once the feed has papers. <a href={to(`/projects/${project.id}/settings#sources`)}>Check source status</a>.
          </p>
          )
        : (
          <>
            <dl class='figures'>
              <div><dt>in the feed</dt><dd>{formatCount(counts.papers)}</dd></div>
              <div><dt>must read</dt><dd>{formatCount(counts.must_read)}</dd></div>
              <div><dt>unrated</dt><dd>{formatCount(counts.unrated)}</dd></div>
              <div><dt>rated</dt><dd>{formatCount(counts.papers - counts.unrated)}</dd></div>
            </dl>
            <Seen recall={statistics.recall} />
            <PerWeek weeks={statistics.papers_per_week} project={project} />
            <Scores scores={statistics.scores} project={project} />
            <Reliability reliability={statistics.reliability} feedback={statistics.feedback} />
            <Lessons statistics={statistics} project={project} />
          </>
          )}
      <section aria-labelledby='review'>
        <h2 id='review'>Living review</h2>
        <p class='section-text'>Freeze queries, decisions and PRISMA counts of this project as a snapshot to cite.</p>
        <a class='button secondary' href={to(`/projects/${project.id}/snapshots`)}>Snapshots</a>
      </section>
    </>
  )
}

/** How much of what matters has been rated. The feed page reads the sentence at the end of its list. */
function Seen ({ recall }: { recall: ProjectStatistics['recall'] }) {
  const { sentence, confidence, relevant, unrated, excluded, estimate, level, max_missing, min_recall, reached_in_feed } = recall
  // With few votes, any unrated paper may matter: the sentence says how many more are needed, and figures would contradict it.
  const hasBound = level !== null || (max_missing < unrated + excluded && (estimate ?? 0) >= 0.01)
  return (
    <section aria-labelledby='seen'>
      <h2 id='seen'>How much have you missed?</h2>
      <p class='section-text' id='recall' data-reached={String(reached_in_feed)}>{sentence.replaceAll(' %', '\u00a0%')}</p>
      {estimate !== null && hasBound && (
        <p class='section-text quiet-text'>
          Most likely, {Math.floor(100 * estimate)}&nbsp;% of the relevant papers are rated;
          with {Math.round(100 * confidence)}&nbsp;% confidence, at least {Math.floor(100 * min_recall)}&nbsp;%:
          {' '}{formatCount(relevant)} found, at most {formatCount(max_missing)} missing among {formatCount(unrated)} unrated
          {excluded > 0 && <> and {formatCount(excluded)} excluded by the weekly limit</>}.
        </p>
      )}
    </section>
  )
}

function PerWeek ({ weeks, project: { id } }: { weeks: ProjectStatistics['papers_per_week'], project: Project }) {
  const { to } = useView()
  const total = weeks.reduce((sum, { papers }) => sum + papers, 0)
  const peak = weeks.reduce((best, week) => week.papers > best.papers ? week : best)
  const [first, middle] = [weeks[0]!, weeks[Math.floor(weeks.length / 2)]!]
  return (
    <section aria-labelledby='weeks'>
      <h2 id='weeks'>Papers per week</h2>
      <p class='section-text'>
        {total === 0
          ? `No papers were added in the last ${weeks.length} weeks.`
          : (
            <>
              {formatPapers(total)} added in the last {weeks.length} weeks, with a peak of {formatCount(peak.papers)} in the week
              of {formatDay(peak.week)}.
            </>
            )}
      </p>
      <Columns
        summary={`Papers added in each of the last ${weeks.length} weeks: ${formatCount(total)} in total, at most ` +
          `${formatCount(peak.papers)}, in the week of ${formatDay(peak.week)}.`}
        heads={['Week of', 'Papers']}
        columns={weeks.map(({ week, papers }, at) => ({
          name: formatDay(week),
          value: papers,
          strong: at === weeks.length - 1,
          href: to(`/projects/${id}?since=${week}&until=${dayAfter(week, 7)}`)
        }))}
        axis={[formatDay(first.week), formatDay(middle.week), 'this week']}
      />
    </section>
  )
}

function Scores ({
  scores,
  project: { id, must_read_threshold, feed_threshold, counts }
}: {
  scores: ProjectStatistics['scores']
  project: Project
}) {
  const { to } = useView()
  return (
    <section aria-labelledby='scores'>
      <h2 id='scores'>Scores</h2>
      <p class='section-text'>
        Fetched papers need a score of {toPoints(feed_threshold)} and are marked must-read from {toPoints(must_read_threshold)}, of 100.
        Imported papers are added with any score.
      </p>
      <Columns
        summary={`Distribution of scores between 0 and 100: ${formatCount(counts.must_read)} of ${formatCount(counts.papers)} papers are ` +
          'must-read.'}
        heads={['Score', 'Papers']}
        columns={scores.map(({ from, to: end, papers }) => ({
          name: `${score(from)} to ${score(end)}`,
          value: papers,
          strong: from >= must_read_threshold - 1e-9,
          href: to(`/projects/${id}?min_score=${from}&max_score=${end}&sort=best`)
        }))}
        axis={['0', '25', '50', '75', '100']}
        legend={
          <p class='chart-key'>
            <span class='chart-mark' aria-hidden='true' /> related <span class='chart-mark strong' aria-hidden='true' /> must read
          </p>
        }
      />
    </section>
  )
}
