/** A JSON object of unknown form. */
export type JsonObject = Record<string, unknown>

/** Tells objects from other JSON values, of which lists and null have the type `object` too. */
export const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)
