import type { Inline } from './document.js'
import { textOf } from './document.js'

/** The address as a link may have it: http, https and mailto, and DOIs at doi.org; undefined for every other. */
export function linkAddress (given: string): string | undefined {
  const doi = /^(?:doi:\s*)?(10\.\d{4,9}\/\S+)$/i.exec(given.trim())?.[1]
  const address = doi !== undefined ? doiAddress(doi) : /^www\./i.test(given.trim()) ? `https://${given.trim()}` : given.trim()
  if (address.length > 2000 || !URL.canParse(address)) return undefined
  const { protocol, href } = new URL(address)
  return ['http:', 'https:', 'mailto:'].includes(protocol) ? withoutMarks(href) : undefined
}

/** What would end the address in Markdown, percent-encoded. */
const withoutMarks = (address: string): string => address.replace(/[()<>\\|`*]/g, mark => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)

/** The address of a DOI, escaped for Markdown. */
export const doiAddress = (doi: string): string => withoutMarks(`https://doi.org/${encodeURIComponent(doi.toWellFormed()).replace(/%2F/g, '/').replace(/%3A/g, ':').replace(/%3B/g, ';')}`)

/** A link where the address may be one, and else its text. */
export function link (given: string | undefined, content: Inline[]): Inline[] {
  const url = given === undefined ? undefined : linkAddress(given)
  return url === undefined || textOf(content).trim() === '' ? content : [{ kind: 'link', url, content }]
}

/** "doi:10.5555/12345678" as a link. */
export const doiLink = (doi: string): Inline => ({ kind: 'link', url: doiAddress(doi), content: [`doi:${doi}`] })
