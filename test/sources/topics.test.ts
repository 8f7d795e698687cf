import t from 'tap'
import { sources } from '../../src/sources/index.js'
import { splitQuery } from '../../src/sources/requests/query-parts.js'
import { phrasesIn } from '../../src/sources/requests/topic-phrases.js'
import { findImbalance, topicsIn, topicsOf } from '../../src/sources/requests/topics.js'
import { takesLess } from '../support/event-loop.js'

/** Interests, and the phrases that sources are asked for. */
const interests: ReadonlyArray<readonly [interest: string, phrases: string]> = [
  // Sections of protocols
  [
    'Objective: efficacy of gene therapy in Leber congenital amaurosis. Methods: randomised trials.',
    'gene therapy | leber congenital amaurosis | randomised trials'
  ],
  [
    'Title: Mindfulness for nurses\nRationale: Burnout is common.\nAims: To assess and to evaluate opioids after surgery\n' +
      'Search strategy: PubMed, Embase.',
    'mindfulness | nurses | burnout | opioids | surgery'
  ],
  [
    'Exercise: a systematic review protocol\nBackground\nDementia is common.\nPopulation: adults aged 60 years\n' +
      'Intervention: dance classes',
    'exercise | dementia | dance classes'
  ],
  ['We aim to evaluate the effect of metformin on ageing.', 'metformin | ageing'],
  ['Cosmic microwave background and multi-objective optimization', 'cosmic microwave background | multi-objective optimization'],
  // Questions
  ['How does sleep deprivation affect memory consolidation?', 'sleep deprivation | memory consolidation'],
  ['How do central banks communicate monetary policy decisions?', 'central banks | monetary policy decisions'],
  ['Can large language models prove mathematical theorems?', 'large language models | mathematical theorems'],
  ['Does mindfulness training improve attention in school children?', 'mindfulness training | attention | school children'],
  ['Which genes regulate flowering time in Arabidopsis?', 'flowering time | arabidopsis'],
  ['What drives deforestation in the Amazon?', 'deforestation | amazon'],
  ['Why did the Roman Republic collapse?', 'roman republic'],
  ['What is the best treatment for chronic migraine?', 'chronic migraine'],
  ['Can we predict earthquakes with machine learning?', 'earthquakes | machine learning'],
  ['How does diet influence the mood of nurses?', 'diet influence mood | nurses'],
  ['How do plants respond to drought?', 'plants respond | drought'],
  ['Why do people migrate?', 'people migrate'],
  ['What factors influence adherence?', 'factors influence adherence'],
  ['What interventions improve outcomes in older adults?', 'interventions improve outcomes | older adults'],
  ['How do older adults perceive robots?', 'older adults perceive robots'],
  ['How does learned helplessness affect depression?', 'learned helplessness | depression'],
  ['Does HIV affect sleep?', 'hiv | sleep'],
  ['To what extent does the gut microbiome modulate obesity?', 'gut microbiome | obesity'],
  ['I am a PhD student looking for recent work on how soil microbes affect carbon storage in peatlands.',
    'soil microbes | carbon storage | peatlands'],
  ['The mechanisms by which amyloid beta causes neuronal death', 'amyloid beta | neuronal death'],
  // Names with words that are verbs elsewhere
  ['Negative affect in adolescents', 'negative affect | adolescents'],
  ['Peer influence on adolescent smoking', 'peer influence | adolescent smoking'],
  ['Can metformin prevent cancer?', 'metformin | cancer'],
  ['Does exercise prevent cognitive decline?', 'exercise | cognitive decline'],
  ['How does social influence in networks shape opinions?', 'social influence | networks | opinions'],
  ['What is the root cause of inflation?', 'root cause | inflation'],
  ['How root cause analysis reduces errors', 'root cause analysis'],
  ['Water use efficiency in maize', 'water use efficiency | maize'],
  ['Tobacco use cessation', 'tobacco use cessation'],
  ['Lower limb amputation', 'lower limb amputation'],
  ['Improving sleep quality in nurses', 'sleep quality | nurses'],
  ['Preventing falls in older adults', 'preventing falls | older adults'],
  // Marks
  ['metal–organic frameworks', 'metal-organic frameworks'],
  ['Bose−Einstein condensates in IL‐6–deficient mice, 2015–2024', 'bose-einstein condensates | il-6-deficient mice'],
  ['Randomised trials of exercise - not yoga - for low back pain', 'randomised trials | exercise | low back pain'],
  ['Only lupus', 'lupus'],
  ['Δ9-THC and K-12 education', 'δ9-thc | k-12 education'],
  // Long runs
  ['functional magnetic resonance imaging of pain', 'functional magnetic resonance | resonance imaging | pain'],
  ['type 2 diabetes mellitus', 'type 2 diabetes | diabetes mellitus'],
  ['vaccine effectiveness type 2 diabetes', 'vaccine effectiveness type | type 2 diabetes'],
  ['graph neural networks molecular property prediction', 'graph neural networks | molecular property prediction'],
  ['acute myeloid leukemia disease progression', 'acute myeloid leukemia | leukemia disease progression'],
  ['chronic kidney disease treatment outcomes', 'chronic kidney disease'],
  ['medieval manuscript illumination workshops Paris thirteenth century',
    'medieval manuscript illumination | workshops paris thirteenth | thirteenth century'],
  // Other languages
  ['Wie wirkt sich Luftverschmutzung auf die Gesundheit von Kindern aus?', 'luftverschmutzung'],
  ['Die Rolle der Darmflora bei Depressionen im Alter', 'darmflora | depressionen'],
  ["Effets de la pollution de l'air sur la santé des enfants", "pollution de l'air"],
  ['Diagnostic précoce du cancer du sein par intelligence artificielle', 'diagnostic précoce | cancer du sein | intelligence artificielle'],
  ['Réduction des émissions de carbone dans l’industrie du ciment', 'réduction des émissions de carbone | industrie du ciment'],
  ['¿Qué efectos tiene el ejercicio sobre la depresión?', 'ejercicio | depresión'],
  ['Cambio climático y salud pública en las ciudades', 'cambio climático | salud pública | ciudades'],
  ['Inteligencia artificial en la educación', 'inteligencia artificial | educación'],
  ["Effetti dell'inquinamento sulla salute dei bambini nelle città", 'inquinamento | città'],
  ['Aprendizagem profunda para a deteção de câncer de mama', 'aprendizagem profunda | deteção de câncer de mama'],
  ['De invloed van slaap op het geheugen van kinderen', 'slaap | geheugen'],
  ['Hur påverkar stress och sömn hjärtat hos äldre?', 'stress | sömn hjärtat | äldre'],
  ['Wpływ stresu na sen u pielęgniarek i lekarzy', 'stresu | pielęgniarek | lekarzy'],
  ['Влияние изменения климата на леса', 'изменения климата | леса'],
  ['Лес, который растет без воды', 'растет | воды'],
  ['Pengaruh polusi udara terhadap kesehatan anak di kota besar dan desa', 'polusi udara | kota besar | desa'],
  ['기후 변화가 농업에 미치는 영향', '기후 변화가 농업에'],
  ['التعلم العميق في التصوير الطبي', 'التعلم العميق | التصوير الطبي'],
  ['深度学习在医学影像中的应用', '深度学习 | 医学影像'],
  ['機械学習を用いた地震予測に関する研究', '機械学習 | 地震予測'],
  // Other fields
  ['Topological insulators, Majorana zero modes and quantum spin liquids in honeycomb lattice magnets',
    'topological insulators | majorana zero modes | quantum spin liquids | honeycomb lattice magnets'],
  ['Kernel methods and Gaussian processes for small data', 'kernel | gaussian processes | small data'],
  ["Shakespeare's sonnets and print culture", "shakespeare's sonnets | print culture"],
  ['housing prices migration labour markets', 'housing prices migration | labour markets'],
  ['What makes teachers leave the profession?', 'teachers leave | profession'],
  ['(depression OR anxiety) AND (exercise OR "physical activity") AND adolescents',
    'depression | anxiety | exercise | physical activity | adolescents'],
  ['De novo mutations in die casting', 'novo mutations | casting'],
  // Names
  ['El Niño and La Niña', 'el niño | la niña'],
  ['Al and Ni alloys', 'ni alloys'],
  ['Se and Te chalcogenides', 'te chalcogenides'],
  ['Die casting of Mg alloys', 'die casting | mg alloys'],
  ['Die Arbeit in Europa', 'arbeit | europa'],
  ['Contaminación en Los Angeles y la salud de los niños', 'contaminación | los angeles'],
  ['La Inteligencia Artificial En La Educación', 'inteligencia artificial | educación']
]

