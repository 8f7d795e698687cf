import { indexDocument } from '../../src/search/document.js'
import { summaryOf } from '../../src/papers/summary.js'
import type { BenchPaper } from './corpus.js'

const sizes = [1000, 3000, 10_000, 30_000, 100_000, 300_000, 1_000_000]

/** Prints terms per paper and the growth of the vocabulary, which decide how hard a corpus is to search and to index. */
export function measureCorpus (papers: Iterable<BenchPaper>): void {
  const documentCounts = new Map<string, number>()
  let [count, terms, words] = [0, 0, 0]
  const line = () => {
    const once = [...documentCounts.values()].filter(documents => documents === 1).length
    process.stdout.write(
      `| ${[count, words / count, terms / count, documentCounts.size, once].map(value => Math.round(value).toLocaleString('en')).join(' | ')} |\n`
    )
  }
  process.stdout.write(
    '| papers | words per paper | distinct terms per paper | vocabulary | of it in one paper only |\n| --- | --- | --- | --- | --- |\n'
  )
  for (const { title, abstract, authors } of papers) {
    const { entries, length } = indexDocument({ title, abstract, authors, summary: summaryOf(abstract), identifiers: [] })
    count++
    terms += entries.size
    words += length
    for (const entry of entries.keys()) documentCounts.set(entry, (documentCounts.get(entry) ?? 0) + 1)
    if (sizes.includes(count)) line()
  }
  if (!sizes.includes(count)) line()
}
