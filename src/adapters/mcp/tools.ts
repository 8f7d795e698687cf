import { type TObject, Type } from 'typebox'
import { markFilters } from '../../../schemas/item-state.js'
import { feedAtomUrl } from '../../operations/feed/feed-atom-url.js'
import { feedBrief } from '../../operations/feed/feed-brief.js'
import { feedGet } from '../../operations/feed/feed-get.js'
import { feedSearch } from '../../operations/feed/feed-search.js'
import { feedbackClear } from '../../operations/feed/feedback-clear.js'
import { feedbackSet } from '../../operations/feed/feedback-set.js'
import { fetch } from '../../operations/papers/fetch.js'
import { paperAdd } from '../../operations/papers/paper-add.js'
import { paperCite } from '../../operations/papers/paper-cite.js'
import { paperGet } from '../../operations/papers/paper-get.js'
import { paperMarkdown } from '../../operations/papers/paper-markdown.js'
import { search } from '../../operations/papers/search.js'
import { projectCreate } from '../../operations/projects/project-create.js'
import { projectPreview } from '../../operations/projects/project-preview.js'
import { projectUpdate } from '../../operations/projects/project-update.js'
import { projectsGet } from '../../operations/projects/projects-get.js'
import { projectsList } from '../../operations/projects/projects-list.js'
import type { AnyOperation } from '../../operations/operation.js'

/** Hints for the client; source: the protocol's ToolAnnotations. */
interface Annotations { readOnlyHint: boolean, destructiveHint: boolean, idempotentHint: boolean, openWorldHint: boolean }

const readOnly: Annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
/** Reads too, though it may fill a cache: the first reader of a paper queues its conversion, which fetches from outside services. */
const mayQueueJob: Annotations = { ...readOnly, openWorldHint: true }

/** Changes what can be changed back. The world that a tool acts in is the user's feeds: fetching from outside is the service's own work. */
const changes: Annotations = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false }
/** Replaces or removes what was there. */
const overwrites: Annotations = { ...changes, destructiveHint: true }

/** Characters of a result that can be long. */
const longResultChars = 200_000

/** The arguments of the core tools are settled; pages and REST have more filters. */
const marks = Object.keys(markFilters)

/** A tool, and where tools/list shows it. Adding one is the file of its operation and a row below. */
export interface Tool {
  operation: AnyOperation
  /** The older name, which works only in tools/call. */
  dottedName?: string
  annotations: Annotations
  /** core: the tools of every key; extension: those that keys with more rights see too; chatgpt: those that ChatGPT asks for by name. */
  group: 'core' | 'extension' | 'chatgpt'
  /** Optional arguments of the operation that the tool does not take. */
  omitted?: readonly string[]
  /** Characters that a client should show a model uncut, where results can be long. */
  maxResultChars?: number
  /** Objects deeper than this are open in the published output; default: that of the group. */
  outputDepth?: number
  /** Hosts that show views show this tool's results as a card. */
  hasCard?: true
}

/** Every tool, in the order of tools/list. */
export const tools: readonly Tool[] = [
  {
    operation: projectsList,
    dottedName: 'projects.list',
    annotations: readOnly,
    group: 'core',
    maxResultChars: longResultChars,
    // projects_get has the objects of a project.
    outputDepth: 2
  },
  { operation: projectsGet, dottedName: 'projects.get', annotations: readOnly, group: 'core', outputDepth: 2 },
  { operation: feedGet, dottedName: 'feed.get', annotations: readOnly, group: 'core', omitted: marks, maxResultChars: longResultChars },
  {
    operation: feedSearch,
    dottedName: 'feed.search',
    annotations: readOnly,
    group: 'core',
    omitted: marks,
    maxResultChars: longResultChars
  },
  { operation: feedAtomUrl, dottedName: 'feed.atom_url', annotations: readOnly, group: 'core' },
  { operation: paperGet, dottedName: 'paper.get', annotations: readOnly, group: 'core' },
  { operation: paperMarkdown, dottedName: 'paper.markdown', annotations: mayQueueJob, group: 'core', maxResultChars: longResultChars },
  {
    operation: feedBrief,
    annotations: { ...readOnly, idempotentHint: false },
    group: 'extension',
    maxResultChars: longResultChars,
    hasCard: true
  },
  { operation: feedbackSet, annotations: changes, group: 'extension' },
  { operation: feedbackClear, annotations: overwrites, group: 'extension' },
  { operation: paperCite, annotations: readOnly, group: 'extension' },
  { operation: paperAdd, annotations: changes, group: 'extension' },
  { operation: projectCreate, annotations: { ...changes, idempotentHint: false }, group: 'extension', outputDepth: 1 },
  { operation: projectUpdate, annotations: overwrites, group: 'extension', outputDepth: 1 },
  { operation: projectPreview, annotations: readOnly, group: 'extension' },
  { operation: search, annotations: readOnly, group: 'chatgpt' },
  { operation: fetch, annotations: readOnly, group: 'chatgpt' }
]

const byName = new Map<string, Tool>([
  ...tools.flatMap(tool => tool.dottedName === undefined ? [] : [[tool.dottedName, tool] as const]),
  ...tools.map(tool => [tool.operation.name, tool] as const)
])

/** The arguments that a tool takes. */
export function toolInput ({ operation: { input }, omitted = [] }: Tool): TObject {
  const properties = Object.entries((input as TObject).properties).filter(([name]) => !omitted.includes(name))
  return omitted.length === 0 ? input : Type.Object(Object.fromEntries(properties), { additionalProperties: false })
}

/** The tool of a name or dotted name; undefined if there is none. */
export const findTool = (name: string): Tool | undefined => byName.get(name)
