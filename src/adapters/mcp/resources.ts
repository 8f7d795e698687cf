import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { KeyScope } from '../../../schemas/key.js'
import { packageRoot, version } from '../../settings/version.js'

/** Extension that shows views of results to people. @see MCP Apps, revision 2026-01-26 */
export const appsExtension = 'io.modelcontextprotocol/ui'
/** The MIME type of such a view. */
export const appMimeType = 'text/html;profile=mcp-app'

/** Resource as resources/list describes it, with the text that resources/read returns. */
export interface Resource {
  uri: string
  name: string
  title: string
  description: string
  mimeType: string
  text: string
  /** Rules for the host that shows it. */
  _meta: object
}

const part = (name: string) => readFileSync(new URL(`src/adapters/mcp/card/${name}`, packageRoot), 'utf8').trim()
const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Fills the `{{name}}` of a template. */
const fill = (template: string, values: Readonly<Record<string, string>>) =>
  template.replace(/\{\{(\w+)\}\}/g, (_whole, name: string) => values[name]!)

/** The view of a brief, as one document without outside parts. */
function cardHtml (votes: 'yes' | 'no'): string {
  const style = part('card.css')
  const script = fill(part('card.js'), { version })
  const policy = `default-src 'none'; script-src ${hashOf(script)}; style-src ${hashOf(style)}; base-uri 'none'; form-action 'none'`
  return fill(part('card.html'), { style, script, policy, votes })
}

const shared = {
  mimeType: appMimeType,
  // The card loads nothing and connects to nothing.
  _meta: { ui: { csp: { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] }, prefersBorder: true } }
}

/** The view of `feed_brief`, by what the key may do. Each has an address of its own, because hosts cache views by address. */
export const briefCards: Readonly<Record<KeyScope, Resource>> = {
  read: {
    uri: 'ui://litfeed/brief',
    name: 'brief_card',
    title: 'New papers',
    description: 'Shows the papers of feed_brief to read and open.',
    text: cardHtml('no'),
    ...shared
  },
  act: {
    uri: 'ui://litfeed/triage',
    name: 'triage_card',
    title: 'Triage new papers',
    description: 'Shows the papers of feed_brief to read, star, dismiss and open.',
    text: cardHtml('yes'),
    ...shared
  }
}

/** Background work that a tool queued: no tool reads it, since calling the tool again returns what it made. */
export const jobTemplate = {
  uriTemplate: 'litfeed://jobs/{job_id}',
  name: 'job',
  title: 'Background job',
  description: 'State, error and result of the job of a job_id that a tool returned. While it waits or runs, read it again after 20 s.',
  mimeType: 'application/json'
} as const

/** The resources of a key, in the order of resources/list. */
export const resourcesOf = (scope: KeyScope): readonly Resource[] => [briefCards[scope]]
