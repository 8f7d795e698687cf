import { changeTimeZone } from '../../../db/queries/time-zone.js'
import { Account, AccountSettingsInput } from '../../../schemas/account.js'
import { accountOf } from '../../accounts/records.js'
import { nextSendAt } from '../../alerts/schedule.js'
import { readTimeZone } from '../../papers/time-zones.js'
import { InvalidArguments } from '../../errors/operation-errors.js'
import { operation } from '../operation.js'

/** @throws InvalidArguments for an unknown time zone */
export const accountSettings = operation({
  name: 'account_settings',
  title: 'Change the current account',
  description: 'Sets the time zone of the account, which sets the hours of its digests.',
  input: AccountSettingsInput,
  output: Account,
  async handler ({ db, account, now }, { time_zone: name }) {
    const timeZone = readTimeZone(name)
    if (timeZone === undefined) {
      throw new InvalidArguments(
        `time_zone "${name.slice(0, 64)}" is unknown. Use an IANA name such as Europe/Berlin, America/New_York or UTC.`,
        { userMessage: 'Choose a time zone, such as Europe/Berlin.' }
      )
    }
    return accountOf(await changeTimeZone(db, account.id, timeZone, digest => nextSendAt(digest, now())))
  }
})
