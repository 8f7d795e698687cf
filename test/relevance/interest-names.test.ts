import t from 'tap'
import { findDefinitions } from '../../src/relevance/abbreviations.js'
import { interestTerms } from '../../src/relevance/interest-terms.js'
import { scorer } from '../../src/relevance/score.js'
import { tokenizeText } from '../../src/relevance/terms.js'
import { takesLess } from '../support/event-loop.js'

t.test('abbreviations in capitals are no words', async t => {
  const scoreOf = (interest_description: string, title: string) =>
    scorer({ interest_description, positive_keywords: [], negative_keywords: [], must_read_threshold: 0.6 })({ title, abstract: null })
  for (const [interest, wanted, other] of [
    ['AIDS prevention', 'AIDS in Kenya', 'Hearing aids in Kenya'],
    ['ALL relapse in children', 'CAR T cells in ALL', 'All children are cells'],
    ['IT security', 'IT audits', 'It is an audit'],
    ['WHO reform', 'WHO and its members', 'Members who reform'],
    ['ALS', 'Survival in ALS', 'Corrosion of Al alloys by Smith et al'],
    ['MS relapse', 'MS in Kenya', 'Latencies of 300 ms']
  ] as const) {
    const named = scoreOf(interest, wanted).matching_details.terms.map(({ term }) => term)
    t.strictSame(named, [interest.split(' ')[0]!.toLowerCase()], wanted)
    t.notOk(scoreOf(interest, other).matching_details.terms.some(({ term }) => named.includes(term) || term === 'al'), other)
  }
  t.ok(scoreOf('AIDS prevention', 'AIDS AND THE STATE').relevance_score > 0, 'a title in capitals')
  t.equal(scoreOf('HEARING AIDS', 'A hearing aid').matching_details.terms.length, 2, 'an interest in capitals')
  for (const [interest, title] of [['RAS signaling', 'Ras in yeast'], ['KRAS inhibitors', 'Kras'], ['BEES and crops', 'Bees']] as const) {
    t.ok(scoreOf(interest, title).relevance_score > 0, `${title} is spelled in either case`)
  }
  t.strictSame(interestTerms('Sleep AND memory OR (apnoea NOT mice)').flat().filter(stem => /[A-Z]/.test(stem)), [])
})

