import type { ComponentChildren } from 'preact'
import { Type } from 'typebox'
import type { ServiceReport } from '../../../../schemas/administration.js'
import { serviceReport } from '../../../operations/administration/service-report.js'
import { serviceState } from '../../../operations/administration/service-state.js'
import { administratorPage } from '../page.js'
import { Administration } from '../components/administration.js'
import { ShareBar } from '../components/share-bar.js'
import { formatBytes, formatCount, formatDuration } from '../components/figures.js'
import { Notice } from '../components/notice.js'
import { Time } from '../components/time.js'
import { useView } from '../view.js'

/** The page warns below this share of free disk space. */
const minFreeShare = 0.1

/** Status of the service: version, database, storage, enabled features. */
export const servicePage = administratorPage({
  url: '/administration/service',
  operations: [serviceReport, serviceState],
  query: Type.Object({}),
  async show (context) {
    const [report, { sources, failing_alerts }] = await Promise.all([serviceReport.run(context, {}), serviceState.run(context, {})])
    return { title: 'Service', content: <Service {...report} sources={sources} failing_alerts={failing_alerts} /> }
  }
})

type State = Awaited<ReturnType<typeof serviceState.run>>

const Service = (state: ServiceReport & Pick<State, 'sources' | 'failing_alerts'>) => (
  <Administration>
    <Health {...state} />
    <section aria-labelledby='program'>
      <h2 id='program'>Program</h2>
      <dl class='properties'>
        <Fact name='Litfeed'>{state.version}</Fact>
        <Fact name='Node.js'>{state.node_version}</Fact>
        <Fact name='Uptime'>
          {formatDuration(state.uptime_seconds)}
          <span class='quiet-text property-more'>
            since <Time at={state.started_at} precise />
          </span>
        </Fact>
        <Fact name='Memory'>{formatBytes(state.memory_bytes)}</Fact>
      </dl>
    </section>
    <section aria-labelledby='kept'>
      <h2 id='kept'>Contents</h2>
      <dl class='totals'>
        <Figure name='accounts' number={state.counts.accounts} />
        <Figure name='projects' number={state.counts.projects} />
        <Figure name='papers' number={state.counts.papers} />
        <Figure name='in feeds' number={state.counts.feed_items} />
        <Figure name='full texts' number={state.counts.full_texts} />
      </dl>
    </section>
    {state.sources.length > 0 && <Sources sources={state.sources} />}
    <Storage {...state} />
    <Backups backups={state.backups} />
    <section aria-labelledby='features'>
      <h2 id='features'>Settings</h2>
      <ul class='entries features'>
        {state.features.map(({ name, on, setting, detail }) => (
          <li key={setting}>
            <p class='row-name'>{name}</p>
            <p class='quiet-text feature-detail'>{detail ?? ''}</p>
            <p><code>{setting}</code></p>
            <p><span class={`badge ${on ? 'good' : ''}`}>{on ? 'on' : 'off'}</span></p>
          </li>
        ))}
      </ul>
    </section>
  </Administration>
)

function Health ({
  ready,
  disk,
  counts: { jobs_waiting, jobs_running, jobs_failed },
  failing_alerts
}: ServiceReport & Pick<State, 'failing_alerts'>) {
  const { to } = useView()
  const isDiskFull = disk !== null && disk.free_bytes < disk.total_bytes * minFreeShare
  return (
    <>
      {!ready && <Notice kind='bad'>The database schema is out of date, so requests are refused. Restart the service.</Notice>}
      {isDiskFull && <Notice kind='warn'>The disk is nearly full: {formatBytes(disk.free_bytes)} left.</Notice>}
      <p class={`condition ${ready && !isDiskFull ? 'well' : ''}`}>
        {ready && !isDiskFull ? 'All systems OK.' : 'Needs attention.'}{' '}
        <span class='quiet-text'>
          {formatCount(jobs_running)} {jobs_running === 1 ? 'job' : 'jobs'} running, {formatCount(jobs_waiting)} waiting
          {jobs_failed > 0 && (
            <>
              , <a href={to('/administration/jobs?state=failed')}>{formatCount(jobs_failed)} failed</a>
            </>
          )}
          {failing_alerts > 0 && (
            <>
              , {formatCount(failing_alerts)} {failing_alerts === 1 ? 'alert' : 'alerts'} failing
            </>
          )}
          .
        </span>
      </p>
    </>
  )
}

