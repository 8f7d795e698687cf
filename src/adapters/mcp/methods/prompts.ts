import { OperationError } from '../../../errors/operation-errors.js'
import { INVALID_PARAMS, ProtocolError } from '../errors.js'
import { isObject } from '../envelope.js'
import type { Method } from '../method.js'
import { findPrompt, prompts } from '../prompts.js'
import type { Prompt } from '../prompt.js'
import { refuseCursor } from './paging.js'

const list = Object.freeze({
  prompts: prompts.map(({ name, title, description, arguments: taken }) =>
    ({ name, title, description, arguments: taken.map(({ name, title, description, required }) => ({ name, title, description, required })) }))
})

export const listPrompts: Method = (_call, { cursor }) => {
  refuseCursor(cursor)
  return list
}

export const getPrompt: Method = (_call, { name, arguments: given = {} }) => {
  const prompt = knownPrompt(name)
  const values = readArguments(prompt, given)
  try {
    return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text: prompt.write(values) } }] }
  } catch (cause) {
    if (!(cause instanceof OperationError)) throw cause
    throw new ProtocolError(INVALID_PARAMS, cause.message)
  }
}

export function knownPrompt (name: unknown): Prompt {
  const prompt = findPrompt(name)
  if (prompt !== undefined) return prompt
  throw new ProtocolError(INVALID_PARAMS, `There is no prompt ${typeof name === 'string' ? name.slice(0, 64) : 'without a name'}. Prompts: ${prompts.map(({ name }) => name).join(', ')}.`)
}

/** Prompt arguments are strings. Those that the prompt does not take are passed over, since clients send fields of their own. */
function readArguments (prompt: Prompt, given: unknown): Record<string, string> {
  if (!isObject(given)) throw new ProtocolError(INVALID_PARAMS, 'arguments must be an object.')
  const values: Record<string, string> = {}
  for (const { name, required, description } of prompt.arguments) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined
    if (typeof value === 'string' && value.trim() !== '') values[name] = value.trim()
    else if (value !== undefined && typeof value !== 'string') throw new ProtocolError(INVALID_PARAMS, `${name} must be a string. ${description}`)
    else if (required) throw new ProtocolError(INVALID_PARAMS, `${name} is required. ${description}`)
  }
  return values
}
