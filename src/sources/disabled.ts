import type { Db } from '../../db/connection.js'
import { isSourceDisabled } from '../../db/queries/disabled-sources.js'
import { type Source, SourceError } from './source.js'

/** What owners of projects are told about a source that administrators disabled. */
export const disabledMessage = 'An administrator of this service disabled this source. Its papers come when it is enabled again.'

/** Whether the published state of a project's source is that of a disabled one. */
export const isDisabled = ({ last_error }: { last_error: string | null }): boolean => last_error === disabledMessage

/** @throws SourceError if administrators disabled the source */
export async function requireEnabled (db: Db, { name, title }: Pick<Source, 'name' | 'title'>): Promise<void> {
  if (await isSourceDisabled(db, name)) throw new SourceError('unavailable', `An administrator of this service disabled ${title}.`)
}
