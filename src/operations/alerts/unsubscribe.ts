import { unsubscribeAlert } from '../../../db/queries/unsubscriptions.js'
import { UnsubscribeInput, Unsubscription } from '../../../schemas/alert.js'
import type { ServiceContext } from '../context.js'
import { operation } from '../operation.js'
import { alertOfToken, findUnsubscription } from './unsubscription-get.js'

/** For the recipient of a digest, who need not have an account. A second call changes nothing. @throws NotFound for an invalid token */
export const unsubscribe = operation({
  name: 'unsubscribe',
  title: 'Unsubscribe',
  description: 'Stops the emails of an alert. Its owner sees that the recipient unsubscribed.',
  input: UnsubscribeInput,
  output: Unsubscription,
  async handler (context: ServiceContext, { token }) {
    const alertId = alertOfToken(context, token)
    await unsubscribeAlert(context.db, alertId, context.now())
    return await findUnsubscription(context, alertId)
  }
})
