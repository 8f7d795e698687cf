import { type Static, Type } from 'typebox'
import { isObject } from '../../../schemas/json-object.js'
import { lazyValidator } from '../../../schemas/lazy-validator.js'
import type { PaperRecord } from '../../../schemas/paper.js'
import { Nullable } from '../../../schemas/nullable.js'
import { arxivIn, doiIn, idsIn, openalexIn, pmcidIn, pmidIn, webAddress } from '../../papers/identifiers.js'
import { knownLabel } from '../../papers/identity.js'
import { readMetadata } from '../../papers/metadata.js'
import { readDate } from '../../papers/stated-date.js'
import type { Format } from './format.js'
import { linesOf, maxRecordCharacters } from './lines.js'
import { authorsOf } from './names.js'
import { plainParagraphs, plainText } from './plain-text.js'

/** A date of which only the year, or year and month, are known. */
const partialDate = '^\\d{4}(-(0[1-9]|1[0-2]))?$'

const Text = Nullable(Type.String())

/** An author by name. Ids that are invalid do not invalidate the record: they are dropped. */
const StatedAuthor = Type.Object({
  name: Type.String(),
  ...Type.Partial(Type.Object({
    orcid: Type.Unknown(), openalex: Type.Unknown(), affiliations: Type.Unknown(), group: Type.Unknown()
  })).properties
})

const StatedId = Nullable(Type.Union([Type.String(), Type.Integer()]))

/** The fields of a Paper, of which only the title is required. */
const Line = Type.Object({
  title: Type.String(),
  ...Type.Partial(Type.Object({
    abstract: Text,
    authors: Nullable(Type.Array(Type.Union([StatedAuthor, Type.String()]))),
    published_date: Nullable(Type.Union([
      Type.Literal(''),
      Type.String({ format: 'date' }),
      Type.String({ pattern: partialDate }),
      Type.Integer({ minimum: 1000, maximum: 9999 })
    ])),
    url: Text,
    pdf_url: Text,
    doi: Text,
    venue_name: Text,
    reference_label: Text,
    source: Nullable(Type.Object({ name: Text })),
    source_paper_id: Text,
    external_ids: Nullable(Type.Partial(
      Type.Object({ doi: StatedId, arxiv: StatedId, pmid: StatedId, pmcid: StatedId, openalex: StatedId })
    )),
    index_url: Text,
    metadata: Nullable(Type.Record(Type.String(), Type.Unknown()))
  })).properties
})
type Line = Static<typeof Line>
type StatedAuthor = Static<typeof StatedAuthor>

const allowed: Readonly<Record<string, string>> = {
  title: 'a text',
  authors: 'a list of {"name": …} or texts',
  published_date: 'a date like 2026-11-20, 2026-11 or 2026',
  source: '{"name": …}',
  external_ids: 'an object of texts',
  metadata: 'an object'
}
/** Fields that the service adds to a record. */
const computedFields = new Set(['id', 'short_id', 'slug', 'markdown_ready', 'projects', 'versions', 'cited_by'])
const lineValidator = lazyValidator(Line)

/** JSON Lines: one Paper per line, as the service exports them. */
export const jsonLines: Format = {
  name: 'json-lines',
  title: 'JSON lines',
  extensions: ['.jsonl', '.json'],
  matches: head => /^\s*\{\s*"/.test(head) || isMostlyRecords(head),
  async * read (text) {
    let place = 0
    let line = 0
    for await (const written of linesOf(text)) {
      line++
      if (written.trim() !== '') yield { place: ++place, line, ...readLine(written) }
    }
  }
}

function readLine (line: string): { record: PaperRecord } | { reason: string } {
  if (line.length > maxRecordCharacters) return { reason: 'the record is longer than 8 MB' }
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return { reason: 'the line is not valid JSON' }
  }
  return readPaper(value)
}

