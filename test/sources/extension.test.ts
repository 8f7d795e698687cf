import t from 'tap'
import { projectSchemas } from '../../schemas/project.js'
import { parseSettings, settingsTable } from '../../src/settings/settings.js'
import { standingOf } from '../../src/papers/standing.js'
import { sources } from '../../src/sources/index.js'
import { crossref } from '../../src/sources/crossref.js'

t.test('a source that is one definition', async t => {
  const madeUp = { ...crossref, name: 'made_up', title: 'Made Up', settings: { url: { name: 'MADE_UP_URL', default: 'https://api.made-up.example', description: 'Address of Made Up.' }, key: { name: 'MADE_UP_KEY', description: 'Key of Made Up.' } } }
  const extended = [...sources, madeUp]

  await t.test('has its settings in the table that docs, checks and features derive from', async t => {
    t.match(settingsTable(extended), { MADE_UP_URL: { schema: { default: 'https://api.made-up.example' } }, MADE_UP_KEY: { secret: true, optional: true, feature: { name: 'Made Up key' } } })
  })
  await t.test('has its settings read and checked', async t => {
    t.match(parseSettings(extended, { MADE_UP_KEY: 'x' }).sources, { made_up: { url: 'https://api.made-up.example', key: 'x' } })
    t.throws(() => parseSettings(extended, { MADE_UP_URL: 'nowhere' }), { message: /MADE_UP_URL is "nowhere"; allowed: an http or https address/ })
  })
  await t.test('is named in the schemas of projects', async t => {
    const { ProjectSource } = projectSchemas({ names: extended.map(({ name }) => name), defaults: ['pubmed', 'made_up'] })
    t.match(ProjectSource.properties.name, { description: / or made_up\.$/ })
  })
})

t.test('every source weighs in merges as it states, and files weigh more than a journal feed', async t => {
  for (const { name, standing } of sources) t.equal(standingOf(name), standing, name)
  t.ok(standingOf('ris') > standingOf('feed'))
})
