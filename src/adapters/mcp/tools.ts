import { feedAtomUrl } from '../../operations/feed/feed-atom-url.js'
import { feedGet } from '../../operations/feed/feed-get.js'
import { feedSearch } from '../../operations/feed/feed-search.js'
import { paperGet } from '../../operations/papers/paper-get.js'
import { paperMarkdown } from '../../operations/papers/paper-markdown.js'
import { projectsGet } from '../../operations/projects/projects-get.js'
import { projectsList } from '../../operations/projects/projects-list.js'
import type { AnyOperation } from '../../operations/operation.js'

/** Hints for the client; source: the protocol's ToolAnnotations. */
interface Annotations { readOnlyHint: boolean, destructiveHint: boolean, idempotentHint: boolean, openWorldHint: boolean }

const reads: Annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
/** It may queue a conversion, once a paper, and the conversion fetches from outside. */
const queues: Annotations = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true }

export interface Tool { operation: AnyOperation, alias: string, annotations: Annotations }

/** Every tool, in the order that tools/list shows. An alias works in tools/call alone. */
export const tools: readonly Tool[] = [
  { operation: projectsList, alias: 'projects.list', annotations: reads },
  { operation: projectsGet, alias: 'projects.get', annotations: reads },
  { operation: feedGet, alias: 'feed.get', annotations: reads },
  { operation: feedSearch, alias: 'feed.search', annotations: reads },
  { operation: feedAtomUrl, alias: 'feed.atom_url', annotations: reads },
  { operation: paperGet, alias: 'paper.get', annotations: reads },
  { operation: paperMarkdown, alias: 'paper.markdown', annotations: queues }
]

const byName = new Map<string, Tool>([
  ...tools.map(tool => [tool.alias, tool] as const),
  ...tools.map(tool => [tool.operation.name, tool] as const)
])

export const findTool = (name: string): Tool | undefined => byName.get(name)
