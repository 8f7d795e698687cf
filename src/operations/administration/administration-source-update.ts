import { disableSource, enableSource } from '../../../db/queries/disabled-sources.js'
import { AdministrationSource, AdministrationSourceUpdateInput } from '../../../schemas/administration.js'
import { InvalidArguments } from '../../errors/operation-errors.js'
import { findSource, sourceNames } from '../../sources/index.js'
import type { ServiceContext } from '../context.js'
import { operation } from '../operation.js'
import { administrationSources } from './administration-sources.js'

/** For administrators. Concerns new papers alone: what was fetched stays. @throws InvalidArguments for an unknown source */
export const administrationSourceUpdate = operation({
  name: 'administration_source_update',
  title: 'Disable or enable a source',
  description: 'Disables or enables a source for all accounts, and returns the affected accounts. While it is disabled, nothing is ' +
    'fetched from it, and feeds and briefs say so. When it is enabled again, each project fetches what it missed.',
  input: AdministrationSourceUpdateInput,
  output: AdministrationSource,
  async handler (context: ServiceContext, { source, disabled }) {
    const { db, now } = context
    if (findSource(source) === undefined) {
      throw new InvalidArguments(`source is ${JSON.stringify(source)}; allowed: ${sourceNames.join(', ')}.`, {
        userMessage: 'This source does not exist. Open the page again and choose another one.'
      })
    }
    if (disabled) await disableSource(db, source, now())
    else await enableSource(db, source)
    const { items } = await administrationSources.run(context, {})
    return items.find(({ name }) => name === source)!
  }
})
