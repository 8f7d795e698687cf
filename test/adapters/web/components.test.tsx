import t from 'tap'
import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import type { AdministrationOverview } from '../../../schemas/administration.js'
import type { LibraryImport } from '../../../schemas/library-import.js'
import type { Project } from '../../../schemas/project.js'
import type { PrismaFlow, Snapshot } from '../../../schemas/snapshot.js'
import type { PublishedDetails } from '../../../schemas/relevance.js'
import type { ZoteroConnection } from '../../../schemas/zotero.js'
import { clients } from '../../../src/adapters/web/components/clients.js'
import { NewProjectPreview } from '../../../src/adapters/web/components/new-project-preview.js'
import { FormulaBudgetContext, newFormulaBudget, RichText } from '../../../src/adapters/web/components/rich-text.js'
import { Time } from '../../../src/adapters/web/components/time.js'
import { takesLess } from '../../support/event-loop.js'
import { ProjectImport } from '../../../src/adapters/web/pages/project-import/view.js'
import { SettingsPreview } from '../../../src/adapters/web/pages/project-settings/preview.js'
import { ProjectZotero } from '../../../src/adapters/web/pages/project-zotero/view.js'
import { ImportState } from '../../../src/adapters/web/pages/feed/import-state.js'
import { MatchPicture } from '../../../src/adapters/web/pages/feed/match-picture.js'
import { Overview } from '../../../src/adapters/web/pages/overview.js'
import { PrismaBoxes } from '../../../src/adapters/web/pages/project-snapshots/prisma-flow.js'
import { SnapshotList } from '../../../src/adapters/web/pages/project-snapshots/list.js'
import { NotInFeed } from '../../../src/adapters/web/pages/project-candidates.js'
import { ViewContext } from '../../../src/adapters/web/view.js'

const view = {
  to: (path: string) => path, account: undefined, csrfToken: '', url: '/', refused: undefined, entered: {}, notice: undefined
}
/** The text of a component, as a reader gets it. */
const textOf = (component: VNode) =>
  renderToString(<ViewContext.Provider value={view}>{component}</ViewContext.Provider>)
    .replace(/<[^>]+>/g, ' ').replace(/&nbsp;/g, ' ').replace(/\s+/g, ' ')

t.test('the setup of a local bridge allows http only to other machines', t => {
  const setupAt = (base: string) => clients.map(({ setup }) => textOf(<>{setup({ base, key: 'svcmcp_x_y' })}</>)).join()
  for (const base of ['http://127.0.0.1:8787', 'http://localhost:8787/litfeed', 'http://[::1]:8787', 'https://litfeed.example.org']) {
    t.notMatch(setupAt(base), '--allow-http', base)
  }
  t.match(setupAt('http://litfeed.example.org'), '--allow-http')
  t.end()
})

t.test('papers outside a feed show what became of them', t => {
  const changes = [{ kind: 'retraction' as const, label: 'Retracted' }]
  const dates = { published_date: null, published: null }
  const paper = { title: 'Base editing of the cornea', venue_name: null, ...dates, url: null, relevance_score: 0.1, changes }
  const listed = { ...paper, candidate_id: 'an id', authors: [], author_count: 0, found_at: '2026-11-22T10:00:00.000Z' }
  const page = { items: [listed], weekly_limit: 0, total: 1, limit: 50, offset: 0, has_more: false }
  t.match(textOf(<NotInFeed project={{ id: 'an id', feed_threshold: 0.3 }} page={page} />), /score below 30\..*of the cornea Retracted/)
  const previewed = { ...paper, authors: [], sources: ['pubmed'], relevance_class: 'related' as const, personalized_note: '' }
  const preview = { sources: [], counts: { found: 1, entering: 1, must_read: 0 }, papers: [previewed], examples: [] }
  t.match(textOf(<NewProjectPreview preview={preview} sources={[]} />), /of the cornea Retracted/)
  t.end()
})

