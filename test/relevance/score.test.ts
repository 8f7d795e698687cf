import t from 'tap'
import { defaultThresholds } from '../../schemas/project.js'
import { interestStemFinder, interestTerms } from '../../src/relevance/interest-terms.js'
import { scorer } from '../../src/relevance/score.js'
import { tokenizeText } from '../../src/relevance/terms.js'
import { summaryOf } from '../../src/papers/summary.js'
import { takesLess } from '../support/event-loop.js'

const score = scorer({
  interest_description: 'How sleep and its spindles consolidate memory',
  positive_keywords: ['slow oscillations', 'Replay'],
  negative_keywords: ['mice'],
  must_read_threshold: 0.6
})

t.test('a score', async t => {
  t.test('is 0 to 1, higher with more matches, highest in the title', async t => {
    const none = score({ title: 'Soil moisture', abstract: 'Rain.' }).relevance_score
    const abstract = score({ title: 'A study', abstract: 'Of sleep and memory.' }).relevance_score
    const title = score({ title: 'Sleep and memory', abstract: null }).relevance_score
    const keyword = score({ title: 'Sleep and memory', abstract: 'With slow oscillations and replay.' }).relevance_score
    t.equal(none, 0)
    t.ok(none < abstract && abstract < title && title < keyword && keyword <= 1)
  })

  t.test('is a must-read at or above the threshold', async t => {
    const high = score({ title: 'Sleep spindles, memory and replay', abstract: 'Slow oscillations consolidate memory.' })
    t.ok(high.relevance_score >= defaultThresholds.must_read_threshold)
    t.equal(high.relevance_class, 'must_read')
    t.equal(score({ title: 'Sleep', abstract: null }).relevance_class, 'related')
  })

  t.test('has reasons as data and text', async t => {
    t.match(score({ title: 'Sleep', abstract: 'Slow-oscillations; REPLAY' }), {
      matching_details: {
        terms: [{ term: 'sleep', from: 'interest' }],
        positive_keywords: ['slow oscillations', 'Replay'],
        negative_keywords: { length: 0 }
      },
      personalized_note: 'Has your keywords “slow oscillations”, “Replay”.'
    })
    t.equal(score({ title: 'Sleep', abstract: null }).personalized_note, 'Shares “sleep” with your interest.')
    t.match(score({ title: 'Rain', abstract: null }).personalized_note, /No words in common/)
    const noteOf = (positive_keywords: string[]) => scorer({
      interest_description: ' ', positive_keywords, negative_keywords: [], must_read_threshold: 0.6
    })({ title: 'Rain', abstract: null }).personalized_note
    t.equal(noteOf(['replay']), 'Has none of your keywords.', 'a project without an interest text')
    t.equal(noteOf([]), 'The project has no interest or keywords yet.')
    t.match(score({ title: 'Rain', abstract: null }).matching_details, {
      terms: { length: 0 },
      liked_paper: null,
      learned_from: { liked: 0, disliked: 0 },
      excluded: false
    })
  })

  t.test('is 0 with an excluded keyword, but only for whole words', async t => {
    t.match(score({ title: 'Sleep spindles in mice', abstract: null }), {
      relevance_score: 0,
      relevance_class: 'related',
      matching_details: { negative_keywords: ['mice'], excluded: true }
    })
    t.ok(score({ title: 'Sleep spindles in micelles', abstract: null }).relevance_score > 0)
  })

  t.test('is lower with what the interest excludes, most in the title', async t => {
    const of = (interest_description: string, title: string, abstract: string | null = null) =>
      scorer({ interest_description, positive_keywords: [], negative_keywords: [], must_read_threshold: 0.6 })({ title, abstract })
    for (const [description, title, other, phrase] of [
      ['Sleep apnea therapy by CPAP, not in children', 'CPAP for children with apnea', 'CPAP for adults with apnea', 'children'],
      ['Cholera in the Caribbean except Haiti', 'Caribbean cholera: Haiti', 'Caribbean cholera: Cuba', 'Haiti'],
      ['Drugs other than lithium for mania', 'Lithium drugs for mania', 'Valproate drugs for mania', 'lithium'],
      ['Base editing. We are not interested in plants or insects.', 'Base editing in insects', 'Base editing in humans', 'insects'],
      ['Base editing\nExclusion criteria:\n- case reports', 'Base editing: a case report', 'Base editing: a trial', 'case reports'],
      ['Base editing. Exclude Parkinson’s disease.', 'Base editing in Parkinson’s disease', 'Base editing in gout', 'Parkinson’s disease'],
      ['Base editing. No opioids or cannabis in mice.', 'Base editing: opioids in mice', 'Base editing: opioids', 'opioids in mice'],
      ['Base editing. No reviews, except Cochrane reviews.', 'Base editing: a review', 'Base editing: a Cochrane review', 'reviews'],
      ['Base editing. No animal studies.', 'Base editing: an animal study', 'Base editing: a trial', 'animal studies'],
      ['Base editing. I don’t want mice.', 'Base editing in mice', 'Base editing in gout', 'mice'],
      ['Base editing. No mice, no rats.', 'Base editing in rats', 'Base editing in gout', 'rats'],
      ['Base editing. Prime editing is not of interest.', 'Base editing and prime editing', 'Base editing', 'Prime editing'],
      ['Base editing, except reviews', 'Base editing: a systematic review', 'Base editing: a trial', 'reviews'],
      ['Base editing. No editorials.', 'Editorial: Base editing', 'Base editing: a trial', 'editorials'],
      ['Base editing. No letters.', 'Letter to the editor: Base editing', 'Base editing: a trial', 'letters'],
      ['Gothic novels. Papers that use corpora will be excluded.', 'Gothic novels in corpora', 'Gothic novels in class', 'corpora'],
      ['Cancer. Exclude non-small cell cancer.', 'Non–small cell cancer', 'Small cell cancer', 'non-small cell cancer'],
      ['Lung disease. Exclude non-COVID-19 pneumonia.', 'Lung disease in non-COVID-19 pneumonia', 'Lung disease in COVID-19 pneumonia',
        'non-COVID-19 pneumonia'],
      ['Viruses. Exclude non-HIV-1 infections.', 'Viruses: non-HIV-1 infections', 'Viruses: HIV-1 infections', 'non-HIV-1 infections'],
      ['Obesity. Exclude non-type 2 diabetes.', 'Obesity in non-type 2 diabetes', 'Obesity in type 2 diabetes', 'non-type 2 diabetes'],
      ['Antivirals. Exclude non-B hepatitis.', 'Antivirals for non-B hepatitis', 'Antivirals for hepatitis B', 'non-B hepatitis'],
      ['Heart. Exclude non-Q-wave infarction.', 'Heart after non-Q-wave infarction', 'Heart after Q-wave infarction',
        'non-Q-wave infarction'],
      ['Base editing. However, exclude mice.', 'Base editing in mice', 'However: base editing', 'mice'],
      ['Base editing. Finally, no mice.', 'Base editing in mice', 'Finally base editing', 'mice'],
      ['Wheat. Exclude no-till farming.', 'Wheat under no-till farming', 'Wheat under farming', 'no-till farming'],
      ['stroke AND statins NOT (mice OR rats)', 'Statins after stroke in rats', 'Statins after stroke in men', 'rats'],
      ['statins NOT ("animals" NOT "humans")', 'Statins in animals', 'Statins in men', 'animals'],
      ['statins AND NOT mice', 'Statins in mice', 'Statins in men', 'mice'],
      ['睡眠障碍，不包括儿童', '睡眠障碍与儿童', '睡眠障碍与成人', '儿童'],
      ['Troubles du sommeil, sauf chez les enfants', 'Troubles du sommeil des enfants', 'Troubles du sommeil des adultes', 'enfants']
    ] as const) {
      const [lowered, whole] = [of(description, title), of(description, other)]
      const { matching_details: { excluded_phrases, excluded, contributions } } = lowered
      t.ok(Math.abs(lowered.relevance_score - whole.relevance_score / 2) < 1e-5, `${description}: ${lowered.relevance_score}`)
      t.match({ excluded_phrases, excluded }, { excluded_phrases: [phrase], excluded: false }, description)
      t.match(lowered.personalized_note, new RegExp(` Has “${phrase}”, which your interest excludes\\.$`))
      const sum = Object.values(contributions).reduce((total, part) => total + part, 0)
      t.ok(contributions.exclusions! < 0 && Math.abs(sum - lowered.relevance_score) < 0.001, 'and says by how much')
      t.equal(whole.matching_details.excluded_phrases, undefined)
      t.equal(whole.matching_details.contributions.exclusions, undefined)
    }
    const inAbstract = of('Base editing, not in plants', 'Base editing', 'In plants.').relevance_score
    t.ok(Math.abs(inAbstract - 0.8 * of('Base editing, not in plants', 'Base editing', 'In mice.').relevance_score) < 1e-5)
    const [named, unnamed] = ['B', 'D'].map(letter =>
      of('Antivirals, except for hepatitis B', 'Antivirals for hepatitis C', `Not hepatitis ${letter}.`).relevance_score) as [number, number]
    t.ok(Math.abs(named - 0.8 * unnamed) < 1e-5, 'a name in the abstract is not in the title')
  })

  t.test('is lower at little cost, however much an interest excludes', async t => {
    for (const hostile of [
      'Not mice, rats or pigs. ', 'Not a b c d ', ', not mice', '，不包括儿童', 'excluded if ', 'unless ', '. Not ',
      'no a and b in ', ', no a, except b', ' (except a'
    ]) {
      const interest_description = `Sleep. ${hostile.repeat(10_000 / hostile.length)}`
      await takesLess(t, 100, () => {
        scorer({ interest_description, positive_keywords: [], negative_keywords: [], must_read_threshold: 0.6 })(
          { title: 'Sleep', abstract: null })
      }, JSON.stringify(hostile))
    }
  })

  t.test('is not lower with words that the interest wants, kinds of papers outside the title, or parts of a phrase', async t => {
    for (const [interest_description, title, abstract] of [
      ['Sleep in children. Not sleep.', 'Sleep in children', null],
      ['Base editing, except reviews', 'Base editing', 'We review trials.'],
      ['Base editing, not in zebrafish embryos', 'Base editing of embryos', 'Human zygotes.'],
      ['Base editing. Reviews are excluded unless they are systematic.', 'Base editing: a systematic review', null],
      ['Base editing. Articles not in English will be excluded.', 'Base editing in English', null],
      ['Base editing. Exclude reviews, except systematic reviews.', 'Base editing: a systematic review', null],
      ['Base editing, no reviews, except Cochrane reviews', 'Base editing: a Cochrane review', null],
      ['Base editing, no reviews (except meta-analyses)', 'Base editing: meta-analysis', null],
      ['Base editing. No reviews (except meta-analyses).', 'Base editing: meta-analysis and review', null],
      ['Base editing. Trials are excluded unless they are randomised.', 'Base editing, randomised', null],
      ['Base editing. Exclude studies of chemotherapy and radiotherapy in animals.', 'Base editing and chemotherapy', null],
      ['Base editing. Exclude effects of opioids or cannabis on mice.', 'Base editing and effects of opioids', null],
      ['Asthma, but not prevention and treatment in children', 'Asthma in children', null],
      ['Asthma. Also, exclude prevention and treatment in children.', 'Asthma in children', null],
      ['Asthma. Please, no prevention or treatment in children.', 'Asthma in children', null],
      ['Base editing. No reviews.', 'Base editing and retrospective review of charts', null],
      ['Base editing. No letters.', 'Base editing and letter recognition', null],
      ['Base editing. No letters.', 'Letter recognition: base editing', null],
      ['Base editing. No animal studies.', 'Base editing and animal-assisted therapy', null],
      ['Base editing. Exclude articles not in English.', 'Base editing in English', null],
      ['Sleep in adults. Exclude studies that do not report sleep duration.', 'Sleep duration in adults', null],
      ['Lung cancer. Exclude non-small cell lung cancer.', 'Small cell lung cancer', 'In non-smokers.'],
      ['Base editing. Exclude non-randomised trials.', 'Base editing: a randomised trial', null],
      ['Stroke. Non-invasive ventilation. Not interested in non-invasive ventilation alone.', 'Non-invasive ventilation in stroke', null],
      ['Sleep. Exclude non-English language papers.', 'Sleep: a systematic review', 'Non-English language papers were excluded.'],
      ['Sleep. Exclude papers in non-English languages.', 'Sleep: a review', 'Papers in non-English languages were excluded.'],
      ['Base editing. Exclude papers without CRISPR.', 'Base editing by CRISPR', null],
      ['Base editing. Exclude mice, and anything not using CRISPR.', 'Base editing by CRISPR', null],
      ['Base editing. Exclude everything that is not about children.', 'Base editing in children', null],
      ['Base editing. Exclude papers that use mice or do not use MRI.', 'Base editing and MRI', null],
      ['Base editing. I do not want papers without CRISPR.', 'Base editing by CRISPR', null],
      ['Base editing\nExclusion criteria:\n- not randomised\n- Studies not reporting pain', 'Base editing: randomised pain', null],
      ['Genchirurgie der Leber\nAusschlusskriterien:\n- nicht randomisiert', 'Genchirurgie der Leber: randomisiert', null],
      ['Base editing. We do not want mice but macaques.', 'Base editing in macaques', null],
      ['Base editing. Studies will be excluded if they are small.', 'Base editing: a study', null],
      ['statins NOT (("animals"[MeSH]) NOT ("humans"[MeSH]))', 'Statins in humans', null],
      ['Infections without fever', 'Infections and fever', null],
      ['Exercise rather than drugs for depression', 'Exercise versus drugs for depression', null],
      ['Exclude animals.', 'Animals', null]
    ] as const) {
      const { matching_details } = scorer({ interest_description, positive_keywords: [], negative_keywords: [], must_read_threshold: 0.6 })(
        { title, abstract })
      t.equal(matching_details.excluded_phrases, undefined, interest_description)
    }
  })

  t.test('counts words that go on where the interest truncates one', async t => {
    const truncated = scorer({
      interest_description: '(schizophren*[tiab] OR psychosis) AND cognit* AND 3D*',
      positive_keywords: [],
      negative_keywords: [],
      must_read_threshold: 0.6
    })
    const termsOf = (title: string) => truncated({ title, abstract: null }).matching_details.terms.map(({ term }) => term).sort()
    t.strictSame(termsOf('Cognition in schizophrenia and psychoses'), ['cognition', 'psychoses', 'schizophrenia'])
    t.strictSame(termsOf('Schizotypal traits recognized in 3D'), ['3d'])
    t.ok(truncated({ title: 'Schizophrenics', abstract: null }).relevance_score > 0)
  })

  t.test('truncates words in any script and either spelling, the longest first, and none that is emphasized', async t => {
    for (const [interest, stems] of [
      ['Überleb* und épidémi* лейкем*', ['uberleb*', 'und', 'epidemi*', 'леикем*']],
      ['**Gene therapies** for *children* with HLA-DRB1*04:01', ['gene', 'therapi', 'child', 'hla', 'drb1']],
      ['(schizophren* OR cognit*)', ['schizophren*', 'cognit*']]
    ] as const) t.strictSame(interestTerms(interest).flat(), stems, interest)
    const stemOf = interestStemFinder(['tumour*', 'sleep*', 'sleepless*'])
    const { title } = tokenizeText({ title: 'Tumors, sleeplessness and sleeping', abstract: null })
    t.strictSame(title.map(stemOf), ['tumour*', 'sleepless*', undefined, 'sleep*'])
  })

  t.test('works without an interest', async t => {
    t.equal(
      scorer({ interest_description: '', positive_keywords: [], negative_keywords: [], must_read_threshold: 0.6 })({
        title: 'x',
        abstract: null
      }).relevance_score,
      0
    )
  })
})

