import { exportedTableNames, readAccountRows } from '../../../db/queries/account-export.js'
import { AccountExportResult } from '../../../schemas/account.js'
import { NoInput } from '../../../schemas/empty.js'
import { dayOf } from '../../../schemas/utc-time.js'
import { version } from '../../settings/version.js'
import { interleave } from '../../threads/interleave.js'
import type { Context } from '../context.js'
import { operation } from '../operation.js'

export const accountExport = operation({
  name: 'account_export',
  title: 'Export the account',
  description:
    'Returns everything in the account as one JSON document: projects, feeds with feedback, papers, texts, keys and sessions without ' +
    'their secrets, alerts, briefs and jobs.',
  input: NoInput,
  output: AccountExportResult,
  async handler (context) {
    const time = context.now()
    return {
      media_type: 'application/json; charset=utf-8',
      file_name: `litfeed-account-${dayOf(time)}.json`,
      parts: parts(context, time)
    }
  }
})

/** One line for each row, so that line-based tools can read it too. */
async function * parts ({ sharedDb, sharedWork, account }: Context, time: Date): AsyncIterable<string> {
  yield `{"litfeed_account":1,"program":${JSON.stringify(version)},"exported_at":${JSON.stringify(time.toISOString())}`
  for (const table of exportedTableNames) {
    yield `,\n"${table}":[`
    let separator = '\n'
    for await (const rows of interleave(sharedWork.exports, account.id, readAccountRows(sharedDb, account.id, table))) {
      yield `${separator}${rows.join(',\n')}`
      separator = ',\n'
    }
    yield '\n]'
  }
  yield '}\n'
}
