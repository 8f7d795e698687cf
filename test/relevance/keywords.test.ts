import t from 'tap'
import { keywordMatcher } from '../../src/relevance/keywords.js'
import { takesLess } from '../support/event-loop.js'

const isFound = (keyword: string, text: string) =>
  keywordMatcher({ positive_keywords: [keyword], negative_keywords: [] })({ title: '', abstract: text }).positive.length === 1
const isExcluded = (keyword: string, text: string) =>
  keywordMatcher({ positive_keywords: [], negative_keywords: [keyword] })({ title: text, abstract: null }).negative.length === 1

t.test('a keyword', async t => {
  t.test('matches inflections of its words', async t => {
    for (const [keyword, text] of [
      ['antihistamine', 'Antihistamines for urticaria'],
      ['Antihistamines', 'an antihistamine'],
      ['mouse model', 'Mouse models of sleep'],
      ['case studies', 'A case study'],
      ['virus', 'Viruses of bats'],
      ['viruses', 'A virus'],
      ['diagnosis', 'Wrong diagnoses'],
      ['sequence alignment', 'Sequencing alignments'],
      ['map', 'Maps of the cortex'],
      ['SSRI', 'SSRIs in adults'],
      ['SSRIs', 'An SSRI']
    ] as const) t.ok(isFound(keyword, text), `${keyword}: ${text}`)
  })

  t.test('in capitals is no word that looks like it', async t => {
    for (const [keyword, abbreviation, word] of [
      ['US', 'Schools in the US', 'This allows us to learn'],
      ['ALL', 'Relapse of ALL', 'All patients, and all others'],
      ['AIDS', 'AIDS in Kenya', 'Hearing aids']
    ] as const) {
      t.ok(isFound(keyword, abbreviation) && isExcluded(keyword, abbreviation), abbreviation)
      t.notOk(isFound(keyword, word) || isExcluded(keyword, word), word)
    }
    t.ok(isExcluded('DNA', 'Fragments of dna') && isExcluded('aids', 'AIDS in Kenya'), 'others match in any case')
    for (const [keyword, text] of [['RAS', 'Ras in yeast'], ['BEES', 'Bees'], ['RATS', 'Toxicology in rats']] as const) {
      t.ok(isFound(keyword, text) && isExcluded(keyword, text), text)
    }
  })

  t.test('matches eponyms with and without a possessive', async t => {
    for (const [keyword, text] of [
      ["Parkinson's disease", 'Parkinson disease'],
      ['Parkinson disease', 'Parkinson’s disease'],
      ["Crohn's", 'Crohn disease']
    ] as const) {
      t.ok(isFound(keyword, text), `${keyword}: ${text}`)
      t.ok(isExcluded(keyword, text), `${keyword}: ${text}`)
    }
  })

  t.test('that ends with signs is a name of its own', async t => {
    for (const [keyword, text] of [['C++', 'Vectors in C++11'], ['C++', 'C++, and Rust'], ['C#', 'A library for C#']] as const) {
      t.ok(isFound(keyword, text), `${keyword}: ${text}`)
    }
    for (const [keyword, text] of [['C++', 'C-reactive protein'], ['C#', 'Vitamin C'], ['C', 'Code in C++']] as const) {
      t.notOk(isFound(keyword, text), `${keyword}: ${text}`)
      t.notOk(isExcluded(keyword, text), `${keyword}: ${text}`)
    }
  })

  t.test('matches names in other spellings', async t => {
    for (const spellings of [
      ['IL-6', 'IL6', 'IL‑6', 'il-6'],
      ['TGF-beta', 'TGF-β', 'TGFβ', 'TGF-$\\beta$', 'TGF$\\beta$'],
      ['TGF-β1', 'TGF-beta1', 'TGFβ1', 'TGF$\\beta_1$'],
      ['5-HT', '5HT'],
      ['ω-3', 'omega-3', 'omega3'],
      ['NF-κB', 'NFκB', 'NF-kappaB'],
      ['H2O', '$\\mathrm{H_2O}$']
    ]) {
      for (const keyword of spellings) {
        for (const text of spellings) t.ok(isFound(keyword, `levels of ${text} in blood`), `${keyword}: ${text}`)
      }
    }
    t.ok(isFound('IL6', 'IL-6-deficient mice'))
  })

  t.test('matches one character of Chinese anywhere', async t => {
    for (const text of ['鼠', '小鼠', '小鼠睡眠', '鼠睡眠']) t.ok(isExcluded('鼠', text), text)
    t.ok(isFound('睡眠 记忆', '睡眠 记忆障碍'))
    t.notOk(isExcluded('鼠', '大象'))
  })

  t.test('that ends with an asterisk matches the words that begin so', async t => {
    for (const [keyword, text] of [
      ['schizophren*', 'Patients with schizophrenia'], ['Schizophren*', 'schizophrenic'], ['cognitive impair*', 'Cognitive impairment'],
      ['random* trial', 'Randomised trials'], ['neuro*', 'neuro'], ['Ödem*', 'Ödematös'],
      ['tumour*', 'Tumor growth'], ['tumor*', 'Tumours'], ['haemorrhag*', 'Hemorrhagic stroke'], ['leukaemi*', 'Leukemia'],
      ['leukemi*', 'Leukaemic mice'], ['randomis*', 'A randomized trial'], ['estrogen*', 'Oestrogens'], ['TGF-beta*', 'TGF-β1'],
      ['TGF-beta*', 'TGFbeta1']
    ] as const) {
      t.ok(isFound(keyword, text), `${keyword}: ${text}`)
      t.ok(isExcluded(keyword, text), `${keyword}: ${text}`)
    }
    for (const [keyword, text] of [
      ['schizophren*', 'A schizotypal trait'], ['impair* memory', 'Impaired working memory'], ['impair* memory', 'Impair'],
      ['al*', 'Alcohol'], ['* rat', 'The ratio'], ['mouse* rat', 'A mouse with ratios']
    ] as const) t.notOk(isFound(keyword, text), `${keyword}: ${text}`)
  })

  t.test('matches neither longer words, nor words derived from it, nor across title and abstract', async t => {
    for (const [keyword, text] of [
      ['rat', 'The ratio'], ['rat', 'rates and ratings'], ['organ', 'The organization'], ['animation', 'An animal'],
      ['policy', 'The police'],
      ['IL-6', 'IL-60'], ['IL-6', 'IL-6R'], ['H2', 'H2O'], ['TGF-β', 'TGF-β1'], ['AIDS', 'hearing aid'], ['species', 'a spec']
    ] as const) {
      t.notOk(isFound(keyword, text), `${keyword}: ${text}`)
      t.notOk(isExcluded(keyword, text), `${keyword}: ${text}`)
    }
    t.strictSame(
      keywordMatcher({ positive_keywords: ['sleep memory'], negative_keywords: [] })({ title: 'Sleep', abstract: 'Memory' }).positive,
      []
    )
  })

  t.test('finds phrases only within a sentence', async t => {
    t.notOk(isExcluded('case report', 'Data were reviewed in each case. Reports of harm were rare.'))
    for (const [keyword, text] of [
      ['case reports', 'We read cases. Case reports were rare.'], ['St. John wort', "St. John's wort"], ['U.S. Army', 'The U.S. Army']
    ] as const) t.ok(isExcluded(keyword, text), `${keyword}: ${text}`)
  })

  t.test('excludes singular and plural, but no other forms, which may mean something else', async t => {
    t.ok(isExcluded('mouse model', 'Mouse models of sleep'))
    t.ok(isExcluded('rats', 'A rat'))
    t.notOk(isExcluded('train', 'Training of surgeons'))
    t.ok(isFound('train', 'Training of surgeons'))
    for (const [keyword, text] of [
      ['viruses', 'A virus'], ['diagnoses', 'A diagnosis'], ['diagnosis', 'Two diagnoses'], ['case', 'Cases'], ['cases', 'A case'],
      ['losses', 'A loss'], ['antibiotics', 'An antibiotic'], ['thesis', 'Two theses'], ['robotic arm', 'Robotic arms'],
      ['greenhouse gases', 'A greenhouse gas'], ['pandemic', 'Pandemics'], ['lenses', 'A lens'],
      ['tumour', 'Tumor growth'], ['tumor', 'Tumours of rats'], ['leukemia', 'Childhood leukaemia'],
      ['mouse', 'Aged mice'], ['children', 'A child'], ['bacteria', 'A bacterium'], ['larva', 'Larvae'], ['stimulus', 'Stimuli'],
      ['boxes', 'A box'], ['biopsies', 'A biopsy'], ['rat', 'Rats']
    ] as const) t.ok(isExcluded(keyword, text), `${keyword}: ${text}`)
    for (const [keyword, text] of [
      ['man', 'Human cells'], ['foot', 'A feeding tube'], ['news', 'A new drug'], ['theses', 'These drugs'], ['uses', 'The US'],
      ['odds', 'An odd finding'], ['genetics', 'Genetic variants'],
      ['electronics', 'Electronic records'], ['plastics', 'Plastic surgery'], ['cases', 'CAS numbers'], ['doses', 'MS-DOS'],
      ['bases', 'The basis of sleep'], ['c', 'Superconductors with a high $T_c$']
    ] as const) t.notOk(isExcluded(keyword, text), `${keyword}: ${text}`)
  })

  t.test('takes bounded time, however much it repeats', async t => {
    await takesLess(t, 300, () => keywordMatcher({
      positive_keywords: Array.from({ length: 100 }, (_, at) => `${'a '.repeat(98)}x${at}`),
      negative_keywords: Array.from({ length: 100 }, (_, at) => `鼠${'!'.repeat(at)}`)
    })({ title: 'a 鼠', abstract: 'a 鼠 '.repeat(12_500) }))
  })

  t.test('is found once, in the order of the project', async t => {
    const find = keywordMatcher({ positive_keywords: ['memory', 'sleep', 'Memories', 'rain', '…'], negative_keywords: ['…', 'sleep'] })
    t.strictSame(
      find({ title: 'Sleep and sleep', abstract: 'Memory and memories' }),
      { positive: ['memory', 'sleep', 'Memories'], negative: ['sleep'] }
    )
  })
})
