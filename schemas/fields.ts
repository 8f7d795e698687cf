import { Type } from 'typebox'

/** A whole number from 0, such as a number of papers or of bytes. */
export const count = (description: string) => Type.Integer({ minimum: 0, description })

/** A time in ISO 8601. */
export const time = (description?: string) => Type.String({ format: 'date-time', ...(description === undefined ? {} : { description }) })