/** Detects lines of which the first is broken or empty. */
function isMostlyRecords (head: string): boolean {
  const lines = head.split('\n', 20).filter(line => line.trim() !== '')
  const records = lines.filter(line => /^\s*\{\s*"[^"]*"\s*:/.test(line)).length
  return records > 0 && 2 * records >= lines.length
}

const paperFields = ['authors', 'published_date', 'external_ids', 'doi', 'venue_name']
const itemFields = ['author', 'issued', 'DOI', 'container-title']

/** Whether a value has fields of a record of the API, and none of a CSL item. */
export function isPaper (value: unknown): boolean {
  const hasAny = (names: readonly string[]) => isObject(value) && names.some(name => Object.hasOwn(value, name))
  return hasAny(paperFields) && !hasAny(itemFields)
}

/** Reads a parsed record of the API. */
export function readPaper (value: unknown): { record: PaperRecord } | { reason: string } {
  if (!isObject(value)) return { reason: 'the line is not a JSON object' }
  const isLine = lineValidator()
  if (!isLine(value)) return { reason: faultOf(isLine.errors![0]!) }
  const title = plainText(value.title)
  return title === '' ? { reason: 'title is missing' } : { record: recordOf(value, title) }
}

const isAbsent = (value: unknown): boolean => value == null || value === ''

function faultOf ({ instancePath, keyword, params }: { instancePath: string, keyword: string, params: Record<string, unknown> }): string {
  if (keyword === 'required' && instancePath === '') return `${String(params.missingProperty)} is missing`
  const name = instancePath.split('/')[1] ?? ''
  return `${name} must be ${allowed[name] ?? 'text or null'}`
}

function recordOf (line: Line, title: string): PaperRecord {
  const {
    abstract,
    authors,
    published_date,
    url,
    pdf_url,
    doi,
    venue_name,
    reference_label,
    source,
    source_paper_id,
    external_ids,
    index_url,
    metadata
  } = line
  const stated = Object.entries(external_ids ?? {}).filter(([, id]) => !isAbsent(id)).map(([name, id]) => [name, String(id)])
  const { arxiv, pmid, pmcid, openalex, doi: otherDoi }: Record<string, string | undefined> = Object.fromEntries(stated)
  const unknown = Object.entries(line).filter(([name]) => !(name in Line.properties) && !computedFields.has(name))
  const [label, address] = [knownLabel(reference_label), webAddress(index_url)]
  return {
    title,
    abstract: plainParagraphs(abstract ?? ''),
    authors: authorsOf((authors ?? []).map(author => {
      const { name, orcid, openalex, affiliations, group }: StatedAuthor = typeof author === 'string' ? { name: author } : author
      return {
        name: plainText(name),
        group: group === true,
        ...(typeof orcid === 'string' ? { orcid } : {}),
        ...(typeof openalex === 'string' ? { openalex } : {}),
        institutions: Array.isArray(affiliations) ? affiliations.filter(each => typeof each === 'string') : []
      }
    })),
    published_date: isAbsent(published_date) ? null : readDate(String(published_date)),
    url: webAddress(url),
    pdf_url: webAddress(pdf_url),
    doi: doiIn(doi) ?? doiIn(otherDoi),
    venue_name: plainText(venue_name ?? '') || null,
    external_ids: Object.fromEntries(
      Object.entries({
        arxiv: arxivIn(arxiv),
        pmid: pmidIn(pmid) ?? idsIn([pmid]).pmid,
        pmcid: pmcidIn(pmcid) ?? pmcidIn(`PMC${pmcid}`),
        openalex: openalexIn(openalex) ?? idsIn([openalex]).openalex
      }).filter(([, id]) => id !== null)
    ),
    source: { name: source?.name || 'json-lines' },
    source_paper_id: source_paper_id || null,
    ...(label === null ? {} : { reference_label: label }),
    ...(address === null ? {} : { index_url: address }),
    metadata: readMetadata({
      ...(isAbsent(published_date) ? {} : { published: String(published_date) }),
      ...metadata,
      ...Object.fromEntries(unknown)
    })
  }
}
