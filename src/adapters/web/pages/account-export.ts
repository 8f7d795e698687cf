import { Type } from 'typebox'
import { accountExport } from '../../../operations/accounts/account-export.js'
import { downloadPage } from '../page.js'

/** Everything of the account, as a download. */
export const accountExportPage = downloadPage({
  url: '/account/export',
  operations: [accountExport],
  query: Type.Object({}),
  async show (context) {
    const { media_type, file_name, parts } = await accountExport.run(context, {})
    return { file: { body: parts, type: media_type, name: file_name } }
  }
})
