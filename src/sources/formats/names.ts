import type { Author } from '../../../schemas/paper.js'
import { maxAffiliations } from '../../../schemas/paper-bounds.js'
import { sortedName } from '../../papers/citations/names.js'
import { openalexAuthorIn, openalexInstitutionIn, orcidIn, rorIn } from '../../papers/identifiers.js'
import { plainText } from './plain-text.js'

const suffixForm = '(?:Jr|Sr|I{2,3}|IV|[2-9](?:nd|rd|th))\\.?'
const isSuffix = new RegExp(`^(?:${suffixForm}|Ph\\.?D\\.?|M\\.?D\\.?)$`)
const givenWithSuffix = new RegExp(`^(.+) (${suffixForm})$`)

/**
 * Converts "Family, Given, Suffix" to "Given Family Suffix"; MEDLINE writes the suffix behind the given name. A name without a comma is
 * unchanged, and so are a list of people and "Given Family, Suffix".
 */
export function readName (written: string): string {
  const text = plainText(written)
  const [family = '', givenNames = '', suffix = '', ...others] = text.split(/[,，]/).map(part => part.trim())
  if (others.some(part => part !== '')) return text
  if (suffix === '' && isSuffix.test(givenNames)) return `${family} ${givenNames}`
  const [, given = givenNames, ownSuffix = ''] = suffix === '' ? givenWithSuffix.exec(givenNames) ?? [] : []
  return [given, family, suffix || ownSuffix].filter(part => part !== '').join(' ')
}

/** Converts MEDLINE's short names: "Smith JB" to "JB Smith", "de la Cruz M Jr" to "M de la Cruz Jr". */
export function readShortName (written: string): string {
  const text = plainText(written)
  const [, family, initials, suffix] = /^(.+?) (\p{Lu}{1,4})(?: (Jr|Sr|[2-9](?:nd|rd|th)))?$/u.exec(text) ?? []
  return family === undefined ? readName(text) : [initials, family, suffix].filter(part => part !== undefined).join(' ')
}

/** A name, whether it is stated to be a group's, and ids as a source writes them, such as addresses. */
export interface StatedAuthor { name: string, group?: boolean, orcid?: string, openalex?: string, institutions?: readonly string[] }

/** Converts non-empty names to authors, with those of their ids that are valid. */
export const authorsOf = (authors: ReadonlyArray<string | StatedAuthor>): Author[] =>
  authors.map(author => typeof author === 'string' ? { name: author } : identified(author))
    .filter(({ name }) => /[\p{L}\p{N}]/u.test(name) && !/^(et al|others|and others)\.?$/i.test(name))

function identified ({ name, group, orcid, openalex, institutions = [] }: StatedAuthor): Author {
  const ids = { orcid: orcidIn(orcid), openalex: openalexAuthorIn(openalex) }
  const institutionIds = institutions.slice(0, 20).map(id => rorIn(id) ?? openalexInstitutionIn(id)).filter(id => id !== null)
  const affiliations = [...new Set(institutionIds)].slice(0, maxAffiliations)
  return {
    name,
    ...(ids.orcid === null ? {} : { orcid: ids.orcid }),
    ...(ids.openalex === null ? {} : { openalex: ids.openalex }),
    ...(affiliations.length === 0 ? {} : { affiliations }),
    // Other names of groups are recognized.
    ...(group === true && sortedName(name).given !== undefined ? { group } : {})
  }
}