t.test('an abbreviation and what it stands for are one', async t => {
  const scoreOf = (interest_description: string, title: string, abstract: string | null = null) =>
    scorer({ interest_description, positive_keywords: [], negative_keywords: [], must_read_threshold: 0.6 })({ title, abstract })
  const relevanceOf = (...texts: Parameters<typeof scoreOf>) => scoreOf(...texts).relevance_score

  t.test('where the interest defines it', async t => {
    for (const interest of [
      'Attention deficit hyperactivity disorder (ADHD) in adults',
      'ADHD (attention-deficit/hyperactivity disorder) in adults',
      'Attention deficit hyperactivity disorder (ADHD): ADHD in adults'
    ]) {
      const short = scoreOf(interest, 'ADHD in adults')
      t.match(short.matching_details.terms.map(({ term }) => term), ['adhd', 'adults'], interest)
      t.equal(relevanceOf(interest, 'Attention deficit hyperactivity disorder in adults'), short.relevance_score)
      t.equal(relevanceOf(interest, 'Attention deficit hyperactivity disorder (ADHD) in adults'), short.relevance_score)
      t.ok(relevanceOf(interest, 'ADHD in adulthood') > relevanceOf(interest, 'Attention to adults: a disorder of vision'))
    }
    t.equal(relevanceOf('Interleukin-6 (IL-6) in sepsis', 'IL-6 and sepsis'), relevanceOf('IL-6 in sepsis', 'IL-6 and sepsis'))
    const relapse = 'Relapse of acute lymphoblastic leukemia (ALL)'
    t.ok(relevanceOf(relapse, 'Relapse of ALL') > relevanceOf(relapse, 'Relapse of all'))
  })

  t.test('where the abstract defines it and the title has the other form', async t => {
    const abstract = 'Amyotrophic lateral sclerosis (ALS) has inclusions.'
    for (const interest of ['Amyotrophic lateral sclerosis', 'ALS']) {
      const both = relevanceOf(interest, 'Amyotrophic lateral sclerosis (ALS)', abstract)
      t.equal(relevanceOf(interest, 'TDP-43 pathology in ALS', abstract), both, interest)
      t.equal(relevanceOf(interest, 'Amyotrophic lateral sclerosis', abstract), both, interest)
      t.ok(relevanceOf(interest, 'Lateral inclusions', abstract) < both, interest)
    }
  })

  t.test('where it is a common one', async t => {
    for (const [long, short] of [
      ['chronic obstructive pulmonary disease', 'COPD'], ['Titanium dioxide', 'TiO₂'], ['Post-traumatic stress disorder', 'PTSD'],
      ['acquired immunodeficiency syndrome', 'AIDS'], ['Large language models', 'LLMs'], ['Internet of Things', 'IoT']
    ] as const) {
      t.equal(relevanceOf(long, short), relevanceOf(long, long), long)
      t.equal(relevanceOf(short, long), relevanceOf(short, short), short)
      t.equal(relevanceOf(`${long} ${short}`, short), relevanceOf(long, long), `both of ${short}`)
    }
    t.strictSame(scoreOf('LLMs', 'A large language model').matching_details.terms.map(({ term }) => term), ['large language model'])
    t.equal(relevanceOf('LLMs', 'Models of a large language'), 0, 'other order')
    t.equal(relevanceOf('acquired immunodeficiency syndrome', 'Hearing aids'), 0)
    t.equal(relevanceOf('Sleep. Not amyotrophic lateral sclerosis.', 'ALS'), 0, 'unwanted')
  })

  t.test('by the letters that an abbreviation has in order', async t => {
    for (const [text, short, long] of [
      ['We treat post-traumatic stress disorder (PTSD).', 'PTSD', 'post-traumatic stress disorder'],
      ['of\nPTSD (post-traumatic stress disorder, as defined) is', 'PTSD', 'post-traumatic stress disorder'],
      ['Of all large language models (LLMs; GPT-4)', 'LLMs', 'large language models'],
      ['by transforming growth factor-β (TGF-β)', 'TGF-β', 'transforming growth factor-β'],
      ['heat shock\nprotein 90 (HSP90)', 'HSP90', 'heat shock protein 90']
    ] as const) t.strictSame(findDefinitions(text), [{ long, short }])
    for (const text of [
      'Microbiome (human gut only)', 'a rat (Rattus norvegicus)', 'ALS (ALS)', '(ALS)', 'in tests (Table 1)', 'as seen (as stated)',
      'amyotrophic lateral sclerosis (ALS'
    ]) t.strictSame(findDefinitions(text), [], text)
  })

  t.test('at little cost in hostile texts', async t => {
    const score = scorer({ interest_description: 'AB', positive_keywords: [], negative_keywords: [], must_read_threshold: 0.6 })
    const texts = ['(', 'A (AB) ', '(AB)', 'aa bb (AB) ', `(A${'b'.repeat(150)})`, 'AB (a b) '].map(part => part.repeat(50_000 / part.length))
    for (const abstract of texts) await takesLess(t, 60, () => score({ title: 'AB', abstract }), abstract.slice(0, 12))
  })
})

