import { INVALID_PARAMS, ProtocolError } from '../errors.js'
import { isObject } from '../../../../schemas/json-object.js'
import type { Method } from '../method.js'
import { requirePrompt, requireShort } from './prompts.js'

/** Source: the protocol's completion/complete. */
const maxValues = 100

/** Suggests values for a prompt's argument, from the caller's own data. */
export const complete: Method = async ({ context, countCall }, { ref, argument }) => {
  await countCall()
  if (!isObject(ref) || ref.type !== 'ref/prompt') {
    throw new ProtocolError(INVALID_PARAMS, 'ref must be {"type": "ref/prompt", "name": …}: only prompts have arguments to complete.')
  }
  if (!isObject(argument) || typeof argument.name !== 'string' || typeof argument.value !== 'string') {
    throw new ProtocolError(INVALID_PARAMS, 'argument must be {"name": …, "value": …}, both strings.')
  }
  const prompt = requirePrompt(ref.name)
  const { name, value } = argument
  const promptArgument = prompt.arguments.find(each => each.name === name)
  if (promptArgument === undefined) {
    throw new ProtocolError(
      INVALID_PARAMS,
      `${prompt.name} has no argument ${name.slice(0, 64)}. Arguments: ${prompt.arguments.map(({ name }) => name).join(', ')}.`
    )
  }
  requireShort(promptArgument, value)
  const values = [...new Set(await promptArgument.complete(context, value))]
  return { completion: { values: values.slice(0, maxValues), total: values.length, hasMore: values.length > maxValues } }
}
