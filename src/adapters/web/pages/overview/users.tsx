import { activeDays, type AdministrationOverview } from '../../../../../schemas/administration.js'
import { Figure } from '../../components/fact.js'
import { formatBytes, formatCount } from '../../components/figures.js'
import { Time } from '../../components/time.js'
import { useView } from '../../view.js'

/** How many accounts there are, and those that were used last. */
export function Users ({ total, active, disabled, administrators, open_invitations, items }: AdministrationOverview['users']) {
  const { to } = useView()
  return (
    <section aria-labelledby='users'>
      <h2 id='users'>Users</h2>
      <dl class='totals'>
        <Figure name='accounts' number={total} />
        <Figure name={`active in ${activeDays} days`} number={active} />
        <Figure name='disabled' number={disabled} />
        <Figure name='administrators' number={administrators} />
        <Figure name='open invitations' number={open_invitations} />
      </dl>
      {items.length === 0
        ? <p class='quiet-text'>No user has been active yet.</p>
        : (
          <div class='scroll' tabIndex={0} role='region' aria-label='Recently active users'>
            <table class='tables user-table'>
              <caption class='unseen'>Most recently active users</caption>
              <thead>
                <tr>
                  <th scope='col'>User</th>
                  <th scope='col'>Last active</th>
                  <th scope='col' class='number'>Projects</th>
                  <th scope='col' class='number'>Storage</th>
                </tr>
              </thead>
              <tbody>
                {items.map(({ id, email, disabled_at, administrator, last_used_at, projects, storage_bytes }) => (
                  <tr key={id}>
                    <td>
                      {email}
                      {administrator && <> <span class='badge accented'>administrator</span></>}
                      {disabled_at !== null && <> <span class='badge bad'>disabled</span></>}
                    </td>
                    <td><Time at={last_used_at} /></td>
                    <td class='number'>{formatCount(projects)}</td>
                    <td class='number'>{formatBytes(storage_bytes)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          )}
      <p class='below-list'>
        <a href={to('/administration/users')}>{items.length < total ? `All ${formatCount(total)} users` : 'Manage users'}</a>
      </p>
    </section>
  )
}
