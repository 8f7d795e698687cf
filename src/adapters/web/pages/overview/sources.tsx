import type { AdministrationSource } from '../../../../../schemas/administration.js'
import { Confirm } from '../../components/confirm.js'
import { formatCount } from '../../components/figures.js'
import { Form, RefusalNotice } from '../../components/form.js'
import { Time } from '../../components/time.js'

const counted = (number: number, noun: string) => `${formatCount(number)} ${noun}${number === 1 ? '' : 's'}`

/** Whom a disabled source concerns, in sentences. @param when whether it is disabled now, or would be */
export function dependentsOf ({ projects, users, sole_projects }: AdministrationSource, when: 'now' | 'if'): string {
  if (projects === 0) return when === 'now' ? 'No project uses it.' : 'No project uses it, so nobody is affected.'
  const others = projects === 1
    ? `It has ${sole_projects === 1 ? 'no other source' : 'other sources'}.`
    : sole_projects === 0
      ? 'All of them have other sources.'
      : sole_projects === projects
        ? 'None of them has another source.'
        : `${formatCount(sole_projects)} of them ${sole_projects === 1 ? 'has' : 'have'} no other source.`
  const affects = when === 'now' ? 'Affects' : 'This affects'
  const whom = `${counted(projects, 'project')} of ${counted(users, 'user')}`
  return `${affects} ${whom}: nothing is fetched from it until it is enabled again. ${others}`
}

/** The state of each source, and who loses it when it is disabled. */
export const Sources = ({ sources }: { sources: readonly AdministrationSource[] }) => (
  <section aria-labelledby='sources'>
    <h2 id='sources'>Sources</h2>
    <RefusalNotice actions={['disable-source', 'enable-source']} />
    <ul class='entries'>{sources.map(source => <SourceRow key={source.name} source={source} />)}</ul>
    <p class='hint below-list'>
      Disabling a source affects all projects. Papers that were fetched stay, full texts are still read from it, and feeds say that the
      source is not checked. When it is enabled again, projects fetch what they missed.
    </p>
  </section>
)

function SourceRow ({ source }: { source: AdministrationSource }) {
  const { title, state, disabled_at, projects, users, queries, failing, failing_since, fault, last_success_at } = source
  return (
    <li class={state === 'disabled' ? 'disabled' : ''}>
      <div class='row-text'>
        <p class='row-name'>{title} <StateBadge state={state} /></p>
        <p class='quiet-text'>
          {projects === 0 ? 'No project uses it' : `${counted(projects, 'project')} of ${counted(users, 'user')}`}
          {last_success_at !== null && <> · last success <Time at={last_success_at} precise /></>}
          {disabled_at !== null && <> · disabled <Time at={disabled_at} precise /></>}
        </p>
        {state === 'failing' && (
          <p class='job-error'>
            {formatCount(failing)} of {queries === 1 ? '1 query fails' : `${formatCount(queries)} queries fail`} since{' '}
            <Time at={failing_since} precise />. {fault}
          </p>
        )}
        {state === 'disabled' && <p class='quiet-text'>{dependentsOf(source, 'now')}</p>}
        {projects > 0 && <Affected {...source} />}
      </div>
      <div class='row-buttons'>
        {state === 'disabled' ? <Switch source={source} action='enable-source' label='Enable' /> : <Disable source={source} />}
      </div>
    </li>
  )
}

const badges: Record<AdministrationSource['state'], { kind: string, word: string }> = {
  ok: { kind: 'good', word: 'OK' },
  failing: { kind: 'bad', word: 'failing' },
  pending: { kind: '', word: 'not checked yet' },
  unused: { kind: '', word: 'unused' },
  disabled: { kind: 'warn', word: 'disabled' }
}

const StateBadge = ({ state }: Pick<AdministrationSource, 'state'>) =>
  <span class={`badge ${badges[state].kind}`}>{badges[state].word}</span>

const Affected = ({ title, users, affected }: AdministrationSource) => (
  <details class='fold'>
    <summary>Users<span class='unseen'> of {title}</span></summary>
    <ul class='plain'>
      {affected.map(({ email, projects, sole_projects }) => (
        <li key={email}>
          {email}: {counted(projects, 'project')}
          {sole_projects > 0 && `, ${formatCount(sole_projects)} without another source`}
        </li>
      ))}
      {users > affected.length && <li>and {formatCount(users - affected.length)} more</li>}
    </ul>
  </details>
)

const Disable = ({ source }: { source: AdministrationSource }) => (
  <Confirm label='Disable' about={source.title} small>
    <p class='quiet-text'>{dependentsOf(source, 'if')}</p>
    <Switch source={source} action='disable-source' label='Disable' />
  </Confirm>
)

interface SwitchProps { source: AdministrationSource, action: 'disable-source' | 'enable-source', label: string }

const Switch = ({ source: { name, title }, action, label }: SwitchProps) => (
  <Form action={action} address='/administration' inRow>
    <input type='hidden' name='source' value={name} />
    <button class={action === 'disable-source' ? 'danger small' : 'secondary small'}>{label} <span class='unseen'>{title}</span></button>
  </Form>
)