t.test('names with a number or a letter', async t => {
  const scoreOf = (interest_description: string, title: string) =>
    scorer({ interest_description, positive_keywords: [], negative_keywords: [], must_read_threshold: 0.7 }, null)(
      { title, abstract: null }
    )

  t.test('are told apart', async t => {
    for (const [interest, wanted, other] of [
      ['IL-6 in sepsis', 'IL-6 in sepsis', 'IL-17 in sepsis'],
      ['Hepatitis B', 'Hepatitis B', 'Hepatitis C'],
      ['Type 2 diabetes', 'Type 2 diabetes', 'Type 1 diabetes'],
      ['Vitamin D in children', 'Vitamin D in children', 'Vitamin C in children'],
      ['Phase I trials', 'A phase I trial', 'A phase V trial']
    ] as const) {
      t.ok(scoreOf(interest, wanted).relevance_score > scoreOf(interest, other).relevance_score, `${wanted}, not ${other}`)
    }
  })

  t.test('count once, as much as other words', async t => {
    for (const [interest, wanted, other] of [
      ['IL-6 in rheumatoid arthritis', 'Serum IL6 and rheumatoid joints', 'IL-17 and rheumatoid joints'],
      ['Vitamin D and bone health', 'Vitamin D and bone mass', 'Vitamin C, bone mass and collagen'],
      ['Type I diabetes', 'Diabetes of type 1', 'Diabetes of type II'],
      ['World War II', 'World War 2', 'World War I'],
      ['TNF-α inhibitors', 'Anti-TNF therapy', 'TNF-β therapy']
    ] as const) {
      t.ok(scoreOf(interest, wanted).relevance_score > scoreOf(interest, other).relevance_score + 0.1, `${wanted}, not ${other}`)
    }
    t.strictSame(interestTerms('IL-6 and TNF-α').flat(), ['il6', 'tnfalpha'])
    t.strictSame(interestTerms('IL and IL-6').flat(), ['il', 'il6'], 'a part that also stands alone')
    t.ok(scoreOf('COVID-19 vaccines', 'COVID vaccines').relevance_score > scoreOf('COVID-19 vaccines', 'Vaccines').relevance_score)
  })

  t.test('may have their first part in common', async t => {
    for (const [interest, stems] of [
      ['Hepatitis B and C', ['hepatitis-b', 'hepatitis-c']],
      ['Vitamins D, E, and K', ['vitamin-d', 'vitamin-e', 'vitamin-k']],
      ['Types 1 or 2', ['type1', 'type2']],
      ['Phase I/II trial', ['trial', 'phase1', 'phase2']],
      ['TNF-α and -β', ['tnfalpha', 'tnfbeta']],
      ['Vitamin C and E. coli', ['coli', 'vitamin-c']]
    ] as const) t.strictSame(interestTerms(interest).flat(), stems, interest)
    t.ok(scoreOf('Influenza B', 'Influenza A and B').relevance_score > 0.5)
    t.match(scoreOf('Hepatitis C', 'Hepatitis B and C').personalized_note, /“hepatitis c”/)
  })

  t.test('end with no letter of the next word after a digit', async t => {
    for (const [interest, wanted, other] of [
      ['CD8 T cell exhaustion', 'CD8+ T cell exhaustion', 'CD4+ T cell exhaustion'],
      ['CD19 B cell lymphoma', 'CD19 in lymphoma of B cells', 'CD20 in lymphoma of B cells'],
      ['Th17 T cells', 'Th17 cells', 'Th2 cells']
    ] as const) {
      t.ok(scoreOf(interest, wanted).relevance_score > scoreOf(interest, other).relevance_score + 0.05, `${wanted}, not ${other}`)
    }
  })

  t.test('match in other spellings', async t => {
    for (const spellings of [
      ['TNF-α', 'TNFα', 'TNF-alpha'], ['IL-6', 'IL6'], ['5-HT', '5HT'],
      ['β-catenin', 'beta-catenin'], ['TNF-Alpha', 'TNF-α'], ['IL‑17A', 'IL-17A']
    ]) {
      for (const interest of spellings) {
        for (const title of spellings) t.ok(scoreOf(interest, title).relevance_score > 0, `${interest}: ${title}`)
      }
    }
  })

  t.test('are named in the reasons as they are written', async t => {
    t.equal(scoreOf('Hepatitis B', 'Hepatitis B').personalized_note, 'Shares “hepatitis b” with your interest.')
    t.match(scoreOf('Type 2 diabetes', 'Type 2 diabetes').personalized_note, /“type 2”/)
  })

  t.test('are no numbers of papers, patients or percent', async t => {
    const { names } = tokenizeText({
      title: 'Of 12 patients, 3.5 % were in 2 groups; p 0.05',
      abstract: 'Among 40 papers, at least 20 included 30 people, aged 65'
    })
    t.strictSame(names, [])
  })
})
