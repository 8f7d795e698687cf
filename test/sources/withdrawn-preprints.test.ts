import t from 'tap'
import { isWithdrawn } from '../../src/sources/notices/preprints.js'

const withdrawals = [
  'This paper has been withdrawn because the symmetry is restored at two loops',
  'This paper is withdrawn since chiral symmetry was restored by a wrong sign',
  'This paper has been withdrawn and resubmitted as arXiv:2503.00999',
  'This paper has been withdrawn by the author and will be restored after a revision',
  'This paper has been withdrawn by the author. It was submitted in error',
  'This paper was submitted by mistake and has been withdrawn',
  'Withdrawn in v2 because of an error; see v1 for the first proof',
  'This paper has been withdrawn by the author because the editors found an error',
  'This paper has been withdrawn by its first author after the journal had rejected it',
  'This paper has been withdrawn by the arXiv editors',
  'Withdrawn by Richard Taylor, the submitter',
  'This paper has been temporarily withdrawn by the authors',
  'This paper has been withdrawn; the error is corrected in the new version arXiv:2503.00998',
  'This published article has been withdrawn by its authors',
  'This paper has been withdrawn, and cannot be restored',
  'Restored figures. v2: this paper has been withdrawn due to an error in Lemma 4'
]
const others = [
  'This paper was withdrawn in error and has been restored',
  'This paper was withdrawn in v1 and is restored now',
  'This paper was withdrawn. It has now been reinstated',
  'v2: restored. This paper was withdrawn because of a mistake about its license',
  'This paper was withdrawn in 2025 but has since been reinstated',
  'Restored after this paper was withdrawn by mistake',
  'This paper was mistakenly withdrawn by the submitter',
  'Withdrawn by mistake; here it is again',
  'Paper was withdrawn in v3; v4 corrects the error',
  'This paper was withdrawn in version 1 due to an error in Lemma 2',
  'This paper was previously withdrawn due to an error',
  'This paper was withdrawn because of an error in Lemma 2, which is corrected in this version',
  'This paper was withdrawn, then resubmitted',
  'This paper was withdrawn by the journal Foo',
  'Our paper was withdrawn by the editors of PLoS ONE',
  '12 pages. Withdrawn by the publisher',
  'This paper was withdrawn by Springer',
  'The published version of this paper was retracted',
  'The journal version of this paper has been withdrawn by its authors'
]

/** Whether the record of a second version with this comment says that it is withdrawn. */
const isWithdrawnAs = (comment: string, version = 2) =>
  isWithdrawn({ title: 'A study of cells', comment, abstract: 'We study cells.', version }, 'arxiv')

t.test('a withdrawal that stands is told from one that has ended, and from that of a published form', async t => {
  for (const comment of withdrawals) t.equal(isWithdrawnAs(comment), true, comment)
  for (const comment of others) t.equal(isWithdrawnAs(comment), false, comment)
})

t.test('the withdrawal of a version holds for that version', async t => {
  t.equal(isWithdrawnAs('This paper was withdrawn in v2 due to an error', 2), true)
  t.equal(isWithdrawnAs('This paper was withdrawn in v2 due to an error', 3), false)
  t.equal(isWithdrawn({ title: 'A study of cells', comment: 'This paper was withdrawn in v2', abstract: null }, 'arxiv'), true)
})

t.test('the first sentence of an abstract is read like a comment', async t => {
  const states = (abstract: string) => isWithdrawn({ title: 'A study of cells', comment: null, abstract }, 'biorxiv')
  t.equal(states('This manuscript has been withdrawn by its authors because the effect was restored.'), true)
  t.equal(states('This manuscript was withdrawn in error and has been restored.'), false)
  t.equal(states('This manuscript has been withdrawn by the editors of eLife.'), false)
})

t.test('a comment of any length is read in linear time', async t => {
  const start = process.hrtime.bigint()
  const parts = ['withdrawn ', 'this paper was ', 'withdrawn by the ', 'v1 ', 'now it ', 'the published ']
  for (const part of parts) isWithdrawnAs(part.repeat(1e5))
  t.ok(process.hrtime.bigint() - start < 2_000_000_000n)
})
