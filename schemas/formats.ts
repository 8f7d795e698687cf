import Format from 'typebox/format'

/** An email address as public mail servers take it: the domain has a dot, and nothing is quoted. */
const publicAddress = /^[^"]+@[^[\]]+\.[^.]+$/

/** The formats that schemas name, for Ajv. */
export const formats: Readonly<Record<string, (value: string) => boolean>> = {
  date: Format.IsDate,
  'date-time': Format.IsDateTime,
  email: value => publicAddress.test(value) && Format.IsEmail(value),
  uri: Format.IsUri,
  uuid: Format.IsUuid
}
