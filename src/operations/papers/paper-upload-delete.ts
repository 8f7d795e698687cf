import { deleteUploadedText } from '../../../db/queries/markdown.js'
import { abandonUpload, withdrawUploads } from '../../../db/queries/uploads.js'
import { NoResult } from '../../../schemas/empty.js'
import { PaperInput } from '../../../schemas/paper.js'
import { NotFound } from '../../errors/operation-errors.js'
import { resolvePaperId } from '../../papers/references.js'
import { operation } from '../operation.js'

/**
 * Deletes the PDF that the account uploaded of a paper, if it waits to be converted, and its text. The text from a full-text origin takes
 * its place.
 * @throws PaperNotFound, AmbiguousShortId, and NotFound if there is neither
 */
export const paperUploadDelete = operation({
  name: 'paper_upload_delete',
  title: 'Delete an uploaded PDF',
  description: 'Deletes your own PDF of a paper and its text. The open full text, if there is one, is read again in its place.',
  input: PaperInput,
  output: NoResult,
  scope: 'act',
  async handler (context, { paper_id }) {
    const { db, account } = context
    const id = await resolvePaperId(context, paper_id)
    // In one transaction, so that a conversion that ends meanwhile saves no text.
    const { withdrawnIds, hadText } = await db.transaction().execute(async transaction => ({
      withdrawnIds: await withdrawUploads(transaction, account.id, id),
      hadText: await deleteUploadedText(transaction, account.id, id)
    }))
    // If it fails, maintenance deletes what is left.
    for (const upload of withdrawnIds) await abandonUpload(db, account.id, upload).catch(() => {})
    if (withdrawnIds.length === 0 && !hadText) {
      throw new NotFound('You have no uploaded PDF of this paper. POST /api/papers/{paper_id}/pdf uploads one.', {
        userMessage: 'You have no PDF of this paper here. It may have been removed already.'
      })
    }
    return {}
  }
})
