import { INVALID_PARAMS, ProtocolError } from '../errors.js'
import { isObject } from '../../../../schemas/json-object.js'
import { jobsList } from '../../../operations/jobs/jobs-list.js'
import type { Method } from '../method.js'
import type { PromptArgument } from '../prompt.js'
import { startsWith } from '../prompts/project-argument.js'
import { jobTemplate } from '../resources.js'
import { requirePrompt, requireShort } from './prompts.js'

/** Source: the protocol's completion/complete. */
const maxValues = 100

/** Jobs among which one is suggested, the newest. */
const maxJobs = 50

/**
 * Suggests values for an argument of a prompt or of a job's address, from the caller's own data.
 * @throws ProtocolError, RateLimited
 */
export const complete: Method = async ({ context, countLookup }, { ref, argument, context: filled }) => {
  await countLookup()
  if (!isObject(ref) || !(ref.type === 'ref/prompt' || (ref.type === 'ref/resource' && ref.uri === jobTemplate.uriTemplate))) {
    throw new ProtocolError(
      INVALID_PARAMS,
      `ref must be {"type": "ref/prompt", "name": …} or {"type": "ref/resource", "uri": "${jobTemplate.uriTemplate}"}: nothing else has ` +
        'arguments to complete.'
    )
  }
  if (!isObject(argument) || typeof argument.name !== 'string' || typeof argument.value !== 'string') {
    throw new ProtocolError(INVALID_PARAMS, 'argument must be {"name": …, "value": …}, both strings.')
  }
  const { name, arguments: known } = ref.type === 'ref/prompt' ? requirePrompt(ref.name) : jobTemplateArguments
  const completed = known.find(each => each.name === argument.name)
  if (completed === undefined) {
    const names = known.map(each => each.name).join(', ')
    throw new ProtocolError(INVALID_PARAMS, `${name} has no argument ${argument.name.slice(0, 64)}. Arguments: ${names}.`)
  }
  requireShort(completed, argument.value)
  const values = [...new Set(await completed.complete(context, argument.value, readChosen(known, filled)))]
  return { completion: { values: values.slice(0, maxValues), total: values.length, hasMore: values.length > maxValues } }
}

/** The arguments that a person has filled in, as far as they are texts. */
function readChosen (known: readonly Completed[], filled: unknown): Record<string, string> {
  const values = isObject(filled) && isObject(filled.arguments) ? filled.arguments : {}
  return Object.fromEntries(known.flatMap(argument => {
    const value = Object.hasOwn(values, argument.name) ? values[argument.name] : undefined
    if (typeof value !== 'string' || value.trim() === '') return []
    requireShort(argument, value)
    return [[argument.name, value]]
  }))
}

type Completed = Pick<PromptArgument, 'name' | 'maxLength' | 'complete'>

const jobTemplateArguments: { name: string, arguments: Completed[] } = {
  name: jobTemplate.uriTemplate,
  arguments: [{
    name: 'job_id',
    async complete (context, prefix) {
      const { items } = await jobsList.run(context, { limit: maxJobs })
      return items.map(({ id }) => id).filter(startsWith(prefix))
    }
  }]
}
