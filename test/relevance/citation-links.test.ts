import t from 'tap'
import type { FollowReason } from '../../schemas/relevance.js'
import { fitCitationWeight, priorCitationWeight } from '../../src/relevance/citation-weight.js'
import { CitationLinker, type LikedWork } from '../../src/relevance/citation-links.js'
import { arxivDoi } from '../../src/papers/identifiers.js'
import { scorer } from '../../src/relevance/score.js'

const liked = (at: number, part: Partial<LikedWork> = {}): LikedWork =>
  ({ paper_id: `p${at}`, title: `Paper ${at}`, starred: true, ids: [`10.1000/${at}`, `W${at}`], cited: [], ...part })

t.test('finds citations in both directions and shared references', async t => {
  const linker = new CitationLinker([
    liked(1),
    liked(2, { starred: false }),
    liked(3, { cited: ['10.1000/x', 'a/1', 'a/2', 'a/3', 'W901', 'W902', 'W903', 'W904'] })
  ])
  t.match(linker.find({ ids: ['10.1000/x'], cited: ['W1', '10.1000/1', '10.1000/2', 'a/1', 'W901', 'W902', 'W903', 'W904'] }), {
    cites: { starred: 1, upvoted: 1, papers: [{ title: 'Paper 1', starred: true }, { title: 'Paper 2', starred: false }] },
    cited_by: { starred: 1, upvoted: 0, papers: [{ paper_id: 'p3' }] },
    shares: { paper_id: 'p3', references: 4 }
  }, 'a work with several ids counts once')
  t.equal(linker.find({ ids: ['10.1000/y'], cited: ['a/1', 'a/2', 'W901', 'W902'] }), undefined, 'two shared references are too few')
  t.equal(linker.find({ paper_id: 'p3', ids: ['10.1000/3'], cited: ['a/1', 'a/2', 'a/3'] }), undefined, 'no paper is linked to itself')
  t.equal(new CitationLinker().find({ ids: ['10.1000/1'], cited: ['10.1000/2'] }), undefined)
})

t.test('references of different kinds to one known work are one reference', async t => {
  const linker = new CitationLinker()
  for (const at of [1, 2, 3]) linker.addIdentifiers([`10.2000/${at}`, `${at}`, `W90${at}`])
  linker.addIdentifiers(['10.2000/4'])
  linker.add(liked(1, { cited: ['10.2000/1', '2', 'W903', '10.2000/4'] }))
  const sharesOf = (...cited: string[]) => linker.find({ ids: [], cited })?.shares ?? null
  t.match(sharesOf('W901', 'W902', '3', 'W905'), { paper_id: 'p1', references: 3 })
  t.match(sharesOf('W901', '10.2000/1', '2', '3'), { references: 3 }, 'two identifiers of a work count once')
  t.equal(sharesOf('W901', '10.2000/1', '1', '2'), null)
  t.match(sharesOf('W901', '2', '3', '10.2000/4'), { references: 4 })
  t.equal(linker.find({ ids: ['W901'], cited: [] })!.cited_by.starred, 1, 'a paper is cited by any of its identifiers')
  const { strength } = linker.find({ ids: [], cited: ['W901', 'W902', 'W903'] })!
  t.ok(strength > 0 && strength < 1)
})

t.test('identifiers that are stated in parts name one work', async t => {
  const linker = new CitationLinker()
  linker.addIdentifiers(['10.1000/preprint', 'W1'])
  linker.addIdentifiers(['10.1000/article', 'W2', '7'])
  linker.addIdentifiers(['10.1000/preprint', '10.1000/article'])
  linker.add(liked(1, { ids: ['10.1000/preprint'] }))
  linker.add(liked(2, { ids: ['10.1000/article'], starred: false }))
  for (const id of ['W1', 'W2', '7']) {
    t.match(linker.find({ ids: [], cited: [id, '10.1000/article'] }), { cites: { starred: 1, upvoted: 0 } }, id)
  }
  t.equal(linker.find({ ids: ['W2'], cited: ['W1'] }), undefined)
})

t.test('versions of a work are one work in citations', async t => {
  const linker = new CitationLinker([liked(1, { ids: ['10.21203/rs.3.rs-1/v2'], cited: ['10.48550/arxiv.2401.01234v1'] })])
  const cites = { starred: 1, upvoted: 0, papers: [{ paper_id: 'p1' }] }
  t.match(linker.find({ ids: [], cited: ['10.21203/rs.3.rs-1/v1', '10.21203/rs.3.rs-1'] }), { cites })
  t.match(linker.find({ ids: [arxivDoi('2401.01234')], cited: [] }), { cited_by: cites })
})

