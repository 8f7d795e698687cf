import type { PaperRecord } from '../../../schemas/paper.js'
import { doiIn, pmcidIn, pmidIn, webAddress } from '../identifiers.js'
import { readDate } from './dates.js'
import type { Format } from './format.js'
import { linesOf } from './lines.js'
import { stated } from './metadata.js'
import { authorsOf, readName } from './names.js'
import { plainText } from './plain-text.js'
import { Fields, readTagged } from './tagged.js'

const tagForm = /^([A-Z][A-Z0-9]{1,3}) *- ?(.*)$/

/** MEDLINE, as PubMed's "nbib" and other databases write it. @see https://www.nlm.nih.gov/bsd/mms/medlineelements.html */
export const nbib: Format = {
  name: 'nbib',
  title: 'MEDLINE / nbib',
  matches: head => /^(PMID|OWN|STAT|DCOM)\s*- /m.test(head) && /^(TI|BTI|CTI|AB|FAU|AU)\s*- /m.test(head),
  read: text => readTagged(linesOf(text), {
    tag: line => { const [, tag, value] = tagForm.exec(line) ?? []; return tag === undefined ? undefined : { tag, value: value! } },
    begins: ({ tag }, fields) => tag === 'PMID' && fields.has('PMID'),
    ends: line => line.trim() === '',
    read: readRecord
  })
}

function readRecord (fields: Fields): PaperRecord {
  const pmid = pmidIn(fields.first('PMID'))
  const pmcid = pmcidIn(fields.first('PMC'))
  const locations = [...fields.all('LID'), ...fields.all('AID')]
  const doi = locations.find(text => /\[doi\]/i.test(text)) ?? locations.find(text => doiIn(text) !== null)
  const names = fields.inOrder(['FAU', 'CN'])
  const isPubmed = pmid !== null
  const title = plainText(fields.first('TI') ?? fields.first('BTI') ?? fields.first('CTI') ?? '')
  return {
    title: isPubmed ? title.replace(/^\[(.*)\]\.?$/, '$1').replace(/(?<!\.)\.$/, '') : title,
    abstract: plainText(fields.first('AB') ?? '') || null,
    // AU repeats FAU in short.
    authors: authorsOf((names.length > 0 ? names : fields.inOrder(['AU', 'CN'])).map(readName)),
    published_date: readDate(fields.first('DP')) ?? readDate(fields.first('DEP')?.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')),
    url: isPubmed ? `https://pubmed.ncbi.nlm.nih.gov/${pmid}/` : locations.map(webAddress).find(address => address !== null) ?? null,
    pdf_url: null,
    doi: doiIn(doi),
    venue_name: plainText(fields.first('JT') ?? fields.first('TA') ?? '') || null,
    external_ids: { ...(isPubmed ? { pmid } : {}), ...(pmcid === null ? {} : { pmcid }) },
    source: { name: isPubmed ? 'pubmed' : 'nbib' },
    source_paper_id: pmid ?? fields.first('OID') ?? null,
    metadata: stated({
      published: fields.first('DP'),
      journal_abbreviation: fields.first('TA'),
      volume: fields.first('VI'),
      issue: fields.first('IP'),
      pages: fields.first('PG'),
      issn: fields.first('IS') ?? fields.first('ISSN'),
      language: fields.first('LA'),
      publication_types: fields.all('PT'),
      keywords: fields.all('OT'),
      mesh_terms: fields.all('MH'),
      owner: fields.first('OWN')
    })
  }
}
