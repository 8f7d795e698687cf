import t from 'tap'
import { listItems } from '../../db/queries/feed.js'
import { searchStorage } from '../../db/queries/search-storage.js'
import { normalizedTitle } from '../../src/papers/identity.js'
import { wordsOf } from '../../src/papers/identified-items.js'
import { searchForm, searchWords } from '../../src/search/search-words.js'
import { searchFeed } from '../../src/search/search.js'
import { projectWith, testService } from '../support/service.js'

const service = await testService(t)

/** Papers of one project, and what a query finds among them with all its terms. */
async function feedOf (titles: readonly string[], authors: readonly string[] = []) {
  const user = await service.user()
  const project_id = await projectWith(user, [
    ...titles.map(title => ({ title })),
    ...authors.map(name => ({ title: `By ${name}`, authors: [{ name }] }))
  ])
  const { context: { db, account } } = user
  return async (q: string): Promise<string[]> => {
    const feed = { accountId: account.id, projectId: project_id }
    const { items } = (await searchFeed(searchStorage(db), feed, wordsOf(q), { limit: 50, offset: 0 }))!
    const rows = await listItems(db, account.id, items.filter(({ hasAllTerms }) => hasAllTerms).map(({ id }) => id))
    return rows.map(({ title }) => title).sort()
  }
}

t.test('emoji and variants of characters do not hide papers', async t => {
  const titles = ['Heart ❤ failure', 'Digit 1 of keypads', '葛城山の植生', '辻󠄀の調査']
  const search = await feedOf(titles)
  for (const [q, title] of [
    ['❤️ failure', titles[0]], ['heart ❤️', titles[0]], ['1️⃣ keypads', titles[1]], ['葛\u{e0100}城山', titles[2]], ['辻の調査', titles[3]],
    ['heart \u0301', titles[0]]
  ] as const) t.strictSame(await search(q), [title], q)
})

t.test('letters that are apostrophes are found as these', async t => {
  const titles = ["Охорона здоров'я", 'Система здоровʼя', 'Birds of Hawaiʻi', "Fish of Hawai'i", 'The Qurʾan and ʿilm']
  const search = await feedOf(titles, ['M. OʼConnor', 'ʿAbd Smith'])
  for (const q of ["здоров'я", 'здоровʼя', 'здоров’я']) t.strictSame(await search(q), [titles[0], titles[1]], q)
  for (const q of ['Hawaiʻi', "Hawai'i"]) t.strictSame(await search(q), [titles[2], titles[3]], q)
  for (const q of ['ilm', "Qur'an"]) t.strictSame(await search(q), [titles[4]], q)
  for (const q of ["O'Connor", 'OConnor', 'OʻConnor', 'Connor']) t.strictSame(await search(q), ['By M. OʼConnor'], q)
  t.strictSame(await search('Smith A'), ['By ʿAbd Smith'])
})

t.test('the final sigma of Greek and the points of Hebrew do not matter', async t => {
  const titles = ['Ο ύπνος των ενηλίκων', 'ΜΝΗΜΗ ΚΑΙ ΥΠΝΟΣ', 'שָׁלוֹם בָּעוֹלָם', 'שלום בעיר']
  const search = await feedOf(titles, ['Γιώργος Παππάς'])
  for (const q of ['ύπνος', 'ΥΠΝΟΣ', 'υπνοσ']) t.strictSame(await search(q), [titles[1], titles[0]], q)
  for (const q of ['ΠΑΠΠΑΣ', 'Παππάς Γ', 'παππασ']) t.strictSame(await search(q), ['By Γιώργος Παππάς'], q)
  for (const q of ['שלום', 'שָׁלוֹם']) t.strictSame(await search(q), [titles[2], titles[3]], q)
  t.not(normalizedTitle('ύπνος'), normalizedTitle('ύπνοσ'), 'stored titles are compared as before')
})

t.test('Korean particles do not hide the number or name before them', async t => {
  const titles = ['COVID-19 in Korea', 'COVID-19의 영향', 'IL-6 in mice', 'IL-6의 역할', 'Vitamin D trial', 'Vitamin D의 효과', '19세기 문학']
  const search = await feedOf(titles)
  for (const [q, ...found] of [
    ['COVID-19', titles[0], titles[1]], ['COVID19', titles[0], titles[1]], ['IL-6', titles[2], titles[3]], ['IL6', titles[2], titles[3]],
    ['vitamin D', titles[4], titles[5]], ['COVID-19의 영향', titles[1]], ['19세기', titles[6]]
  ] as const) t.strictSame(await search(q), [...found].sort(), q)
})

t.test('words of Thai, Lao, Khmer and Burmese are found wherever they stand', async t => {
  const long = `${'การศึกษาและการทดลองของนักเรียน'.repeat(4)}โรงพยาบาลและความจำ`
  const titles = [
    'ผลของการนอนหลับต่อความจำ', 'ພາສາລາວແລະສຸຂະພາບ', 'ភាសាខ្មែរនិងសុខភាព', 'ကျန်းမာရေးနှင့်အိပ်စက်ခြင်း', long, 'COVID19ในโรงเรียน'
  ]
  const search = await feedOf(titles)
  for (const [q, ...found] of [
    ['ความจำ', titles[0], long], ['นอนหลับ', titles[0]], ['โรงพยาบาล', long], ['โรงพยา', long], ['ສຸຂະພາບ', titles[1]],
    ['សុខភាព', titles[2]], ['အိပ်စက်', titles[3]], ['COVID19 โรงเรียน', titles[5]], ...titles.map(title => [title, title] as const)
  ] as const) t.strictSame(await search(q), [...found].sort(), q)
})

t.test('a long run of a script without spaces is split in bounded time', async t => {
  const run = 'การนอนหลับ'.repeat(1000)
  t.ok(searchWords(run).length > 2000)
  t.equal(searchWords(run).join(''), run)
  t.strictSame(searchWords('Slow-wave น้ำ 2026'), ['slow', 'wave', 'น้ำ', '2026'])
  t.ok(wordsOf(run).compounds!.length <= 100)
  t.ok(wordsOf('นอนหลับ').compounds!.some(parts => parts.join('') === 'นอนหลับ'))
})

t.test('Persian words with and without a non-joiner find each other', async t => {
  const titles = ['کتاب\u200cهای فارسی', 'کتابهای عربی', 'این می\u200cشود']
  const search = await feedOf(titles)
  for (const q of ['کتاب\u200cهای', 'کتابهای']) t.strictSame(await search(q), [...titles.slice(0, 2)].sort(), q)
  for (const q of ['میشود', 'می\u200cشود', 'ميشود', 'شود']) t.strictSame(await search(q), [titles[2]], q)
})

t.test('texts in Latin letters keep their words', t => {
  for (const text of ['Slow-wave “sleep” – naïve', "O'Connor", 'α-synuclein']) t.equal(searchForm(text), text)
  t.strictSame(searchWords('Naïve β2'), ['naïve', 'β2'])
  t.end()
})
