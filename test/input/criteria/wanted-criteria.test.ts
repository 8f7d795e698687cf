import t from 'tap'
import { withoutNegatedGroups } from '../../../src/input/criteria/boolean-queries.js'
import { readExceptions } from '../../../src/input/criteria/exceptions.js'
import { wantedCriteria } from '../../../src/input/criteria/wanted-criteria.js'
import { takesLess } from '../../support/event-loop.js'
import { topicsOf } from '../../../src/sources/requests/topics.js'

t.test('the criteria of an interest', async t => {
  t.test('are sentences and lines, also in Chinese', async t => {
    t.strictSame(wantedCriteria('Sleep. Memory; e.g. recall\nAdults'), ['Sleep.', 'Memory;', 'e.g. recall', 'Adults'])
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
    for (const text of ['Sleep in adults, exclude: mice', 'Sleep in adults Exclude: mice, rats', 'Sleep in adults (exclude: mice)']) {
      t.strictSame(wantedCriteria(text), ['Sleep in adults'], text)
    }
    t.strictSame(wantedCriteria('Cells that take up dyes, exclude water'), ['Cells that take up dyes, exclude water'])
    t.strictSame(wantedCriteria('Sleep. We do not want reviews. Don’t include animals. Not mice.'), ['Sleep.'])
    t.strictSame(wantedCriteria('Statins, excluding animal studies and case reports. Trials (except pilots)'), ['Statins', 'Trials'])
    t.strictSame(wantedCriteria('CRISPR without off-target effects'), ['CRISPR without off-target effects'], 'a property of the topic')
    const topics = [
      'Notch signalling.', 'No-reflow phenomenon.', 'Study of sleep.', 'NO synthase in the endothelium.', 'NOT gates of DNA.',
      'Not only CRISPR, but also base editors.', 'Do not resuscitate orders in dementia.', 'No evidence of disease as an endpoint.'
    ]
    t.strictSame(wantedCriteria(topics.join(' ')), topics)
  })

  t.test('go on after abbreviations', async t => {
    for (const [text, ...wanted] of [
      ['Statins in adults. Exclude animal studies (e.g. in mice or rats).', 'Statins in adults.'],
      ['Sleep. Not interested in sleep disorders, i.e. insomnia and apnea.', 'Sleep.'],
      ['Antibiotic resistance in hospitals. We exclude S. aureus and E. coli.', 'Antibiotic resistance in hospitals.'],
      ['Statins (excl. rosuvastatin) in adults', 'Statins in adults'],
      ['Exclude papers by Smith et al. on sleep. Dreams.', 'Dreams.'],
      ['Sleep in U.S. adults. Vitamin D. Memory', 'Sleep in U.S. adults.', 'Vitamin D.', 'Memory']
    ] as const) t.strictSame(wantedCriteria(text), wanted, text)
  })

  t.test('leave out what a boolean query does, and its fields', async t => {
    for (const [text, wanted] of [
      [`statins AND stroke NOT (${Array.from({ length: 80 }, () => 'mouse').join(' OR ')} OR in vitro)`, 'statins AND stroke'],
      ['statins NOT (("animals"[MeSH]) NOT ("humans"[MeSH]))', 'statins'],
      ['statins NOT (mice OR (rat AND "in vitro"))', 'statins'],
      ['TITLE-ABS-KEY(statins AND stroke) AND NOT TITLE-ABS-KEY(mice)', '(statins AND stroke)'],
      ['TS=(statins AND stroke) NOT TS=(mice OR rats)', '(statins AND stroke)'],
      ['all:"graph neural network" ANDNOT cat:cs.CV', 'all:"graph neural network"'],
      ['statins AND stroke NOT (\n mice OR\n rats\n)', 'statins AND stroke'],
      ['statins AND NOT("mice")', 'statins'],
      ['"sleep"[tiab] AND memory[mesh] NOT "mice"[mesh]', '"sleep" AND memory'],
      ['statins NOT mice AND stroke', 'statins AND stroke'],
      ['sleep NOT review[Publication Type]', 'sleep'],
      ['sleep NOT title:(mice OR rats)', 'sleep'],
      ['sleep NOT TITLE_ABS:(mice OR rats)', 'sleep'],
      ['ti(sleep) NOT ti(mice OR rats)', 'ti(sleep)'],
      ['sleep NOT AB (mice OR rats)', 'sleep'],
      ['sleep AND NOT TITLE-ABS-KEY ( mice OR rats )', 'sleep'],
      ['Statins NOT mice (Mus musculus) in adults', 'Statins in adults'],
      ['Cells that do NOT express (or lose) insulin', 'Cells that do NOT express (or lose) insulin'],
      ['Sr:Ti ratios and K2[Pt] salts', 'Sr:Ti ratios and K2[Pt] salts'],
      ['statins AND NOT title-abs-key(mice OR rats)', 'statins'],
      ['statins AND NOT Title(mice OR rats)', 'statins'],
      ['“sleep apnea” NOT “animal model”', '"sleep apnea"'],
      ['“sleep apnea”[tiab] NOT (“mice” OR “rats”)', '"sleep apnea"'],
      ['sleep AND memory NOT \'animal model\'/exp', 'sleep AND memory'],
      ['sleep[tiab] AND humans[Filter] AND "english"[lang]', 'sleep'],
      ['sleep[tiab] AND free full text[Filter] AND ("2020/01/01"[Date - Publication] : "3000"[Date - Publication])', 'sleep AND ()'],
      ['humans[Filter] AND antibodies[tiab] AND Nature[ta]', 'AND antibodies'],
      ['K3[Sb] salts', 'K3[Sb] salts']
    ] as const) t.strictSame(wantedCriteria(text), [wanted], text)
    for (const [text, ...wanted] of [
      ['Sleep in adults. I am NOT interested in reviews.', 'Sleep in adults.'],
      ['Statins. We do NOT want animal studies.', 'Statins.'],
      ['Statins\nDo NOT include:\n- reviews\n- letters', 'Statins'],
      ['Sleep\nNOT machine learning\nMemory', 'Sleep', 'Memory'],
      ['Statins in adults\nNOT mice (Mus musculus) or rats', 'Statins in adults'],
      ['Insomnia therapy.\nI do NOT want (human) brain imaging.', 'Insomnia therapy.'],
      ['Insomnia therapy.\nWe do NOT want: (a) reviews (b) letters', 'Insomnia therapy.'],
      ['Insomnia therapy\nNOT wanted: (a) reviews (b) letters', 'Insomnia therapy']
    ] as const) t.strictSame(wantedCriteria(text), wanted, text)
  })

  t.test('go on after a heading within a line', async t => {
    for (const [text, ...wanted] of [
      ['Out of scope: policy papers. I follow CRISPR delivery.', 'CRISPR delivery.'],
      ['Exclude: mice. Statins in adults.', 'Statins in adults.'],
      ['Population: adults. Excluded: children. Intervention: statins.', 'Population: adults.', 'Intervention: statins.'],
      ['Inclusion criteria: adults. Exclusion criteria: children. Outcome: stroke.', 'adults.', 'Outcome: stroke.']
    ] as const) t.strictSame(wantedCriteria(text), wanted, text)
  })

  t.test('stand under headings in other languages', async t => {
    for (const [text, wanted] of [
      ['Einschlusskriterien: Statine\nAusschlusskriterien: Tierstudien', 'Statine'],
      ['Statines chez l’adulte.\nCritères d’exclusion : études animales, revues', 'Statines chez l’adulte.'],
      ['Estatinas en adultos.\nCriterios de exclusión: estudios en animales', 'Estatinas en adultos.'],
      ['Статины у взрослых.\nКритерии исключения: исследования на животных', 'Статины у взрослых.'],
      ['成人のスタチン\n除外基準：動物実験', '成人のスタチン']
    ] as const) t.strictSame(wantedCriteria(text), [wanted], text)
  })

  t.test('keep the subject of a sentence around what it leaves out', async t => {
    for (const [text, wanted] of [
      ['Statins (excluding rosuvastatin) for stroke prevention', 'Statins for stroke prevention'],
      ['Statins, excluding rosuvastatin, for stroke prevention', 'Statins, for stroke prevention'],
      ['Statins excluding rosuvastatin and atorvastatin for stroke prevention', 'Statins for stroke prevention'],
      ['Interventions other than surgery for back pain', 'Interventions for back pain'],
      ['Asthma but not COPD in children', 'Asthma in children'],
      ['RCTs of statins and exclude case reports.', 'RCTs of statins'],
      ['Treatments except surgery of carpal tunnel syndrome', 'Treatments of carpal tunnel syndrome'],
      ['Interventions other than drugs to prevent falls in older adults', 'Interventions to prevent falls in older adults'],
      ['Vaccines other than mRNA against COVID-19', 'Vaccines against COVID-19'],
      ['Factors other than age associated with dementia', 'Factors associated with dementia'],
      ['Renewable energy other than solar and wind at community level', 'Renewable energy at community level'],
      ['Insects excluding bees that pollinate orchards', 'Insects that pollinate orchards'],
      ['Catalysts excluding noble metals with high activity', 'Catalysts with high activity'],
      ['Sports injuries except concussion and their rehabilitation', 'Sports injuries and their rehabilitation'],
      ['Music therapy, except for children, and its effect on anxiety', 'Music therapy, and its effect on anxiety'],
      ['Vaccines, except mRNA, against COVID-19', 'Vaccines, against COVID-19'],
      // What follows describes what is left out.
      ['Trials of statins except studies in mice', 'Trials of statins'],
      ['Leprosy except history of medicine', 'Leprosy'],
      ['Trials except those that lack a placebo', 'Trials'],
      ['Zoonoses except rabies, anthrax and plague', 'Zoonoses'],
      ['Zoonoses, but not rabies, anthrax or plague', 'Zoonoses'],
      ['Batteries, but I’m not interested in lithium, only in sodium', 'Batteries, only in sodium'],
      ['Batteries other than lithium-ion, such as sodium-ion batteries', 'Batteries, such as sodium-ion batteries'],
      ['Batteries other than lithium-ion, e.g. sodium-ion batteries', 'Batteries, e.g. sodium-ion batteries'],
      ['Plant pathogens, excluding viruses, especially rust fungi', 'Plant pathogens, especially rust fungi'],
      ['Exercise, excluding elite sport, and heart health', 'Exercise, and heart health'],
      ['Metformin, but not insulin, reduces cancer risk', 'Metformin, reduces cancer risk'],
      ['Batteries excluding lithium and including sodium', 'Batteries and including sodium'],
      ['Cancer drugs, but not chemotherapy in children', 'Cancer drugs'],
      ['Trials of statins, excluding case reports, in vitro studies, and reviews', 'Trials of statins']
    ] as const) t.strictSame(wantedCriteria(text), [wanted], text)
  })

  t.test('stand under headings and in lists, as protocols of reviews write them', async t => {
    const wanted = ['Randomised trials of statins.', 'Adults']
    for (const text of [
      'Inclusion criteria: Randomised trials of statins. Adults\nExclusion criteria: animal studies; case reports. Reviews',
      'Inclusion criteria:\n- Randomised trials of statins.\n- Adults\n\nExclusion criteria:\n- animal studies\n- case reports',
      '## Inclusion criteria\n\n1. Randomised trials of statins.\n2) Adults\n\n' +
        '**Exclusion criteria:**\n\n(a) animal studies\n(b) case reports',
      'Excluded:\nanimal studies\ncase reports\n\nRandomised trials of statins.\nAdults',
      '- Randomised trials of statins.\n- Exclude animal studies\n- Adults'
    ]) t.strictSame(wantedCriteria(text), wanted, text)
    t.strictSame(wantedCriteria('Exclude: mice\n- rats\nSleep'), ['Sleep'], 'a list ends with a line that is none of its items')
    for (const text of [
      'Statins in adults.\n\nExclusion criteria:\n\nAnimal studies\nCase reports',
      'Statins in adults. Exclusion criteria: animal studies; case reports. Reviews',
      'Statins in adults. We exclude:\n- animal studies\n- reviews',
      'Statins in adults.\nExclude all of the following: animal studies; case reports.'
    ]) t.strictSame(wantedCriteria(text), ['Statins in adults.'], text)
    for (const text of [
      '- Statins\n- Exclude: animal studies\n- Adults',
      '- Statins\n- Exclude: animal studies,\n  case reports\n  - reviews\n- Adults',
      '- Statins\n- Exclude:\n  - animal studies\n  - reviews\n- Adults',
      '1. Inclusion criteria\n  - Statins\n2. Exclusion criteria\n  - animal studies\n3. Adults'
    ]) t.strictSame(wantedCriteria(text), ['Statins', 'Adults'], text)
    const afterList = 'Exclusion criteria:\n- in vitro studies\n\nE. coli in adults'
    t.strictSame(wantedCriteria(afterList), ['E. coli in adults'], 'a genus is no mark')
    t.strictSame(wantedCriteria('纳入标准：睡眠障碍。\n排除标准：动物实验；综述'), ['睡眠障碍。'])
    t.strictSame(wantedCriteria('Criteria for sepsis\nInclusion body myositis'), ['Criteria for sepsis', 'Inclusion body myositis'])
  })

  t.test('stand in lists that any words introduce', async t => {
    for (const introduction of [
      'We exclude:', 'Exclude the following:', 'Do not include:', 'Key exclusion criteria:', '**Exclusion criteria are:**',
      'We will exclude：', 'The following are excluded:', 'Papers that are not included:', 'Criteria for exclusion:',
      'I am not interested in:', 'Topics not of interest:', 'Without:', 'Key Exclusion Criteria', 'Exclusion criteria of this review',
      '主要排除标准：', '排除以下：'
    ]) {
      const text = `Statins\n${introduction}\n- animal studies\n- reviews\n\nWe include:\n- Adults`
      t.strictSame(wantedCriteria(text), ['Statins', 'Adults'], introduction)
    }
    for (const introduction of [
      'We include the following:', 'Key inclusion criteria:', 'I am interested in:', 'Inclusion and exclusion criteria:',
      'Eligibility criteria for both parts of the review:', 'Criteria'
    ]) t.strictSame(wantedCriteria(`Exclude:\n- mice\n${introduction}\n- Adults`), ['Adults'], introduction)
    t.strictSame(wantedCriteria('Statins in adults, except:\n- rosuvastatin'), ['Statins in adults'])
    const topics = [
      'Social exclusion:', 'Exclusion diets:', 'Exclusion criteria in trials of statins: a review',
      'Patients excluded from trials: a review', 'I am not sure whether statins help.', 'Do not exclude animal studies.'
    ]
    t.strictSame(wantedCriteria(topics.join('\n')), topics)
  })

  t.test('are what an exclusion of everything else keeps', async t => {
    for (const introduction of [
      'Exclude everything except:', 'We exclude all studies other than:', 'Exclude all papers, except those on:',
      'Do not include anything but:', 'Exclude everything except the following:', 'Please exclude everything apart from',
      'Exclude animal studies except:', 'Papers to exclude, except:'
    ]) {
      const list = introduction.endsWith(':') ? '\n- Statins\n- Adults' : ' Statins\n- Adults'
      t.strictSame(wantedCriteria(`${introduction}${list}\n\nExclude:\n- mice`), ['Statins', 'Adults'], introduction)
    }
    t.strictSame(wantedCriteria('Sleep. Exclude everything except studies in adults.'), ['Sleep.', 'studies in adults.'])
    t.strictSame(wantedCriteria('Sleep. Exclude reviews except systematic ones.'), ['Sleep.'], 'of what is unwanted')
    t.strictSame(wantedCriteria('Include everything except:\n- mice'), ['everything'])
  })

  t.test('are read one by one up to the three hundredth, far beyond what people write', async t => {
    for (const hostile of ['a\n', '. ', 'Not mice. ']) {
      const criteria = wantedCriteria(hostile.repeat(10_000 / hostile.length))
      t.ok(criteria.length <= 301, `${criteria.length} criteria`)
    }
    const last = wantedCriteria(`${'Sleep\n'.repeat(1200)}Memory`).at(-1)
    t.match(last, /^Sleep Sleep .* Memory$/, 'and nothing is lost')
  })

  t.test('are read in linear time', async t => {
    for (const hostile of [
      '* ', '\n', 'exclude:\n', ', except ', '- a. ', '(', 'we ', ' (except ', ' except a', ' except a of ', 'as except a at ', 'exclude: ',
      '- exclude:\n', 'not ', 'a NOT a (', 'a NOT a: ', 'a NOT ', 'AUTH NOT ', 'a, but not ', 'exclude everything except ',
      'exclude all papers studies ',
      `sleep${' '.repeat(9900)}in adults`, `sleep,${' '.repeat(9900)}in adults`
    ]) {
      await takesLess(t, 100, () => wantedCriteria(hostile.repeat(10_000 / hostile.length)), JSON.stringify(hostile))
    }
    for (const space of [' ', '\n', '\t', '\u2003', ' \n']) {
      const run = space.repeat(20_000 / space.length)
      for (const text of [run, `Sleep${run}in adults`, `Sleep, except${run}naps`, `Sleep (no${run}naps`]) {
        await takesLess(t, 20, () => readExceptions(text), JSON.stringify([text.replace(run, ''), space]))
      }
    }
    const read = readExceptions('Statins,  except \t rosuvastatin,\n  for   stroke')
    t.strictSame(read, readExceptions('Statins, except rosuvastatin,\nfor stroke'))
    const open = 'a NOT (\n'
    await takesLess(t, 200, () => withoutNegatedGroups(open.repeat(60_000 / open.length)), JSON.stringify(open))
  })
})