t.test('an interest', async t => {
  const scoreOf = (interest_description: string, title: string, abstract: string | null = null) =>
    scorer({ interest_description, positive_keywords: [], negative_keywords: [], must_read_threshold: 0.6 })({ title, abstract })

  t.test('counts words of any subject and of requests less than those of its own', async t => {
    for (const [interest, title] of [
      ['Long-term outcomes of patients with heart failure treated with SGLT2 inhibitors', 'Long-term outcomes of patients with pain'],
      ['How does sleep deprivation affect memory consolidation?', 'Consolidation of democracy: how corruption affects trust'],
      ['I am a PhD student looking for anything about soil microbes', 'Looking after PhD students']
    ] as const) t.equal(scoreOf(interest, title, title).relevance_class, 'related', title)
    t.equal(scoreOf('Materials and methods', 'Materials and methods').relevance_class, 'must_read', 'unless it has no others')
    t.equal(scoreOf('Glioblastoma', 'Temozolomide resistance in glioblastoma').relevance_class, 'must_read', 'a single word is all of it')
    t.equal(scoreOf('String theory', 'String quartets of Haydn').relevance_class, 'related', 'one of two words is not')
  })

  t.test('matches one item or line of a list, but not a line that only restricts the others, such as participants', async t => {
    const classOf = (interest: string, title: string) => scoreOf(interest, title).relevance_class
    const diseases = ['leprosy', 'Buruli ulcer', 'Chagas disease', 'snakebite', 'trachoma', 'scabies', 'yaws', 'rabies']
    for (const list of [diseases.join(', '), `${diseases.join('; ')}.`, diseases.join('\n'), `${diseases.join(', ')}, and dengue`]) {
      t.equal(classOf(list, 'Mass treatment for trachoma in Ethiopia'), 'must_read', list)
    }
    t.equal(classOf('白血病、肺炎、結核、麻疹', '肺炎の治療'), 'must_read')
    t.equal(classOf('Sleep and memory in older people\nStress and prefrontal function\nAdults', 'Bridges for adults'), 'related')
    t.equal(classOf('Effects of heat, drought, and salt on wheat', 'Salt in prehistoric trade'), 'related', 'a sentence is one criterion')
    for (const [interest, title] of [
      ['sleep, diet, exercise in pregnancy', 'Diet of wolves'],
      ['Transformers, diffusion models, GANs for protein design', 'Faults of power transformers'],
      ['ADHD\nAutism\nChildren and adolescents', 'Vaccination of children'],
      ['P: children\nI: antibiotics\nC: placebo\nO: recovery', 'Antibiotics in livestock'],
      ['**Population (P):** adults; **Intervention:** walking, running, swimming; **Outcome:** falls', 'Swimming of fish'],
      ['Population\nadults\nOutcome\nfalls', 'Falls of governments']
    ] as const) t.equal(classOf(interest, title), 'related', interest)
    t.equal(classOf('history of art, philosophy of science, ethics of war', 'Philosophy of science'), 'must_read', 'each is whole')
    t.equal(classOf('Hepatitis B, C\nPatients, controls\nFatigue', 'Fatigue'), 'must_read', 'no labels')
    t.equal(classOf('mice, rats, rodents', 'Field mice'), 'must_read', 'participants are a subject by themselves')
    t.equal(classOf('I follow how sleep and its spindles make\nmemory last', 'Memory of computers'), 'related', 'a wrapped text is no list')
  })
})

