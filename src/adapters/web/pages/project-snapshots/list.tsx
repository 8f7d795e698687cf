import type { Project } from '../../../../../schemas/project.js'
import type { Snapshot } from '../../../../../schemas/snapshot.js'
import type { snapshotsList } from '../../../../operations/snapshots/snapshots-list.js'
import { Confirm } from '../../components/confirm.js'
import { Field, Form, RefusalNotice, Select } from '../../components/form.js'
import { Notice } from '../../components/notice.js'
import { refreshWhile } from '../../components/refreshing.js'
import { Time } from '../../components/time.js'
import { useView } from '../../view.js'
import { PeriodEnd } from './content.js'

type Snapshots = Awaited<ReturnType<typeof snapshotsList.run>>

/** The list of snapshots, a form for a new one, and the schedule. */
export function SnapshotList ({ project, snapshots: { items, schedule, next_at, full } }: { project: Project, snapshots: Snapshots }) {
  const { to } = useView()
  const path = `/projects/${project.id}/snapshots`
  return (
    <>
      <h1>Snapshots</h1>
      <p class='lead page-lead'>
        A snapshot freezes this review: queries, source status, the model, every paper with its decision, and the counts of a PRISMA flow
        diagram. It never changes and has a hash to cite.
      </p>
      <section
        id='frozen'
        aria-labelledby='snapshots'
        {...refreshWhile(items.some(({ state }) => state === 'freezing'), '#frozen', to(path), 3)}
      >
        <h2 id='snapshots'>Snapshots</h2>
        <RefusalNotice actions={['delete']} />
        {items.length === 0
          ? <p class='quiet-text'>No snapshots yet. Freeze one below.</p>
          : <ul class='alert-list'>{items.map(each => <SnapshotRow key={each.id} snapshot={each} path={path} />)}</ul>}
      </section>
      <section aria-labelledby='new-snapshot'>
        <h2 id='new-snapshot'>New snapshot</h2>
        <Form action='freeze' address={path} class='stack form-column'>
          <Field name='since' label='From' type='date' hint='Papers added to the feed on or after this day (UTC). Leave empty for all.' />
          <Field name='until' label='To' type='date' hint='Up to the start of this day (UTC). Leave empty for now.' />
          <button>Freeze</button>
        </Form>
      </section>
      <section aria-labelledby='schedule'>
        <h2 id='schedule'>Schedule</h2>
        <Form action='schedule' address={path} class='stack form-column'>
          <Select
            id='schedule-choice'
            name='schedule'
            label='Freeze a snapshot'
            value={schedule ?? ''}
            options={[
              { value: '', label: 'Off' },
              { value: 'weekly', label: 'Every Monday' },
              { value: 'monthly', label: 'On the first of each month' }
            ]}
          />
          {next_at !== null && full === null && <p class='quiet-text'>Next: <Time at={next_at} zone='UTC' /></p>}
          {next_at !== null && full !== null && <Notice kind='warn'>The schedule is paused. {full}</Notice>}
          <button>Save schedule</button>
        </Form>
      </section>
    </>
  )
}

function SnapshotRow ({ snapshot, path }: { snapshot: Snapshot, path: string }) {
  const { to } = useView()
  const { id, state, frozen_at, requested_at, since, until, sha256, scheduled, error, published_at } = snapshot
  const page = `${path}/${id}`
  const time = <Time at={frozen_at ?? requested_at} precise />
  return (
    <li>
      <div class='alert-text'>
        <p class='alert-target'>
          <a href={to(page)}>{time}</a>
          {state === 'failed' && <> <span class='badge bad'>failed</span></>}
          {state === 'freezing' && <> <span class='badge'>freezing…</span></>}
          {scheduled && <> <span class='badge'>scheduled</span></>}
          {published_at !== null && <> <span class='badge'>published</span></>}
        </p>
        <p class='quiet-text'>
          {since === null ? 'All papers' : <>Papers from <PeriodEnd at={since} /></>}
          {until !== null && <> until <PeriodEnd at={until} /></>}
          {sha256 !== null && <> · sha256:{sha256.slice(0, 12)}…</>}
        </p>
        {error !== null && <p class='quiet-text'>{error}</p>}
      </div>
      {state === 'frozen' && (
        <a class='button secondary small' href={to(`${page}/archive`)}>Download<span class='unseen'> the snapshot of {time}</span></a>
      )}
      <Confirm label='Delete' about={<>the snapshot of {time}</>} small>
        <p class='quiet-text'>
          This can’t be undone.{published_at !== null && ' Its public address, which may have been cited, stops working.'}
        </p>
        <Form action='delete' address={path} inRow>
          <input type='hidden' name='snapshot_id' value={id} />
          <button class='danger small'>Delete <span class='unseen'>the snapshot of {time}</span></button>
        </Form>
      </Confirm>
    </li>
  )
}
