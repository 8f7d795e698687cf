import Format from 'typebox/format'
import { hasWord, searchFormats } from './search-text.js'

/** An email address as public mail servers take it: the domain has a dot, and nothing is quoted. */
const publicAddress = /^[^"]+@[^[\]]+\.[^.]+$/

/** RFC 3696, erratum 1690. */
const maxAddressLength = 254

/** The formats that schemas name, for Ajv. */
export const formats: Readonly<Record<string, (value: string) => boolean>> = {
  date: Format.IsDate,
  // RFC 3339, section 5.6, lets a space stand for the T.
  'date-time': value => Format.IsDateTime(value.replace(' ', 'T')),
  email: value => value.length <= maxAddressLength && publicAddress.test(value) && Format.IsEmail(value),
  uri: Format.IsUri,
  uuid: Format.IsUuid,
  ...Object.fromEntries(Object.entries(searchFormats).map(([name, minimum]) =>
    [name, (value: string) => [...value.trim()].length >= minimum(value) && hasWord(value)]))
}
