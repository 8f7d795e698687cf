import { listDisabledSources } from '../../../db/queries/disabled-sources.js'
import { listSourceUse } from '../../../db/queries/state.js'
import {
  type AdministrationSource, AdministrationSourcesInput, AdministrationSourcesResult, firstAffected
} from '../../../schemas/administration.js'
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
  input: AdministrationSourcesInput,
  output: AdministrationSourcesResult,
  async handler ({ db }: ServiceContext, page) {
    const uses = await listSourceUse(db, { ...firstAffected, ...page })
    const disabled = await listDisabledSources(db)
    const since = new Map(disabled.map(({ name, disabled_at }) => [name, disabled_at]))
    const items = sources.map(source => sourceOf(source, uses.find(({ name }) => name === source.name), since.get(source.name)))
    return { items, total: items.length }
  }
})

function sourceOf (
  { name, title }: { name: string, title: string },
  use: Use | undefined,
  disabledAt: Date | undefined
): AdministrationSource {
  const { projects = 0, users = 0, sole_projects = 0, queries = 0, failing = 0, affected = [] } = use ?? {}
  const state = disabledAt !== undefined
    ? 'disabled'
    : users === 0 ? 'unused' : failing > 0 ? 'failing' : use?.last_success == null ? 'pending' : 'ok'
  return {
    name,
    title,
    state,
    disabled_at: disabledAt?.toISOString() ?? null,
    projects,
    users,
    sole_projects,
    queries,
    failing,
    failing_since: use?.failing_since?.toISOString() ?? null,
    fault: use === undefined || failing === 0 ? null : `${title} ${reasonOf(use.fault)}.`,
    last_success_at: use?.last_success?.toISOString() ?? null,
    affected
  }
}

/** Ours: messages of failures can quote a private query. */
const reasonOf = (fault: string | null) =>
  fault !== null && Object.hasOwn(faultReasons, fault) ? faultReasons[fault]!.replace(/;.*$/, '') : faultReasons.unknown!
