import type { AdministrationOverview } from '../../../../../schemas/administration.js'
import { Figure } from '../../components/fact.js'
import { formatCount } from '../../components/figures.js'
import { Form, RefusalNotice } from '../../components/form.js'
import { Time } from '../../components/time.js'
import { useView } from '../../view.js'

type Kind = AdministrationOverview['jobs']['failures'][number]

/** How many jobs there are, and those that failed, by kind. */
export function FailedJobs ({ waiting, running, failed, failures }: AdministrationOverview['jobs']) {
  const { to } = useView()
  return (
    <section aria-labelledby='jobs'>
      <h2 id='jobs'>Jobs</h2>
      <dl class='totals'>
        <Figure name='waiting' number={waiting} />
        <Figure name='running' number={running} />
        <Figure name='failed' number={failed} />
      </dl>
      <RefusalNotice actions={['retry', 'retry-all']} />
      {failures.map(kind => <FailedKind key={kind.task} {...kind} />)}
      <p class='below-list'><a href={to('/administration/jobs')}>All jobs</a></p>
    </section>
  )
}

function FailedKind ({ task, title, failed, jobs }: Kind) {
  const { to } = useView()
  const more = failed - jobs.length
  return (
    <section aria-labelledby={`failed-${task}`} class='failed-kind'>
      <div class='title-row'>
        <h3 id={`failed-${task}`}>{title} <span class='badge bad'>{formatCount(failed)} failed</span></h3>
        <Form action='retry-all' address='/administration' inRow>
          <input type='hidden' name='task' value={task} />
          <button class='secondary small'>Retry all <span class='unseen'>{title}</span></button>
        </Form>
      </div>
      <ul class='entries'>
        {jobs.map(({ id, account_email, error, attempts, updated_at }) => (
          <li key={id}>
            <div class='row-text'>
              <p>{error ?? 'Failed without a message.'}</p>
              <p class='quiet-text'>
                {account_email ?? 'service'} · {formatCount(attempts)} {attempts === 1 ? 'attempt' : 'attempts'} ·{' '}
                <Time at={updated_at} precise />
              </p>
            </div>
            <div class='row-buttons'>
              <Form action='retry' address='/administration' inRow>
                <input type='hidden' name='job_id' value={id} />
                <button class='secondary small'>Retry <span class='unseen'>{title}, {account_email ?? 'service'}</span></button>
              </Form>
            </div>
          </li>
        ))}
      </ul>
      {more > 0 && <p><a href={to(`/administration/jobs?state=failed&task=${task}`)}>{formatCount(more)} more</a></p>}
    </section>
  )
}
