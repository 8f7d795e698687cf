import { INVALID_PARAMS, ProtocolError } from '../errors.js'
import { isObject } from '../../../../schemas/json-object.js'
import type { Method } from '../method.js'
import { findPrompt, prompts } from '../prompts.js'
import { maxArgumentLength, type Prompt, type PromptArgument } from '../prompt.js'
import { refuseCursor } from './paging.js'

const list = Object.freeze({
  prompts: prompts.map(({ name, title, description, arguments: promptArguments }) =>
    ({
      name,
      title,
      description,
      arguments: promptArguments.map(({ name, title, description, required }) => ({ name, title, description, required }))
    }))
})

/** `prompts/list`. */
export const listPrompts: Method = (_call, { cursor }) => {
  refuseCursor(cursor)
  return list
}

/** `prompts/get`. @throws ProtocolError for an unknown prompt or a missing argument */
export const getPrompt: Method = async ({ context, countLookup }, { name, arguments: values }) => {
  await countLookup()
  const prompt = requirePrompt(name)
  const text = await prompt.write(context, readArguments(prompt, values ?? {}))
  return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] }
}

/** @throws ProtocolError -32602 for an unknown name */
export function requirePrompt (name: unknown): Prompt {
  const prompt = findPrompt(name)
  if (prompt !== undefined) return prompt
  throw new ProtocolError(
    INVALID_PARAMS,
    `Prompt ${typeof name === 'string' ? name.slice(0, 64) : 'without a name'} is unknown. Prompts: ` +
      `${prompts.map(({ name }) => name).join(', ')}.`
  )
}

const invalidArgument = (message: string) => new ProtocolError(INVALID_PARAMS, message)

/** Characters of a text as JSON Schema counts them; of a long one, its UTF-16 units. */
const lengthOf = (text: string, max: number): number => text.length > 2 * max ? text.length : [...text].length

/** @throws ProtocolError -32602 */
export function requireShort (
  { name, maxLength = maxArgumentLength }: Pick<PromptArgument, 'name' | 'maxLength'>,
  value: string
): void {
  const characters = lengthOf(value, maxLength)
  if (characters > maxLength) {
    throw invalidArgument(`${name} has ${characters.toLocaleString('en')} characters; allowed: ${maxLength}. Shorten it.`)
  }
}

/** Reads the prompt's arguments, which are strings. Ignores unknown ones, because clients send fields of their own. */
function readArguments (prompt: Prompt, input: unknown): Record<string, string> {
  if (!isObject(input)) throw new ProtocolError(INVALID_PARAMS, 'arguments must be an object.')
  const values: Record<string, string> = {}
  for (const argument of prompt.arguments) {
    const { name, required, description } = argument
    // Some clients send null for an argument that is absent, and numbers and booleans as such.
    const given = Object.hasOwn(input, name) ? input[name] ?? undefined : undefined
    const value = typeof given === 'number' || typeof given === 'boolean' ? String(given) : given
    if (typeof value === 'string') requireShort(argument, value)
    if (typeof value === 'string' && value.trim() !== '') values[name] = value.trim()
    else if (value !== undefined && typeof value !== 'string') throw invalidArgument(`${name} must be a string. ${description}`)
    else if (required) throw invalidArgument(`${name} is required. ${description}`)
  }
  return values
}
