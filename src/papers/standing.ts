/*
 * How much a record's description weighs in a merge. A source states its standing in its own file, and merging is below sources, so the table of
 * sources registers all of them here as it loads. Whatever opens the service loads that table. A record of an unregistered name weighs
 * as much as a file.
 */

/** Standing of records from files, which a person may have edited. */
export const fileStanding = 1

const standings = new Map<string, number>()

/** Sets the standing of a source. src/sources/index.ts calls it for each source when it loads. */
export const setStanding = (sourceName: string, standing: number): void => { standings.set(sourceName, standing) }

/** How much a record's description of a paper weighs in a merge, by the name of its source or file format. */
export const standingOf = (name: string): number => standings.get(name) ?? fileStanding