t.test('a preview of a new project shows dates as far as sources state them', t => {
  const sources = ['pubmed']
  const scored = { relevance_score: 0.5, relevance_class: 'related' as const, personalized_note: '' }
  const previewed = { title: 'A paper', authors: [], venue_name: 'Nature', url: null, sources, changes: [], ...scored }
  const shown = (published_date: string, published: string | null) => textOf(
    <NewProjectPreview
      preview={{
        sources: [],
        counts: { found: 1, entering: 1, must_read: 0 },
        examples: [],
        papers: [{ ...previewed, published_date, published }]
      }}
      sources={[]}
    />
  )
  t.match(shown('2026-11-01', '2026 Nov'), /Nature · Nov 2026 ·/)
  t.match(shown('2026-11-01', '2026-11-01'), /Nature · 1 Nov 2026 ·/)
  t.match(shown('2026-01-01', '2026'), /Nature · 2026 ·/)
  t.end()
})

t.test('dates are those of the account, except dates that are defined in UTC', t => {
  const account = { id: 'an id', email: 'ada@example.org', administrator: false, time_zone: 'Pacific/Auckland' }
  const shown = (at: VNode) => renderToString(<ViewContext.Provider value={{ ...view, account }}>{at}</ViewContext.Provider>)
  const at = '2026-11-21T12:00:00Z'
  t.match(shown(<Time at={at} />), /title="22 Nov 2026, 01:00 GMT\+13">22 Nov 2026</)
  t.match(shown(<Time at={at} precise />), '>22 Nov 2026, 01:00 GMT+13<')
  t.match(shown(<Time at={at} precise zone='UTC' />), '>21 Nov 2026, 12:00 UTC<')
  t.match(textOf(<Time at={at} />), '21 Nov 2026', 'visitors have no time zone')
  const preview = { counts: { found: 0, entering: 0, must_read: 0 }, papers: [], examples: [] }
  const searched = { name: 'pubmed', query: '', since: '2026-11-21', found: 0, entering: 0, error: null }
  const west = { ...view, account: { ...account, time_zone: 'America/Los_Angeles' } }
  t.match(
    renderToString(
      <ViewContext.Provider value={west}>
        <NewProjectPreview preview={{ ...preview, sources: [searched] }} sources={[]} />
      </ViewContext.Provider>
    ),
    '>21 Nov 2026<',
    'a day that a source was searched from'
  )
  t.end()
})

t.test('a preview without papers says whether any were found', t => {
  const shown = (found: number) => textOf(
    <NewProjectPreview preview={{ sources: [], counts: { found, entering: 0, must_read: 0 }, examples: [], papers: [] }} sources={[]} />
  )
  t.match(shown(12), /^\s*0 papers would be added; 12 would not: .* Lower the minimum score, or change/)
  t.notMatch(shown(12), /No papers found|0 of them/)
  t.match(shown(0), /^\s*No papers found\. Try more common keywords, or add a source\.\s*$/)
  t.end()
})

t.test('a preview that lets every paper enter counts none as excluded', t => {
  const counts = { found: 3, entering: 3, must_read: 1 }
  const text = textOf(<NewProjectPreview preview={{ sources: [], counts, examples: [], papers: [] }} sources={[]} />)
  t.match(text, /^\s*3 papers would be added, 1 of them must-read\. /)
  t.end()
})

t.test('a preview of settings typesets titles', t => {
  const paper = { paper_id: 'an id', title: 'Fibrils of $\\alpha$-synuclein', relevance_score: 0.5, now: null }
  const counts = { added: 1, dropped: 1, must_read: 0, must_read_now: 0 }
  const preview = {
    since: '2026-11-21T12:00:00Z', compared: 2, not_compared: 0, complete: true, counts, added: [paper], dropped: [{ ...paper, now: 0.6 }]
  }
  const text = textOf(
    <FormulaBudgetContext.Provider value={newFormulaBudget()}><SettingsPreview preview={preview} /></FormulaBudgetContext.Provider>
  )
  t.equal(text.match(/Fibrils of α -synuclein/g)?.length, 2)
  t.notMatch(text, '$')
  t.end()
})

t.test('Zotero is asked again after its pause', t => {
  const connection = { connected: true, username: 'ada', connected_at: null, key_rejected_at: null, paused_until: '2026-05-03T14:05:00Z' }
  const project = { id: 'an id', matching_state: 'active' } as Project
  const text = textOf(<ProjectZotero project={project} connection={connection as ZoteroConnection} sync={null} offer={undefined} />)
  t.match(text, /Try again after 3 May 2026, 14:05 UTC ?\./)
  t.end()
})

