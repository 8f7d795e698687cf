import t from 'tap'
import { feedSearch } from '../../src/operations/feed/feed-search.js'
import { parseQuery } from '../../src/search/query.js'
import { projectWith, testService } from '../support/service.js'

const service = await testService(t)

t.test('Chinese and Japanese queries find papers with some of their words', async t => {
  const user = await service.user()
  const [chinese, japanese] = ['睡眠剥夺对大鼠海马记忆巩固的影响', '高齢者における転倒予防のための運動介入の効果']
  const project_id = await projectWith(user, [
    { title: chinese }, { title: japanese }, { title: '青少年网络成瘾研究' }, { title: 'Sleep in cats' }
  ])
  const search = async (q: string) => {
    const { items, query } = await feedSearch.run(user.context, { project_id, q })
    return { titles: items.map(({ paper_title }) => paper_title), isFull: !query.includes(' OR ') }
  }
  for (const [q, title] of [
    ['睡眠剥夺如何影响记忆', chinese], ['睡眠剥夺与记忆', chinese], ['睡眠剥夺影响记忆吗', chinese], ['老年人睡眠', chinese],
    ['転倒の予防', japanese], ['運動による転倒予防効果', japanese]
  ] as const) t.strictSame((await search(q)).titles, [title], q)
  t.strictSame((await search('sleep 睡眠剥夺与记忆')).titles, [chinese, 'Sleep in cats'])
  t.equal((await search('睡眠剥夺与记忆')).isFull, true, 'without its conjunction')
  t.equal((await search('老年人睡眠')).isFull, false)
  t.strictSame(await search(chinese), { titles: [chinese], isFull: true })
  t.strictSame((await search('睡眠障碍')).titles, [], 'a short run is one word')
  t.strictSame((await search('"睡眠剥夺与记忆"')).titles, [], 'and so is a quoted phrase')
})

t.test('the title of a Japanese paper finds the paper, and words with long vowels find no other words', async t => {
  const user = await service.user()
  const title = '大規模データベースを用いた高齢者の認知症リスクと睡眠の質との関連：コホート研究のメタアナリシスによる検討'
  const project_id = await projectWith(user, [{ title }, { title: 'デジタルの学習とターゲット' }, { title: 'サーバのメモ' }])
  const search = async (q: string) => {
    const { items, query } = await feedSearch.run(user.context, { project_id, q })
    return { titles: items.map(({ paper_title }) => paper_title), isFull: !query.includes(' OR ') }
  }
  for (const q of ['データ', 'データベース', 'コホート', 'ﾃﾞｰﾀﾍﾞｰｽ']) t.strictSame(await search(q), { titles: [title], isFull: true }, q)
  const [{ titles: [first] }, { items: [item], query }] =
    [await search(title), await feedSearch.run(user.context, { project_id, q: title, limit: 1 })]
  t.strictSame([first, item?.paper_title, query.includes(' OR ')], [title, title, false])
})

t.test('long runs of Chinese and Japanese are split at particles, and into pairs', async t => {
  for (const [q, terms] of [
    ['睡眠記憶', ['睡眠記憶']],
    ['记忆与脑', ['记忆与脑']],
    ['睡眠質量とうつ', ['睡眠', '眠質', '質量', '量と', 'とう', 'うつ']],
    ['不饱和脂肪', ['不饱', '脂肪']],
    ['饱和脂肪酸', ['饱和', '和脂', '脂肪', '肪酸']],
    ['如何预防跌倒', ['预防跌倒']],
    ['fmri睡眠剥夺与记忆', ['fmri', '睡眠剥夺', '记忆']],
    ['「睡眠剥夺与记忆」 睡眠剥夺与学习', ['睡眠剥夺与记忆', '睡眠剥夺', '学习']],
    ['如何的的的的吗', ['的的的的']]
  ] as const) t.strictSame(parseQuery(q), terms, q)
  const long = Array.from({ length: 700 }, (_each, at) => String.fromCodePoint(0x5100 + at)).join('')
  t.strictSame(parseQuery(long), [long], 'too many pairs stay one term')
  t.equal(parseQuery(`${long.slice(0, 90)} ${long.slice(100, 190)}`).length, 90, 'all runs of a query together')
})
