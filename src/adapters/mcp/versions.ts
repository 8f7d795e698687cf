import { isOneOf } from '../../../schemas/closed-lists.js'

/** Revisions with `initialize`, oldest first. */
export const legacyVersions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const
/** The revision that is offered to clients of an unknown one. */
export const newestLegacy = legacyVersions.at(-1)!
/** The only revision with batches; assumed if the header is missing. */
export const batchVersion = '2025-03-26'
/** Stateless revisions, oldest first. */
export const modernVersions = ['2026-07-28'] as const
/** All revisions that the endpoint serves, oldest first. */
export const servedVersions = [...legacyVersions, ...modernVersions] as const

/** Whether a revision opens sessions with `initialize`. */
export const isLegacy = (version: string): boolean => isOneOf(legacyVersions, version)
/** Whether a revision is stateless. */
export const isModern = (version: string): boolean => isOneOf(modernVersions, version)
/** Revisions are dates: later ones belong to the modern era, supported or not. */
export const isOfModernEra = (version: string): boolean => /^\d{4}-\d\d-\d\d$/.test(version) && version >= modernVersions[0]