t.test('buttons of a list say which entry they are about', t => {
  const of = { since: null, until: null, sha256: null, scheduled: false, error: null, published_at: null }
  const items = ['21', '22'].map(day => ({ id: day, state: 'frozen', frozen_at: `2026-11-${day}T10:00:00Z`, ...of })) as unknown as Snapshot[]
  const snapshots = { items, schedule: null, next_at: null, full: null } as unknown as Parameters<typeof SnapshotList>[0]['snapshots']
  const text = textOf(<SnapshotList project={{ id: 'an id' } as Project} snapshots={snapshots} />)
  for (const day of [21, 22]) {
    const about = `the snapshot of ${day} Nov 2026, 10:00 UTC`
    t.match(text, new RegExp(`Download ${about} Delete ${about} Cancel .*Delete ${about}`))
  }
  t.end()
})

t.test('an import whose job is gone does not say why it has no result', t => {
  const imported = {
    id: 'an id',
    file_name: 'Pasted papers',
    learned: false,
    created_at: '2026-11-21T12:00:00Z',
    state: 'interrupted' as const,
    progress: null,
    error: null,
    result: null,
    feeds: null,
    undone_at: null,
    undo_pending: false
  }
  const imports = { items: [imported], offset: 20, limit: 20, has_more: true }
  const text = textOf(<ProjectImport imports={imports} path='/projects/1/import' />)
  t.match(text, 'Failed or interrupted. The reason is no longer kept. Import it again.')
  t.match(text, /Previous +21 to 21 +Next/)
  t.end()
})

t.test('an overview says what needs attention', async t => {
  const at = '2026-11-22T10:00:00.000Z'
  const healthy: AdministrationOverview = {
    users: { total: 2, active: 1, disabled: 0, administrators: 1, open_invitations: 0, items: [] },
    jobs: { waiting: 1, running: 0, failed: 0, failing_alerts: 0, failures: [] },
    sources: [],
    storage: {
      database: { kind: 'embedded', version: '17.5', migration: 'last', bytes: 5e6, tables: [{ name: 'paper', rows: 12, bytes: 4e6 }] },
      disk: { free_bytes: 8e9, total_bytes: 9e9 },
      uploads: { waiting: 1, bytes: 3e6 },
      full_texts: { count: 1, bytes: 2e6 },
      backups: null
    } as never,
    ready: true
  }
  t.match(textOf(<Overview {...healthy} />), /All systems OK\..*No scheduled backups\. Set BACKUP_DIR/)

  const backups = {
    directory: '/backups',
    every_hours: 24,
    keep: 7,
    failing: true,
    files: { count: 3, bytes: 6e6 },
    last_success: { at, rows: 1200, bytes: 2e6, file: 'a.backup' },
    last_failure: { at, error: 'The disk is full.' },
    last_verified: { at, file: 'a.backup', ok: false }
  }
  const broken = {
    ...healthy,
    ready: false,
    jobs: {
      ...healthy.jobs,
      failed: 12,
      failing_alerts: 1,
      failures: [{
        task: 'convert-paper',
        title: 'Full text',
        failed: 12,
        jobs: [
          { id: 'a', account_email: 'ada@example.org', error: 'The host did not answer.', attempts: 1, updated_at: at },
          { id: 'b', account_email: null, error: null, attempts: 3, updated_at: at }
        ]
      }]
    },
    storage: { ...healthy.storage, disk: { free_bytes: 5e8, total_bytes: 9e9 }, backups }
  } as unknown as AdministrationOverview
  const text = textOf(<Overview {...broken} />)
  for (const part of [
    'The database schema is out of date',
    'The disk is nearly full',
    'Needs attention. 12 failed jobs, 1 failing alert, the last backup failed, the last verified backup cannot be restored.',
    'ada@example.org · 1 attempt', 'Failed without a message. service · 3 attempts',
    '10 more',
    'The disk is full.',
    'could not be restored',
    '1,200 rows', /every 24 hours ?, 7 kept/
  ]) t.match(text, part)
  const { database } = healthy.storage
  const unused = { ...healthy, storage: { ...healthy.storage, database: { ...database, tables: [] } } }
  t.match(textOf(<Overview {...unused} />), /No user has been active yet\. .*No table holds data yet\./)
  const damaged = { ...healthy, storage: { ...healthy.storage, backups: { ...backups, failing: false } } } as AdministrationOverview
  t.match(textOf(<Overview {...damaged} />), 'Needs attention. the last verified backup cannot be restored.')
  const restored = { ...backups, failing: false, every_hours: 1, last_verified: { ...backups.last_verified, ok: true } }
  t.match(
    textOf(<Overview {...{ ...broken, ready: true, storage: { ...healthy.storage, backups: restored } } as AdministrationOverview} />),
    /Running\..*a\.backup: restores completely.*every hour/
  )
})

