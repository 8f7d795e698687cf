import { changeTimeZone } from '../../../db/queries/time-zone.js'
import { Account, AccountSettingsInput } from '../../../schemas/account.js'
import { accountOf } from '../../accounts/records.js'
import { timeZoneNamed } from '../../accounts/time-zone.js'
import { nextSendAtAfterChange } from '../../alerts/schedule.js'
import { operation } from '../operation.js'

/** @throws InvalidArguments for an unknown time zone */
export const accountSettings = operation({
  name: 'account_settings',
  title: 'Change the current account',
  description: 'Sets the time zone of the account, which sets the hours of its digests.',
  input: AccountSettingsInput,
  output: Account,
  async handler ({ db, account, now }, { time_zone: name }) {
    return accountOf(await changeTimeZone(db, account.id, timeZoneNamed(name), (former, changed) =>
      nextSendAtAfterChange(former, changed, now())))
  }
})
