import t from 'tap'
import { wantedCriteria } from '../../src/input/criteria.js'
import { timeOf } from '../support/event-loop.js'
import { topicsOf } from '../../src/sources/requests/topics.js'

t.test('the criteria of an interest', async t => {
  t.test('are sentences and lines, also in Chinese', async t => {
    t.strictSame(wantedCriteria('Sleep. Memory; e.g. recall\nAdults'), ['Sleep.', 'Memory;', 'e.g.', 'recall', 'Adults'])
    t.strictSame(wantedCriteria('睡眠与记忆。儿童的注意力！听力；视力'), ['睡眠与记忆。', '儿童的注意力！', '听力；', '视力'])
  })

  t.test('leave out what is unwanted, and words before the topic', async t => {
    t.strictSame(
      wantedCriteria(
        'We include randomised trials in adults. Exclude animal studies. Without children. 排除动物实验。We are interested in sleep.'
      ),
      ['randomised trials in adults.', 'sleep.']
    )
    t.strictSame(wantedCriteria('Exclude animals.'), ['Exclude animals.'], 'unless nothing is left')
    t.strictSame(wantedCriteria('Sleep. We do not want reviews. Don’t include animals. Not mice.'), ['Sleep.'])
    const topics = [
      'Notch signalling.', 'No-reflow phenomenon.', 'Study of sleep.', 'NO synthase in the endothelium.', 'NOT gates of DNA.',
      'Not only CRISPR, but also base editors.', 'Do not resuscitate orders in dementia.', 'No evidence of disease as an endpoint.'
    ]
    t.strictSame(wantedCriteria(topics.join(' ')), topics)
  })
})

t.test('the topics of an interest', async t => {
  const topics = (interest_description: string) => topicsOf({ positive_keywords: [], interest_description })

  t.test('are those of what is wanted', async t => {
    t.strictSame(topics('We include randomised trials in adults. Exclude animal studies.'), ['randomised trials'])
    t.strictSame(topics('İnsan bağırsak mikrobiyomu'), ['i̇nsan bağırsak mikrobiyomu'])
    t.strictSame(topics('Gene editing of the retina, and base editors'), ['gene editing', 'base editors'])
  })

  t.test('are words of Chinese and Japanese, which no spaces separate', async t => {
    const found = topics('睡眠障碍对记忆巩固的影响。排除动物实验')
    t.ok(found.length > 1 && found.every(topic => topic.length <= 8 && !/[的对]|动物/.test(topic)), found.join(', '))
    t.strictSame(topics('肝细胞癌的靶向治疗与免疫检查点'), ['肝细胞癌', '靶向治疗', '免疫检查点'], 'also words of one character')
    for (const hostile of ['肝细胞癌', '肝 ', '的癌 ', 'ア']) {
      const time = await timeOf(() => topics(hostile.repeat(10_000 / hostile.length)))
      t.ok(time < 100, `${hostile} for a whole description: ${time} ms`)
    }
    t.notOk(topics('睡眠と記憶の研究について').some(topic => /[とのについて]/.test(topic)))
  })
})
