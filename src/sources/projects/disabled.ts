import type { Db } from '../../../db/connection.js'
import { isSourceDisabled, listDisabledSources } from '../../../db/queries/disabled-sources.js'
import { type Source, SourceError } from '../source.js'

/** The message for owners of projects about a source that administrators disabled. */
export const disabledMessage = 'An administrator of this service disabled this source. Its papers will be fetched when it is enabled again.'

/** Whether the published state of a project's source is that of a disabled one. */
export const isDisabled = ({ last_error }: { last_error: string | null }): boolean => last_error === disabledMessage

/** @throws SourceError if administrators disabled the source */
export async function requireEnabled (db: Db, { name, title }: Pick<Source, 'name' | 'title'>): Promise<void> {
  if (await isSourceDisabled(db, name)) throw new SourceError('unavailable', `An administrator of this service disabled ${title}.`)
}

/** Every source that could answer is disabled, so the same question fails until one is enabled. */
export class SourcesDisabled extends SourceError {
  constructor (titles: readonly string[]) {
    super('unavailable', `An administrator of this service disabled ${titles.join(', ')}, and no other source can look this up.`)
  }
}

/** The sources that administrators did not disable. @throws SourcesDisabled if none of them remains */
export async function selectEnabled<S extends Pick<Source, 'name' | 'title'>> (db: Db, sources: readonly S[]): Promise<S[]> {
  const disabled = new Set((await listDisabledSources(db)).map(({ name }) => name))
  const enabled = sources.filter(({ name }) => !disabled.has(name))
  if (enabled.length === 0 && sources.length > 0) throw new SourcesDisabled(sources.map(({ title }) => title))
  return enabled
}