t.test('the boxes of a PRISMA flow add up, whatever happened to the papers', t => {
  const flow = {
    identified: { records: 1011, sources: [{ name: 'pubmed', title: 'PubMed', records: 1011 }], one_source_known: 0 },
    identified_earlier: 2,
    duplicates_removed: 3,
    excluded_automatically: { records: 1000, listed: 1 },
    screened: 4,
    not_screened: 5,
    excluded: { records: 2, reasons: [{ reason: 'not_relevant', records: 2 }, { reason: 'low_quality', records: 0 }] },
    included: { records: 2, starred: 1 },
    included_unscreened: 1
  } as unknown as PrismaFlow
  const text = textOf(<PrismaBoxes flow={flow} />)
  for (const part of [
    'Records identified: 1,011 PubMed: 1,011', 'in earlier periods, added in this one: 2',
    'Records removed before screening: 1,003 Duplicates: 3',
    'Records in the feed: 10', 'Records not screened: 6 Not screened yet: 5 Included from other sources: 1',
    /Screening Records screened: 4 Records excluded: 2 Not relevant: 2 Included/, 'Studies included: 2 Starred: 1',
    '1,011 identified + 2 of earlier periods − 1,003 removed = 10 in the feed: ' +
      '4 screened, 5 not screened yet, 1 included without screening.'
  ]) t.match(text, part)
  const { identified_earlier: _earlier, included_unscreened: _unscreened, ...whole } = flow
  const plain = textOf(<PrismaBoxes flow={{ ...whole, not_screened: 4 }} />)
  t.match(plain, '1,011 identified − 1,003 removed = 8 in the feed: 4 screened, 4 not screened yet.')
  t.end()
})

t.test('a match states terms in the points of the score', async t => {
  const details = {
    terms: [{ term: 'spindles', weight: 0.123, from: 'feedback' }, { term: 'airway', weight: -0.02, from: 'feedback' }],
    positive_keywords: [],
    negative_keywords: [],
    liked_paper: null,
    excluded: false,
    contributions: { base: 0.2, keywords: 0, interest: 0, votes: 0.103 }
  } as unknown as PublishedDetails
  t.match(
    textOf(<MatchPicture details={details} paperAddress={id => id} />),
    /average paper 20, votes \+10\.3 = 30\.3 spindles \+12\.3 airway −2\.0 /
  )
})

t.test('a match states what the interest excludes', async t => {
  const details = {
    terms: [],
    positive_keywords: [],
    negative_keywords: [],
    excluded_phrases: ['children', 'reviews'],
    liked_paper: null,
    excluded: false,
    contributions: { base: 0, keywords: 0, interest: 0.7, votes: 0, exclusions: -0.35 }
  } as unknown as PublishedDetails
  const text = textOf(<MatchPicture details={details} paperAddress={id => id} />)
  for (const part of ['interest +70, exclusions −35 = 35', 'Excluded by your interest children, reviews']) t.match(text, part)
})

t.test('a paper with an excluded keyword shows that alone', async t => {
  const details = {
    terms: [{ term: 'spindles', weight: 0.1, from: 'feedback' }],
    positive_keywords: ['sleep'],
    negative_keywords: ['mice'],
    liked_paper: null,
    excluded: true,
    contributions: { base: 0, keywords: 0, interest: 0, votes: 0 }
  } as unknown as PublishedDetails
  t.equal(textOf(<MatchPicture details={details} paperAddress={id => id} />).trim(), 'Why it scored 0 Excluded keywords found mice')
})

