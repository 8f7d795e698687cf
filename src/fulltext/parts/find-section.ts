import { normalForm } from '../../../schemas/normal-form.js'
import type { TextSection } from '../../../schemas/markdown.js'
import { shortText } from '../../../schemas/short-text.js'
import { InvalidArguments } from '../../errors/operation-errors.js'

/**
 * The section that a caller names by its number, by its title, which may repeat in sections below others, or by a part of the title that no
 * other section has.
 * The error names sections by number: titles are the paper's words, and errors are ours.
 * @throws InvalidArguments
 */
export function findSection (sections: readonly TextSection[], reference: string): TextSection {
  const name = normalized(reference)
  const byNumber = /^\d{1,4}$/.test(name) ? sections.find(({ number }) => number === Number(name)) : undefined
  if (byNumber !== undefined) return byNumber
  const titles = sections.map(section => ({ section, title: normalized(section.title) }))
  const tests: Array<(title: string) => boolean> = [
    ...numbering.test(name) ? [(title: string) => title === name] : [],
    title => title.replace(numbering, '') === name.replace(numbering, ''),
    title => title.includes(name)
  ]
  for (const test of name === '' ? [] : tests) {
    const matches = titles.filter(({ title }) => title !== '' && test(title))
    const isWholeTitle = test !== tests.at(-1)
    const level = Math.min(...matches.map(({ section }) => section.level))
    // Abstracts and parts of the paper can have a section of the same name below theirs.
    const found = isWholeTitle ? matches.filter(({ section }) => section.level === level) : matches
    if (found.length === 1) return found[0]!.section
    if (matches.length > 1) {
      throw new InvalidArguments(
        `section is ${shown(reference)}, which is in the title of several sections. Use a number: ${matches
          .slice(0, 20)
          .map(({ section }) => section.number)
          .join(', ')}.`
      )
    }
  }
  const range =
    sections.length === 0
      ? 'This paper has no sections; read it with offset.'
      : `This paper has sections 1 to ${sections.length}. Call paper_markdown with "outline": true for their titles.`
  throw new InvalidArguments(`section is ${shown(reference)}, which is neither the number nor the title of a section. ${range}`)
}

/** "2", "2.1.", "IV." before a title. */
const numbering = /^(?:\d+(?:\.\d+)*\.?|[ivx]+\.)\s+/

/** The lookbehind keeps it linear: only the start of a run of marks is tried. */
const endMarks = /(?<![.:])[.:]+$/

const normalized = (text: string) => normalForm(text, 'NFKC').toLowerCase().replace(/\s+/g, ' ').replace(endMarks, '').trim()

const shown = (text: string) => JSON.stringify(shortText(text, 80))
