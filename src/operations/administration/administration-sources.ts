import { listDisabledSources } from '../../../db/queries/disabled-sources.js'
import { listSourceUse } from '../../../db/queries/state.js'
import { type AdministrationSource, AdministrationSourcesResult } from '../../../schemas/administration.js'
import { NoInput } from '../../../schemas/project.js'
import { faultReasons } from '../../sources/projects/coverage.js'
import { sources } from '../../sources/index.js'
import type { ServiceContext } from '../context.js'
import { operation } from '../operation.js'

type Use = Awaited<ReturnType<typeof listSourceUse>>[number]

/** For administrators. Names no project and no query: these are private. */
export const administrationSources = operation({
  name: 'administration_sources',
  title: 'List sources with their state',
  description: 'Returns every source of papers with its state, its last success, and the accounts whose projects use it.',
  input: NoInput,
  output: AdministrationSourcesResult,
  async handler ({ db }: ServiceContext) {
    const [uses, disabled] = [await listSourceUse(db), await listDisabledSources(db)]
    const since = new Map(disabled.map(({ name, disabled_at }) => [name, disabled_at]))
    const items = sources.map(source => sourceOf(source, uses.filter(({ name }) => name === source.name), since.get(source.name)))
    return { items, total: items.length }
  }
})

function sourceOf (
  { name, title }: { name: string, title: string },
  uses: readonly Use[],
  disabledAt: Date | undefined
): AdministrationSource {
  const sum = (property: 'projects' | 'sole_projects' | 'queries' | 'failing') => uses.reduce((total, use) => total + use[property], 0)
  const failing = sum('failing')
  const lastSuccess = latest(uses.map(({ last_success }) => last_success))
  const lastFailure = uses.filter(use => use.failing > 0).sort((a, b) => Number(b.last_failure) - Number(a.last_failure))[0]
  const state = disabledAt !== undefined
    ? 'disabled'
    : uses.length === 0 ? 'unused' : failing > 0 ? 'failing' : lastSuccess === undefined ? 'pending' : 'ok'
  return {
    name,
    title,
    state,
    disabled_at: disabledAt?.toISOString() ?? null,
    projects: sum('projects'),
    users: uses.length,
    sole_projects: sum('sole_projects'),
    queries: sum('queries'),
    failing,
    failing_since: earliest(uses.map(({ failing_since }) => failing_since))?.toISOString() ?? null,
    fault: lastFailure === undefined ? null : `${title} ${reasonOf(lastFailure.fault)}.`,
    last_success_at: lastSuccess?.toISOString() ?? null,
    affected: uses.map(({ email, projects, sole_projects }) => ({ email, projects, sole_projects }))
  }
}

/** Ours: messages of failures can quote a private query. */
const reasonOf = (fault: string | null) =>
  fault !== null && Object.hasOwn(faultReasons, fault) ? faultReasons[fault]!.replace(/;.*$/, '') : faultReasons.unknown!

const isTime = (time: Date | null): time is Date => time !== null
const sorted = (times: ReadonlyArray<Date | null>) => times.filter(isTime).sort((a, b) => Number(a) - Number(b))
const earliest = (times: ReadonlyArray<Date | null>) => sorted(times)[0]
const latest = (times: ReadonlyArray<Date | null>) => sorted(times).at(-1)
