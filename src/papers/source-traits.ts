/*
 * Properties of sources that decide merges. Merging is below sources, so src/sources/index.ts registers them here when it loads, and
 * whatever opens the service loads it. Unregistered names, such as those of file formats, have the traits of files.
 */

/** How merging treats the records of a source. */
export interface SourceTraits {
  readonly name: string
  /** Weight of its description of a paper in a merge. */
  readonly precedence: number
  /** Whether a person chose the address of the records, whose writer may state anything about any work. */
  readonly isJournalFeed?: true
  /** Whether all its records are preprints. */
  readonly hasOnlyPreprints?: true
}

/** Precedence of records from files, which a person may have edited. */
export const filePrecedence = 1

const traits = new Map<string, SourceTraits>()

/** Registers a source. src/sources/index.ts calls it for each source when it loads. */
export const registerSource = (source: SourceTraits): void => { traits.set(source.name, source) }

/** How much a record's description of a paper weighs in a merge, by the name of its source or file format. */
export const precedenceOf = (name: string): number => traits.get(name)?.precedence ?? filePrecedence

/** Whether the records of a source come from journal feeds. */
export const isJournalFeed = (name: string): boolean => traits.get(name)?.isJournalFeed === true

/** Whether all records of a source are preprints. */
export const hasOnlyPreprints = (name: string): boolean => traits.get(name)?.hasOnlyPreprints === true