t.test('sources are asked for what an interest is about', async t => {
  for (const [interest_description, phrases] of interests) {
    t.equal(topicsOf({ positive_keywords: [], interest_description }).join(' | '), phrases, interest_description)
  }
})

t.test('every source gets a query within its limits, also of a long interest', async t => {
  const long = [interests.map(([interest]) => interest).join('\n'), interests.map(([interest]) => interest.replace(/[.?]/g, '')).join(' ')]
  for (const source of sources.filter(({ name }) => name !== 'feed')) {
    for (const interest_description of [...interests.map(([interest]) => interest), ...long]) {
      const interest = { positive_keywords: [], interest_description }
      const query = source.buildQuery(interest)
      t.equal(source.checkQuery(query), null, `${source.name}: ${query}`)
      if (/ OR |[()]/.test(query)) t.equal(findImbalance(query), null, query)
      else t.ok(topicsIn(query).length <= 12, query)
      t.ok(splitQuery(query).every(part => encodeURIComponent(part).length <= 4000), `${source.name}: ${query.length} characters`)
    }
  }
})

t.test('phrases of hostile text are found in linear time', async t => {
  for (const hostile of [
    'how a affect ', "l'a de ", 'a de la ', 'how sleep affects ', 'how diet affects the mood ', 'a b ', '- ', '–a', "l'", 'de la y el a '
  ]) {
    const interest_description = hostile.repeat(10_000 / hostile.length)
    await takesLess(t, 100, () => topicsOf({ positive_keywords: [], interest_description }), JSON.stringify(hostile))
  }
  for (const hostile of ['(b). ', '(b) ', 'a\n', ' \n']) {
    await takesLess(t, 100, () => phrasesIn(hostile.repeat(20_000 / hostile.length)), JSON.stringify(hostile))
  }
})
