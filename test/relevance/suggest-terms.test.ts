import t from 'tap'
import { suggestTerms } from '../../src/relevance/suggest-terms.js'

t.test('suggested terms', async t => {
  t.test('of Chinese papers are runs of characters, not pairs', async t => {
    const papers = [
      { title: '肝细胞癌的免疫治疗', abstract: '肝细胞癌患者的预后较差。免疫治疗可改善肝细胞癌患者的预后。' },
      { title: '肝细胞癌预后研究', abstract: '目的是分析肝细胞癌的危险因素，以及免疫治疗的作用。' }
    ]
    const background = Array.from({ length: 20 }, (_, at) => ({
      title: `土壤水分的变化研究${at}`,
      abstract: `目的是分析土壤的水分。作物的根系和土壤的变化是第${at}年的结果。`
    }))
    for (const others of [[], background]) {
      const terms = suggestTerms(papers, others).map(({ term }) => term)
      t.equal(terms[0], '肝细胞癌')
      t.ok(terms.includes('免疫治疗'), terms.join(', '))
      t.notOk(terms.some(term => term.includes(' ')), terms.join(', '))
    }
    t.notOk(suggestTerms(papers, background).some(({ term }) => term.includes('的')))
  })

  t.test('leave out words that most texts in the language have', async t => {
    const papers = [
      { title: 'Der Schlaf und das Gedächtnis', abstract: 'Die Spindeln der Probanden und der Schlaf von Kindern wurden gemessen.' },
      { title: 'Der Schlaf und die Leistung', abstract: 'Die Leistung der Schüler und der Schlaf von Kindern wurden verglichen.' }
    ]
    const background = [
      ...Array.from({ length: 15 }, (_, at) => ({
        title: `Der Boden und das Feld ${at}`,
        abstract: `Die Wurzeln der Pflanzen und die Erde von Feld ${at} wurden gemessen.`
      })),
      ...Array.from({ length: 60 }, (_, at) => ({ title: `Soil moisture ${at}`, abstract: 'The rain infiltrated clay and loam of the plot.' }))
    ]
    const terms = suggestTerms(papers, background).map(({ term }) => term)
    t.ok(terms.includes('schlaf'), terms.join(', '))
    t.notOk(terms.some(term => /\b(der|die|und|von|wurden)\b/.test(term)), terms.join(', '))
  })

  t.test('of two papers are what they repeat, not the words that meet in a title', async t => {
    const papers = [
      {
        title: 'Phase precision between slow oscillations and spindles predicts overnight retention of vocabulary',
        abstract: 'We recorded slow oscillations in sleep. The timing of spindles mattered, and their phase precision most. Slow ' +
          ' oscillations were trained on one night.'
      },
      {
        title: 'Alternating phases resolve the trade-off of plasticity in a model of sleep',
        abstract: 'Sleep has slow oscillations. A model with plasticity was trained, and plasticity changed by phases.'
      }
    ]
    const terms = suggestTerms(papers, []).map(({ term }) => term)
    for (const wanted of ['slow oscillations', 'precision', 'spindles', 'plasticity', 'sleep']) {
      t.ok(terms.includes(wanted), `${wanted}: ${terms.join(', ')}`)
    }
    const met = ['predicts overnight retention', 'spindles predicts', 'overnight', 'resolve', 'retention']
    t.notOk(terms.some(term => met.some(each => term.includes(each))), terms.join(', '))
    const untold = papers.map(({ title }) => ({ title, abstract: null }))
    t.ok(suggestTerms(untold, []).length > 0, 'a title alone repeats nothing')
  })
})
