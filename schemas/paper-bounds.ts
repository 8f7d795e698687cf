/* Apart from the schemas: worker threads need the bounds, and would load hundreds of modules with a schema. */

/** Ids of institutions of one author, at most. */
export const maxAffiliations = 10

/** References of a paper that are stored, at most. */
export const maxReferences = 1000
