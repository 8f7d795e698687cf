import { randomNumbers } from '../../bench/search/random.js'

/* Files of valid records that cost more than others of their size. */

const lines = (count: number, recordOf: (at: number) => object) =>
  Array.from({ length: count }, (_each, at) => JSON.stringify(recordOf(at))).join('\n')

/** JSON lines with Chinese abstracts of 1,500 characters without a space. @param seed tells the titles of files apart */
export function chineseRecords (seed: number, count: number): string {
  const random = randomNumbers(seed)
  const text = (length: number) => String.fromCharCode(...Array.from({ length }, () => 0x4e00 + Math.floor(random() * 5000)))
  return lines(count, () => ({ title: text(30), abstract: text(1500), authors: [text(3)] }))
}

/** JSON lines with abstracts of a hundred formulas and commands. @param seed tells the titles of files apart */
export function latexRecords (seed: number, count: number): string {
  const random = randomNumbers(seed)
  const formula = () => `The $\\frac{\\alpha_{${Math.floor(random() * 1000)}}}{\\sqrt{\\beta^{2}}}$ of \\emph{H$_2$O} \\& $\\mathrm{CO_2}$. `
  return lines(count, at => ({ title: `On $\\mathcal{O}(n^{${at}})$ in {\\"o}rder ${seed} ${at}`, abstract: Array.from({ length: 50 }, formula).join('') }))
}

/** References of each record, each with two identifiers. */
const referenceCount = 3000

/** PubMed XML whose papers have 3,000 references each. The papers are the same for each seed, their references are not. */
export const recordsWithReferences = (seed: number, count: number): string => `<PubmedArticleSet>${Array.from({ length: count }, (_each, at) =>
  `<PubmedArticle><MedlineCitation><PMID>${at + 1}</PMID><Article><ArticleTitle>A review with many references ${at}</ArticleTitle></Article>` +
  `</MedlineCitation><PubmedData><ReferenceList>${Array.from({ length: referenceCount }, (_reference, number) => {
    const id = (seed * count + at) * referenceCount + number + 1000
    return `<Reference><ArticleIdList><ArticleId IdType="pubmed">${id}</ArticleId><ArticleId IdType="doi">10.1234/a.${id}</ArticleId></ArticleIdList></Reference>`
  }).join('')}</ReferenceList></PubmedData></PubmedArticle>`).join('')}</PubmedArticleSet>`
