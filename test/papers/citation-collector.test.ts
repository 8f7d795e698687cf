import t from 'tap'
import { CitationCollector } from '../../src/papers/citation-collector.js'
import type { IndexedPaper } from '../../src/papers/paper-index.js'
import type { PaperRecord } from '../../schemas/paper.js'

const paper = (id: string) => ({ id }) as IndexedPaper
const record = (references: string[], cited_by: number | null) => ({ citations: { references, cited_by } }) as PaperRecord

t.test('the references that records of one paper state are united', async t => {
  const collector = new CitationCollector()
  const [kept, duplicate, other] = [paper('kept'), paper('duplicate'), paper('other')]
  collector.add([kept], record(['10.1/a', '10.1/b'], 3))
  collector.add([kept], record(['10.1/b', '10.1/c'], null))
  collector.add([duplicate], record(['10.1/d'], 7))
  collector.add([other], {} as PaperRecord)
  t.strictSame(collector.rows([{ kept, duplicate }, { kept: other, duplicate: paper('unknown') }]), [
    { paper_id: 'kept', cited: ['10.1/a', '10.1/b', '10.1/c', '10.1/d'], cited_by: 7 }
  ])
})