t.test('keywords in Chinese and Japanese', async t => {
  const matcher = scorer({
    interest_description: '',
    positive_keywords: ['睡眠记忆', 'fMRI 検査'],
    negative_keywords: ['小鼠'],
    must_read_threshold: 0.6
  })
  const found = (title: string) => matcher({ title, abstract: null }).matching_details.positive_keywords

  t.test('match anywhere in a run of characters', async t => {
    for (const title of ['睡眠记忆', '睡眠记忆障碍的研究', '老年人睡眠记忆', '老年人的睡眠记忆障碍']) {
      t.ok(found(title).includes('睡眠记忆'), title)
    }
    t.strictSame(found('睡眠障碍与睡眠'), [])
    t.strictSame(found('fMRI検査の結果'), ['fMRI 検査'])
  })

  t.test('exclude anywhere in a run of characters', async t => {
    for (const title of ['小鼠睡眠研究', '转基因小鼠', '转基因小鼠睡眠']) {
      t.equal(matcher({ title, abstract: null }).matching_details.excluded, true, title)
    }
    t.equal(matcher({ title: '大鼠睡眠研究', abstract: null }).matching_details.excluded, false)
  })
})

t.test('an interest in another language', async t => {
  const matcher = scorer({
    interest_description: 'Die Wirkung der Verhaltenstherapie und von Melatonin auf den Schlaf bei älteren Menschen',
    positive_keywords: [],
    negative_keywords: [],
    must_read_threshold: 0.6
  })
  t.test('does not match by its short words', async t => {
    const { relevance_score, personalized_note } = matcher({
      title: 'Die Rolle der Parteien und von Medien auf den Wahlkampf',
      abstract: 'Die Wähler und die Parteien der Länder bei den Wahlen und von Medien.'
    })
    t.equal(relevance_score, 0)
    t.notMatch(personalized_note, /“(der|die|und|von)”/)
    t.equal(matcher({ title: 'Melatonin und Schlaf bei Menschen', abstract: null }).relevance_class, 'must_read')
  })

  t.test('matches by its short terms', async t => {
    const virus = scorer({
      interest_description: 'Die Wirkung von rna und hiv auf das Immunsystem der Patienten und ihrer Kinder',
      positive_keywords: [],
      negative_keywords: [],
      must_read_threshold: 0.6
    })
    t.match(virus({ title: 'HIV', abstract: null }).matching_details.terms, [{ term: 'hiv' }])
    for (const [interest_description, title] of [
      ['Genetische Ursachen von ALS und Demenz bei jungen Patienten', 'ALS'],
      ['Mutaciones de KRAS, MET y ALK en el pulmón de las mujeres', 'MET'],
      ['Civil war, refugees, displacement, armed conflict', 'War']
    ] as const) {
      const match = scorer({ interest_description, positive_keywords: [], negative_keywords: [], must_read_threshold: 0.6 })
      t.match(match({ title, abstract: null }).matching_details.terms, [{ term: title.toLowerCase() }])
    }
    t.match(virus({ title: 'Und das ist der Rest, von Kindern und RNA', abstract: null }).matching_details.terms, [{ term: 'rna' }])
  })

  t.test('of four words or more, or without spaces, does not match by its particles', async t => {
    for (const [interest, stems] of [
      ['Inteligencia artificial en la educación', ['inteligencia', 'artifici', 'educacion']],
      ['Die Rolle der Frau in der Antike', ['roll', 'frau', 'antik']],
      ['La educación superior en México', ['educacion', 'superior', 'mexico']],
      ['Die attach, wire bonding, flip chip packaging, solder joints in electronics', [
        'die', 'attach', 'wire', 'bond', 'flip', 'chip', 'packag', 'solder', 'joint', 'electron'
      ]],
      ['Ni-Al alloys under stress', ['ni', 'al', 'alloi', 'stress']],
      ['睡眠の記憶', ['睡眠', '記憶']],
      ['乳がん', ['乳が']]
    ] as const) t.strictSame(interestTerms(interest).flat(), stems, interest)
    const chinese = scorer({ interest_description: '深度学习的应用', positive_keywords: [], negative_keywords: [], must_read_threshold: 0.6 })
    t.ok(chinese({ title: '区块链的应用', abstract: null }).relevance_score < 0.3)
    t.equal(chinese({ title: '深度学习', abstract: null }).relevance_class, 'must_read')
  })

  t.test('of short words alone matches by them', async t => {
    const short = scorer({
      interest_description: 'rat gut fat ear eye hip',
      positive_keywords: [],
      negative_keywords: [],
      must_read_threshold: 0.6
    })
    t.ok(short({ title: 'Rat gut', abstract: null }).relevance_score > 0)
  })
})

t.test('citations of unknown strength change nothing', t => {
  const none = { starred: 0, upvoted: 0, papers: [] }
  const citations = { strength: NaN, cites: { ...none, upvoted: 1 }, cited_by: none, shares: null }
  const paper = { title: 'Sleep', abstract: null }
  t.equal(score({ ...paper, signals: { citations } }).relevance_score, score(paper).relevance_score)
  t.end()
})

t.test('a summary is the abstract\'s first sentences', async t => {
  t.equal(summaryOf(null), null)
  t.equal(summaryOf('Short. And whole.'), 'Short. And whole.')
  const long = summaryOf(Array.from({ length: 40 }, (_each, at) => `This is sentence ${at} of many.`).join(' '))!
  t.ok(long.length <= 400 && long.endsWith('of many.'))
  t.ok(summaryOf('word '.repeat(1000))!.length <= 402)
})