t.test('a match names the papers that citations link it to', async t => {
  const paper = (title: string) => ({ paper_id: '0b54c2ab-6f2e-4d6c-9d0f-3a8f5b1f7a11', title })
  const details = {
    terms: [],
    positive_keywords: [],
    negative_keywords: [],
    liked_paper: null,
    excluded: false,
    contributions: { base: 0.2, keywords: 0, interest: 0, votes: 0, citations: 0.1, follows: 0.05 },
    follows: [{ name: 'Ada Lovelace', by: 'id' }, { name: 'Alan Turing', by: 'name' }],
    citations: {
      cites: { starred: 1, upvoted: 1, papers: [paper('First'), paper('Second')] },
      cited_by: { starred: 1, upvoted: 0, papers: [paper('Third')] },
      shares: { ...paper('Fourth'), references: 9, starred: false }
    }
  } as unknown as PublishedDetails
  const text = textOf(<MatchPicture details={details} paperAddress={id => `/papers/${id}`} />)
  for (const part of [
    'average paper 20, citations +10, follows +5 = 35', 'Ada Lovelace, Alan Turing (by name)', 'Cites 2 papers you liked First Second',
    'Cited by 1 paper you starred Third', 'Shares 9 references with a paper you upvoted Fourth'
  ]) t.match(text, part)
})

t.test('a search marks its terms outside of formulas, and escapes everything', async t => {
  const html = (text: string, ...terms: string[]) => renderToString(<RichText as='span' text={text} terms={terms} />)
  const title = 'Sleep of $\\alpha$-waves costs \\textbf{sleepers} 5\\$ <b>&"Schläfer"</b>'
  const formula = /<math>.*<\/math>/.exec(html(title))?.[0] ?? 'no formula'
  const expected = (text: string) => `<span dir="auto">${text.replace('FORMULA', () => formula)}</span>`
  const plain = 'Sleep of FORMULA-waves costs sleepers 5$ &lt;b&gt;&amp;&quot;Schläfer&quot;&lt;/b&gt;'
  t.equal(html(title), expected(plain))
  t.equal(html(title, 'sleep', 'wave'), expected(plain.replace(/sleep(ers)?|waves/gi, '<mark>$&</mark>')))
  t.equal(html(title, 'schlafer'), expected(plain.replace('Schläfer', '<mark>Schläfer</mark>')), 'other terms, from the cache')
  t.equal(html(title), expected(plain), 'and none')
  const marked = plain.replace('b', '<mark>b</mark>').replace('/b', '/<mark>b</mark>')
  t.equal(html(title, 'b', 'quot', 'math', 'alpha', 'lt'), expected(marked), 'no markup')
  const script = '<script>x</script>'
  for (const text of [`${script}$`, `$${script}$`, `\\${script}`, `$a$${script}`, `\\textit{${script}}`]) {
    for (const terms of [[], ['script'], ['x', 'lt', 'amp', 'mark']]) {
      t.notMatch(html(text, ...terms), /<(?!\/?(?:span|mark|math|m[a-z]+|code)\b)/, `${text}, ${terms.join(' ')}`)
    }
  }
  t.equal(html('記憶と睡眠 $x$ 記憶', '記憶').match(/<mark>/g)?.length, 2)
  t.equal(
    html('Memory oscillates in mice, and oscillations in a mouse', 'memories', 'mouse', 'oscillation'),
    '<span dir="auto"><mark>Memory</mark> <mark>oscillates</mark> in <mark>mice</mark>, and <mark>oscillations</mark> in a ' +
      '<mark>mouse</mark></span>',
    'also in other inflections, as a search finds them'
  )
  t.equal(html('Without formulas', 'form'), '<span dir="auto">Without <mark>formulas</mark></span>')
})

t.test('a page of titles takes little time for any search and any formulas', async t => {
  const terms = [...'abcdefghijklmnopqrstuvwxyz', ...Array.from({ length: 80 }, () => 'a')]
  const titles = Array.from({ length: 40 }, (_each, at) => `${at} ${'z y '.repeat(249)}`)
  await takesLess(t, 80, () => renderToString(<>{titles.map(text => <RichText key={text} as='span' text={text} terms={terms} />)}</>))
  const html = renderToString(<RichText as='span' text='t u' terms={terms} />)
  t.match(html, '<mark>t</mark> u', 'the first 20 distinct terms')
  const formulas = (seed: number) => (
    <FormulaBudgetContext.Provider value={newFormulaBudget()}>
      {titles.map((title, at) => <RichText key={title} as='span' text={`${seed} ${at} ${'$x_{1}^{2}$ '.repeat(80)}`} />)}
    </FormulaBudgetContext.Provider>
  )
  for (const seed of [1, 1, 2]) {
    const page = renderToString(formulas(seed))
    const typeset = page.match(/<math>/g)?.length ?? 0
    t.ok(typeset >= 320 && typeset <= 500, `${typeset} formulas, the same from the cache`)
    t.match(page.slice(-200), 'x_{1}^{2}')
  }
  const letters = (
    <FormulaBudgetContext.Provider value={newFormulaBudget()}>
      {titles.map(title => <RichText key={title} as='span' text={`${title.slice(0, 3)}${'$x$ '.repeat(245)}`} />)}
    </FormulaBudgetContext.Provider>
  )
  await takesLess(t, 60, () => renderToString(
    <FormulaBudgetContext.Provider value={newFormulaBudget()}>
      {titles.map((title, at) => <RichText key={title} as='span' text={`${at} ${'$\\{'.repeat(328)}`} />)}
      <RichText as='p' text={`${Math.random()} ${'$\\{'.repeat(6600)}`} />
    </FormulaBudgetContext.Provider>
  ))
  const typeset = renderToString(letters).match(/<math>/g)?.length ?? 0
  t.ok(typeset >= 200 && typeset <= 400, `${typeset} formulas of one letter`)
})