const Sources = ({ sources }: Pick<State, 'sources'>) => (
  <section aria-labelledby='sources'>
    <h2 id='sources'>Sources</h2>
    <ul class='entries sources'>
      {sources.map(({ name, queries, failing, since_success_seconds }) => (
        <li key={name}>
          <p class='row-name'>{name}</p>
          <p class='quiet-text'>
            {formatCount(queries)} project {queries === 1 ? 'query' : 'queries'},{' '}
            {since_success_seconds === null ? 'not checked yet' : `last success ${formatDuration(Math.round(since_success_seconds))} ago`}
          </p>
          <p>{failing === 0 ? <span class='badge good'>OK</span> : <span class='badge bad'>{formatCount(failing)} failing</span>}</p>
        </li>
      ))}
    </ul>
  </section>
)

function Storage ({ database: { kind, version, migration, bytes, tables }, disk }: ServiceReport) {
  const used = disk === null ? 0 : 1 - disk.free_bytes / disk.total_bytes
  const largest = tables.filter(table => table.bytes >= bytes / 200).slice(0, 10)
  return (
    <section aria-labelledby='storage'>
      <h2 id='storage'>Storage</h2>
      <dl class='properties'>
        <Fact name='Database'>{kind === 'embedded' ? 'embedded' : 'PostgreSQL server'}, PostgreSQL {version}</Fact>
        <Fact name='Schema version'>{migration}</Fact>
        <Fact name='Size'>{formatBytes(bytes)}</Fact>
        {disk !== null && (
          <Fact name='Data disk'>
            {formatBytes(disk.free_bytes)} free of {formatBytes(disk.total_bytes)}
            <ShareBar share={used} kind={used > 1 - minFreeShare ? 'warn' : 'accent'} />
          </Fact>
        )}
      </dl>
      <div class='scroll' tabIndex={0} role='region' aria-label='Tables'>
        <table class='tables'>
          <caption class='unseen'>The largest tables</caption>
          <thead>
            <tr>
              <th scope='col'>Table</th>
              <th scope='col' class='number'>
                Rows (est.)
              </th>
              <th scope='col' class='number'>
                Size
              </th>
              <th scope='col' class='share'>
                <span class='unseen'>Share</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {largest.map(({ name, rows, bytes: own }) => (
              <tr key={name}>
                <td>
                  <code>{name}</code>
                </td>
                <td class='number'>{rows === null ? '–' : formatCount(rows)}</td>
                <td class='number'>{formatBytes(own)}</td>
                <td class='share'>
                  <ShareBar share={own / bytes} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

const Backups = ({ backups }: Pick<ServiceReport, 'backups'>) => (
  <section aria-labelledby='backups'>
    <h2 id='backups'>Backups</h2>
    {backups === null
      ? <p class='quiet-text'>No scheduled backups. Set <code>BACKUP_DIR</code>, or run <code>litfeed backup FILE</code> from a timer.</p>
      : (
        <>
          {backups.failing && (
            <Notice kind='bad'>
              The last backup failed, <Time at={backups.last_failure!.at} precise />: {backups.last_failure!.error}
            </Notice>
          )}
          <dl class='properties'>
            <Fact name='Last backup'>
              <Time at={backups.last_success?.at ?? null} precise missing='none yet' />
              {backups.last_success !== null && (
                <span class='quiet-text property-more'>
                  {formatCount(backups.last_success.rows)} rows, {formatBytes(backups.last_success.bytes)}
                </span>
              )}
            </Fact>
            <Fact name='Schedule'>
              {backups.every_hours === 1 ? 'every hour' : `every ${backups.every_hours} hours`}, {backups.keep} kept
            </Fact>
            <Fact name='Directory'><code>{backups.directory}</code></Fact>
          </dl>
        </>
        )}
  </section>
)

const Fact = ({ name, children }: { name: string, children: ComponentChildren }) => <div><dt>{name}</dt><dd>{children}</dd></div>
const Figure = ({ name, number }: { name: string, number: number }) => <div><dt>{name}</dt><dd>{formatCount(number)}</dd></div>
