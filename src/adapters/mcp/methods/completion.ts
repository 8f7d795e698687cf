import { INVALID_PARAMS, ProtocolError } from '../errors.js'
import { isObject } from '../envelope.js'
import type { Method } from '../method.js'
import { knownPrompt } from './prompts.js'

/** The protocol's bound. */
const mostValues = 100

/** Suggestions for an argument of a prompt, from the caller's own data. */
export const complete: Method = async ({ context }, { ref, argument }) => {
  if (!isObject(ref) || ref.type !== 'ref/prompt') throw new ProtocolError(INVALID_PARAMS, 'ref must be {"type": "ref/prompt", "name": …}: prompts alone have arguments to complete.')
  if (!isObject(argument) || typeof argument.name !== 'string' || typeof argument.value !== 'string') throw new ProtocolError(INVALID_PARAMS, 'argument must be {"name": …, "value": …}, both strings.')
  const prompt = knownPrompt(ref.name)
  const { name, value } = argument
  const known = prompt.arguments.find(each => each.name === name)
  if (known === undefined) throw new ProtocolError(INVALID_PARAMS, `${prompt.name} has no argument ${name.slice(0, 64)}. Arguments: ${prompt.arguments.map(({ name }) => name).join(', ')}.`)
  const values = [...new Set(await known.complete(context, value))]
  return { completion: { values: values.slice(0, mostValues), total: values.length, hasMore: values.length > mostValues } }
}
