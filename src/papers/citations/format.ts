import type { FeedItem } from '../../../schemas/feed.js'
import type { ItemMarks } from '../../../schemas/item-state.js'
import type { Paper } from '../../../schemas/paper.js'

/** The owner's tags and note of a paper. */
export type Annotations = Pick<ItemMarks, 'tags' | 'note'>

/** A format that references are written in. */
export interface CitationFormat {
  /** In requests. */
  name: string
  /** As people call it. */
  title: string
  /** The programs that read it: "LaTeX and JabRef". */
  readBy: string
  /** Media type of a file. */
  type: string
  /** Extension of a file's name, without the dot. */
  extension: string
  /** Texts around and between the references of a file; default: an empty line between two. */
  list?: { begin: string, separator: string, end: string }
  /**
   * Writes one paper's reference.
   * @param taken the keys of the records before it in the same file, so that no two records share one
   * @param marks tags become keywords, and the note a note, in formats that have them
   */
  write: (paper: Paper, taken: Map<string, number>, marks?: Annotations) => string
}

/** A format that the items of a feed are written in, with their votes and marks as far as it can hold them. */
export interface ExportFormat extends Omit<CitationFormat, 'write'> {
  /** Whether a paper in several projects is written once for each of them: reference managers take it for several papers. */
  hasEachItem?: boolean
  /** Writes one item. @param taken the keys of the items before it in the same file @param projectName of its project */
  write: (item: FeedItem, taken: Map<string, number>, projectName: string) => string
}