t.test('the topics of an interest', async t => {
  const topics = (interest_description: string) => topicsOf({ positive_keywords: [], interest_description })

  t.test('are those of what is wanted', async t => {
    t.strictSame(topics('We include randomised trials in adults. Exclude animal studies.'), ['randomised trials'])
    t.strictSame(topics('İnsan bağırsak mikrobiyomu'), ['i̇nsan bağırsak mikrobiyomu'])
    t.strictSame(topics('Gene editing of the retina, and base editors'), ['gene editing', 'retina', 'base editors'])
    t.strictSame(
      topics('Inclusion criteria: randomised trials of statins in older adults.\nExclusion criteria: animal studies, case reports.'),
      ['randomised trials', 'statins', 'older adults']
    )
  })

  t.test('are single words, too, unless many subjects have them', async t => {
    t.strictSame(topics('The effects of statins in older adults'), ['statins', 'older adults'])
    t.strictSame(topics('Treatment of patients'), ['treatment', 'patients'], 'or there is nothing else')
    t.strictSame(topics('Base editing, above all its delivery'), ['base editing'], 'or no noun can stand there')
  })

  t.test('are neither years nor words that introduce a subject', async t => {
    for (const [text, expected] of [
      ['Randomised trials of statins published from 2015 to 2024', ['randomised trials', 'statins']],
      ['Studying the effect of statins in older adults', ['statins', 'older adults']],
      ['Predicting how sarcomas respond', ['sarcomas respond']],
      ['Literature on statins', ['statins']],
      ['Looking at statins', ['statins']],
      ['Investigating statins', ['statins']],
      ['Everything about statins', ['statins']],
      ['Anything on sleep, mainly narcolepsy', ['sleep', 'narcolepsy']],
      ['Screening for sarcomas', ['screening', 'sarcomas']],
      ['Vaping among teenagers', ['vaping', 'teenagers']],
      ['Published in 2015', []],
      ['1918 influenza', ['1918 influenza']]
    ] as const) t.strictSame(topics(text), expected, text)
  })

  t.test('are what follows another word than "of", and names with "work" and "use"', async t => {
    for (const [text, expected] of [
      ['Depression after stroke', ['depression', 'stroke']],
      ['Statins before surgery', ['statins', 'surgery']],
      ['Return to work after stroke', ['return to work', 'stroke']],
      ['Early return to work', ['early return to work']],
      ['Substance use disorder', ['substance use disorder']],
      ['Cannabis use in adolescents', ['cannabis use', 'adolescents']],
      ['Shift work and sleep', ['shift work', 'sleep']],
      ['Work ability of nurses', ['work ability', 'nurses']],
      ['Recent work on narcolepsy', ['narcolepsy']],
      ['How does sleep work?', ['sleep work']],
      ['We use gene editing in sarcomas', ['gene editing', 'sarcomas']],
      ['How neurons use glucose', ['neurons', 'glucose']],
      ['Sarcomas without metastasis', ['sarcomas']],
      ['HIV and tuberculosis in children', ['hiv', 'tuberculosis']],
      ['Stroke detection without MRI', ['stroke detection']],
      ['AIM: sleep in shift workers', ['sleep', 'shift workers']]
    ] as const) t.strictSame(topics(text), expected, text)
  })

  t.test('are words of Chinese and Japanese, which no spaces separate', async t => {
    const found = topics('睡眠障碍对记忆巩固的影响。排除动物实验')
    t.ok(found.length > 1 && found.every(topic => topic.length <= 8 && !/[的对]|动物/.test(topic)), found.join(', '))
    t.strictSame(topics('肝细胞癌的靶向治疗与免疫检查点'), ['肝细胞癌', '靶向治疗', '免疫检查点'], 'also words of one character')
    for (const hostile of ['肝细胞癌', '肝 ', '肝\n', '的癌 ', 'ア', 'ア\n']) {
      await takesLess(t, 100, () => topics(hostile.repeat(10_000 / hostile.length)), hostile)
    }
    const { segment } = Intl.Segmenter.prototype
    const segmented = t.capture(Intl.Segmenter.prototype, 'segment', segment)
    const characters = Array.from({ length: 10_000 }, (_each, at) => String.fromCodePoint(0x4e00 + at))
    t.ok(topics(characters.join('')).length > 0)
    t.equal(topics(characters.join('，').slice(0, 10_000)).length, 12)
    const lengths = segmented().map(({ args: [text] }) => text.length)
    t.ok(Math.max(...lengths) <= 200 && lengths.length <= 10, `at most 1,000 characters of each: ${lengths.join(', ')}`)
    segmented.restore()
    t.strictSame(topics('肝细胞癌\n靶向治疗'), ['肝细胞癌', '靶向治疗'], 'in lines')
    t.notOk(topics('睡眠と記憶の研究について').some(topic => /[とのについて]/.test(topic)))
  })
})

t.test('labels of the sections of a protocol are no criteria, and neither is where it searches', async t => {
  const protocol = 'Title: Sleep in nurses\nBackground\nShifts are long.\nPrimary objective: To assess naps\n' +
    'Search strategy: PubMed, Embase.'
  t.strictSame(wantedCriteria(protocol), ['Sleep in nurses', 'Shifts are long.', 'To assess naps'])
  t.strictSame(wantedCriteria('Background radiation of cities'), ['Background radiation of cities'])
  t.strictSame(wantedCriteria('Background'), ['Background'])
})