t.test('no formula of a title becomes much more than it says', t => {
  const html = (latex: string) => renderToString(<RichText as='span' text={`$${latex}$`} />)
  const nested = `\\def\\z#1{${'#1'.repeat(13)}}\\z{\\z{\\z{${'x'.repeat(200)}}}}`
  for (const latex of [nested, '\\gdef\\a{xx}\\a', '\\newcommand{\\a}{xx}\\a', '\\let\\a\\alpha\\a']) {
    t.match(html(latex), /^<span dir="auto"><code class="formula-source">/, latex.slice(0, 20))
  }
  t.match(html('\\default'), 'formula-source', 'an unknown command')
  t.match(html('\\lettersize'), 'formula-source')
  t.match(html('\\ce{Li2CO3 + H2O}'), '<math>')
  t.notMatch(html(`\\ce{${'A2'.repeat(30)}}`), '<math>', 'chemical formulas take longer, so fewer characters of them are typeset')
  t.end()
})

t.test('a feed states its newest import while it runs, and for a day what was rejected', async t => {
  const now = new Date('2026-11-22T10:00:00.000Z')
  const stateOf = (part: Partial<LibraryImport>) => {
    const file = { file_name: 'library.ris', created_at: '2026-11-22T09:00:00.000Z', undone_at: null, progress: null, result: null }
    return textOf(<ImportState projectId='1' imports={[{ ...file, ...part } as LibraryImport]} now={now} />).trim()
  }
  const result = { read: 12, rejected_count: 2 } as LibraryImport['result']
  const progress = { read: 7 } as LibraryImport['progress']
  const withoutScripts = 'Reload the page to see whether it is done.'
  t.equal(stateOf({ state: 'waiting' }), `Importing library.ris : 0 records read. Details . ${withoutScripts}`)
  t.equal(stateOf({ state: 'running', progress }), `Importing library.ris : 7 records read. Details . ${withoutScripts}`)
  t.equal(stateOf({ state: 'done', result }), 'library.ris : 2 of 12 records not added .')
  t.equal(stateOf({ state: 'failed' }), 'library.ris : import failed .')
  t.equal(stateOf({ state: 'done', result: { ...result!, rejected_count: 0 } }), '', 'nothing was rejected')
  t.equal(stateOf({ state: 'done', result, created_at: '2026-11-21T09:00:00.000Z' }), '', 'more than a day ago')
  t.equal(stateOf({ state: 'running', undone_at: '2026-11-22T09:30:00.000Z' }), '', 'it was undone')
  t.equal(textOf(<ImportState projectId='1' imports={[]} now={now} />).trim(), '')
  const file = { created_at: '2026-11-22T09:00:00.000Z', undone_at: null, progress: null, state: 'done' as const }
  const several = (rejected: readonly number[]) => rejected.map((rejected_count, at) =>
    ({ ...file, id: `${at}`, file_name: `${at}.ris`, result: { read: 12, rejected_count } }) as LibraryImport)
  const stated = (rejected: readonly number[]) => textOf(<ImportState projectId='1' imports={several(rejected)} now={now} />).trim()
  t.equal(stated([0, 2, 3]), '1.ris : 2 of 12 records not added . 2.ris : 3 of 12 records not added .')
  t.match(stated([1, 2, 3, 4, 5]), /^0\.ris .* 2\.ris : 3 of 12 records not added \. 2 more imports failed or rejected records\.$/)
})
