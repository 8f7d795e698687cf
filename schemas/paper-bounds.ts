/* Apart from the schemas: worker threads need the bound, and would load hundreds of modules with a schema. */

/** Ids of institutions of one author, at most. */
export const maxAffiliations = 10
