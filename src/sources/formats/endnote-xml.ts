import type { PaperRecord } from '../../../schemas/paper.js'
import { type Format, requireTitle } from './format.js'
import { referenceTypeOf } from './refer.js'
import { readRisRecord } from './ris.js'
import { Fields } from './tagged.js'
import { child, children, readElements, textOf, type XmlElement } from './xml.js'

const records: ReadonlySet<string> = new Set(['record'])

/** Where EndNote has what a tag of RIS has: the path to elements of which each is a field. */
const paths: ReadonlyArray<readonly [tag: string, path: readonly string[], name: string]> = [
  ['AU', ['contributors', 'authors'], 'author'],
  ['TI', ['titles'], 'title'],
  ['T2', ['titles'], 'secondary-title'],
  ['JF', ['periodical'], 'full-title'],
  ['JA', ['periodical'], 'abbr-1'],
  ['PY', ['dates'], 'year'],
  ['DA', ['dates', 'pub-dates'], 'date'],
  ['VL', [], 'volume'],
  ['IS', [], 'number'],
  ['SP', [], 'pages'],
  ['C7', [], 'custom7'],
  ['SN', [], 'isbn'],
  ['DO', [], 'electronic-resource-num'],
  ['AN', [], 'accession-num'],
  ['C2', [], 'custom2'],
  ['DB', [], 'remote-database-name'],
  ['DP', [], 'remote-database-provider'],
  ['PB', [], 'publisher'],
  ['LA', [], 'language'],
  ['AB', [], 'abstract'],
  ['N1', [], 'notes'],
  ['KW', ['keywords'], 'keyword'],
  ['UR', ['urls', 'related-urls'], 'url'],
  ['L1', ['urls', 'pdf-urls'], 'url']
]

/** EndNote's XML, which has the fields of its RIS in other places. Elements of style are around each text. */
export const endnoteXml: Format = {
  name: 'endnote-xml',
  title: 'EndNote XML',
  extensions: ['.xml'],
  matches: head => /<records?[\s>]/.test(head) && /<(?:ref-type|rec-number|source-app)[\s>]/.test(head),
  async * read (text) {
    let place = 0
    let root = ''
    for await (const item of readElements(text, records, name => { root = name })) {
      place++
      if ('fault' in item) yield { place, reason: item.fault, ended: item.ended }
      else yield { place, line: item.line, ...requireTitle(readRecord(item.element)) }
    }
    if (place === 0 && root !== '' && root !== 'xml' && root !== 'records') {
      yield { place: 1, reason: `the file contains <${root}> instead of references` }
    }
  }
}

function readRecord (element: XmlElement): PaperRecord {
  const fields = new Fields()
  fields.add({ tag: 'TY', value: referenceTypeOf(child(element, 'ref-type')?.attributes.name ?? 'Generic') })
  for (const [tag, path, name] of paths) {
    for (const each of children(child(element, ...path), name)) fields.add({ tag, value: textOf(each) })
  }
  return { ...readRisRecord(fields), source: { name: 'endnote-xml' } }
}
