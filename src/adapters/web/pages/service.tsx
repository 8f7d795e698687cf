import { Type } from 'typebox'
import type { ServiceReport } from '../../../../schemas/administration.js'
import { serviceReport } from '../../../operations/administration/service-report.js'
import { administratorPage } from '../page.js'
import { Administration } from '../components/administration.js'
import { Fact, Figure } from '../components/fact.js'
import { formatBytes, formatDuration } from '../components/figures.js'
import { Time } from '../components/time.js'

/** The program: version, uptime, contents and enabled features. */
export const servicePage = administratorPage({
  url: '/administration/service',
  operations: [serviceReport],
  query: Type.Object({}),
  show: async context => ({ title: 'Service', content: <Service {...await serviceReport.run(context, {})} /> })
})

const Service = (state: ServiceReport) => (
  <Administration>
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