t.test('a reference that everybody has says nothing, and costs nothing', async t => {
  const common = ['m/1', 'm/2', 'm/3']
  const linker = new CitationLinker(Array.from({ length: 500 }, (_, at) => liked(at, { cited: common })))
  t.equal(linker.find({ ids: [], cited: common }), undefined)
})

t.test('the weight of links follows the votes, between none and a bound', async t => {
  const outcome = (linked: number, target: number) => ({ logit: 0, linked, target, weight: 1 })
  const repeat = (count: number, ...outcomes: Array<ReturnType<typeof outcome>>) => Array.from({ length: count }, () => outcomes).flat()
  t.equal(fitCitationWeight([]), priorCitationWeight)
  const helpful = fitCitationWeight(repeat(20, outcome(1, 1), outcome(0, 0)))
  t.ok(helpful > 2 * priorCitationWeight && helpful <= 1.5, `${helpful}`)
  t.equal(fitCitationWeight(repeat(50, outcome(1, 0), outcome(0, 1))), 0, 'links that mislead count nothing')
  const oneSided = fitCitationWeight(repeat(20, outcome(1, 1), outcome(0, 1)))
  t.ok(Math.abs(oneSided - priorCitationWeight) < 0.2, 'upvotes alone say little')
})

t.test('links and follows add parts of the score', async t => {
  const score = scorer({
    interest_description: 'Sleep spindles',
    positive_keywords: ['memory'],
    negative_keywords: ['mouse'],
    must_read_threshold: 0.6
  })
  const paper = { title: 'Sleep spindles and memory', abstract: 'Spindles during sleep.' }
  const plain = score(paper)
  t.equal(plain.matching_details.citations, undefined)
  t.equal(plain.matching_details.contributions.citations, undefined)
  const citations = new CitationLinker([liked(1), liked(2)]).find({ ids: [], cited: ['W1', 'W2'] })!
  const signals = { citations, follows: [{ kind: 'author' as const, name: 'Ada Lovelace', by: 'id' as const }] }
  const linked = score({ ...paper, signals })
  t.ok(linked.relevance_score > plain.relevance_score)
  const { contributions } = linked.matching_details
  t.ok(contributions.citations! > 0 && contributions.follows! > 0)
  const sum = Object.values(contributions).reduce((total, part) => total + part, 0)
  t.ok(Math.abs(sum - linked.relevance_score) < 0.0006, `${sum} = ${linked.relevance_score}`)
  t.match(linked.personalized_note, /^By Ada Lovelace, whom you follow\. Cites 2 papers you starred\. /)
  t.ok(linked.personalized_note.endsWith(plain.personalized_note))
  const byName: FollowReason = { kind: 'author', name: 'Wei Wang', by: 'name' }
  const note = (follows: FollowReason[]) => score({ ...paper, signals: { follows } }).personalized_note
  t.match(note([byName]), /^By Wei Wang, whom you follow \(matched by name\)\. /)
  t.match(note([...signals.follows, byName]), /^By Ada Lovelace and Wei Wang \(matched by name\), whom you follow\. /)
  const [nature, institute]: FollowReason[] = [
    { kind: 'journal', name: 'Nature', by: 'id' }, { kind: 'institution', name: 'MIT', by: 'id' }
  ]
  t.match(note([...signals.follows, nature!]), /^By Ada Lovelace, whom you follow, in Nature, which you follow\. /)
  t.match(note([nature!, institute!]), /^In Nature and from MIT, which you follow\. /)
  t.match(note([...signals.follows, { ...nature!, by: 'name' }]), /^By Ada Lovelace, whom you follow, in Nature, which you follow \(matched by name\)\. /)
  const excluded = score({ title: 'Mouse sleep', abstract: null, signals })
  t.equal(excluded.relevance_score, 0)
  t.same(excluded.matching_details.contributions, { base: 0, keywords: 0, interest: 0, votes: 0 })
  const none = score({ title: 'Soil', abstract: null, signals })
  t.ok(none.relevance_score > 0 && none.relevance_score < 0.01, 'links alone bring no paper far')
})

t.test('shared references are counted up to a limit for each paper', async t => {
  const cited = Array.from({ length: 3000 }, (_, at) => `10.3000/${at}`)
  const linker = new CitationLinker(Array.from({ length: 50 }, (_, at) => liked(at, { cited })))
  t.match(linker.find({ ids: [], cited }), { shares: { references: 600 } })
})
