import type { Inline } from './document.js'
import { textOf } from './document.js'

/** Normalizes a link's address: http, https, mailto, or a DOI at doi.org. Returns undefined for other addresses. */
export function linkAddress (text: string): string | undefined {
  const doi = /^(?:doi:\s*)?(10\.\d{4,9}\/\S+)$/i.exec(text.trim())?.[1]
  const address = doi !== undefined ? doiAddress(doi) : /^www\./i.test(text.trim()) ? `https://${text.trim()}` : text.trim()
  if (address.length > 2000 || !URL.canParse(address)) return undefined
  const { protocol, href } = new URL(address)
  return ['http:', 'https:', 'mailto:'].includes(protocol) ? withoutMarks(href) : undefined
}

/** Percent-encodes characters that would end the address in Markdown. */
const withoutMarks = (address: string): string =>
  address.replace(/[()<>\\|`*]/g, mark => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)

/** The address of a DOI, escaped for Markdown. */
export const doiAddress = (doi: string): string =>
  withoutMarks(`https://doi.org/${encodeURIComponent(doi.toWellFormed()).replace(/%2F/g, '/').replace(/%3A/g, ':').replace(/%3B/g, ';')}`)

/** A link, or only its text if the address is not allowed. */
export function link (href: string | undefined, content: Inline[]): Inline[] {
  const url = href === undefined ? undefined : linkAddress(href)
  return url === undefined || textOf(content).trim() === '' ? content : [{ kind: 'link', url, content }]
}

/** "doi:10.5555/12345678" as a link. */
export const doiLink = (doi: string): Inline => ({ kind: 'link', url: doiAddress(doi), content: [`doi:${doi}`] })
