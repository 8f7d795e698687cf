import { child, readElements, textOf, type XmlElement } from '../formats/xml.js'

/* What entries of journal feeds state in elements that feedsmith does not read. */

const entryNames: ReadonlySet<string> = new Set(['item', 'entry'])

/** The elements of all entries in their order, up to the first fault of the XML. */
export async function entryElements (document: string): Promise<XmlElement[]> {
  const entries: XmlElement[] = []
  for await (const item of readElements(whole(document), entryNames)) if ('element' in item) entries.push(item.element)
  return entries
}

async function * whole (document: string): AsyncIterable<string> {
  yield document
}

/** Where and when a paper appeared, and who wrote it; each empty unless stated. */
export interface StatedElements {
  doi: string
  journal: string
  date: string
  volume: string
  issue: string
  firstPage: string
  lastPage: string
  issn: string
  authors: string
}

/** Reads PRISM's elements, which feedsmith leaves out of RDF, and those that IEEE writes beside RSS. */
export function statedElements (entry: XmlElement | undefined): StatedElements {
  const first = (...names: string[]) => names.map(name => textOf(child(entry, name))).find(each => each !== '') ?? ''
  return {
    doi: first('doi'),
    journal: first('publicationName'),
    date: first('publicationDate', 'coverDate'),
    volume: first('volume'),
    issue: first('number', 'issue'),
    firstPage: first('startingPage', 'startPage'),
    lastPage: first('endingPage', 'endPage'),
    issn: first('issn', 'eIssn'),
    authors: first('authors')
  }
}

/** ScienceDirect writes all of this as the description, and no abstract. */
const scienceDirectForm = /^Publication date: (?:Available online )?(.*?) Source: (.*?)(?:, Volume .*?)?(?: Author\(s\): (.*))?$/

/** What a description of ScienceDirect states; undefined for any other. @param description as plain text */
export function scienceDirectElements (description: string): Pick<StatedElements, 'date' | 'journal' | 'authors'> | undefined {
  const [found, date = '', journal = '', authors = ''] = scienceDirectForm.exec(description) ?? []
  return found === undefined ? undefined : { date, journal, authors }
}
