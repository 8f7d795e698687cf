import { Type } from 'typebox'

/** For operations without arguments. */
export const NoInput = Type.Object({}, { additionalProperties: false })
/** An empty result. */
export const NoResult = Type.Object({})
