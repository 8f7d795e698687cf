import type { Paper } from '../../../schemas/paper.js'

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
   */
  write: (paper: Paper, taken: Map<string, number>) => string
}
