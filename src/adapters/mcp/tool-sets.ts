import { type KeyScope, keyScopes } from '../../../schemas/key.js'
import { InvalidArguments } from '../../errors/operation-errors.js'
import { type Tool, tools } from './tools.js'

/** Values of the address parameter `tools`: the core tools, everything that the key may call, or the two that ChatGPT asks for. */
const toolSets = ['core', 'all', 'chatgpt'] as const
export type ToolSet = typeof toolSets[number]

/** Reads the address parameter `tools`. @returns undefined where it is absent @throws InvalidArguments for an unknown set */
export function readToolSet (value: unknown): ToolSet | undefined {
  if (value === undefined || value === '') return undefined
  const set = toolSets.find(each => each === value)
  if (set === undefined) throw new InvalidArguments(`The tools parameter of this address is unknown. Allowed: ${toolSets.join(', ')}.`)
  return set
}

/** The tools that tools/list shows. The set only selects what is shown: what a key may call depends on its scope. */
export function listedTools (set: ToolSet | undefined, scope: KeyScope): Tool[] {
  if (set === 'chatgpt') return tools.filter(({ group }) => group === 'chatgpt')
  if (set === 'core' || (set === undefined && scope === 'read')) return tools.filter(({ group }) => group === 'core')
  return tools.filter(({ group, operation }) => group !== 'chatgpt' && (scope === 'act' || operation.scope === 'read'))
}

/** Every combination of a set and a scope. */
export const toolLists = ([undefined, ...toolSets] as const).flatMap(set =>
  keyScopes.map(scope => ({ set, scope, tools: listedTools(set, scope) }))
)
