import t, { type Test } from 'tap'
import { wantedCriteria } from '../../../src/input/criteria/wanted-criteria.js'
import { topicsOf } from '../../../src/sources/requests/topics.js'
import { takesLess } from '../../support/event-loop.js'

/** A description, words of it that are wanted, and words that are not. */
type Row = readonly [description: string, wanted: string, unwanted: string]

const read = (description: string) => wantedCriteria(description).join('\n').toLowerCase()
const has = (text: string, word: string) => new RegExp(`(?<!\\p{L})${word}(?!\\p{L})`, 'u').test(text)

function check (t: Test, rows: readonly Row[]): void {
  for (const [description, wanted, unwanted] of rows) {
    const text = read(description)
    const topics = topicsOf({ positive_keywords: [], interest_description: description }).join('\n')
    const words = (list: string) => list.split(' ').filter(word => word !== '')
    t.strictSame(words(wanted).filter(word => !has(text, word)), [], `keeps what is wanted of ${JSON.stringify(description)}`)
    t.strictSame(words(unwanted).filter(word => has(text, word) || has(topics, word)), [], `leaves out of ${JSON.stringify(description)}`)
  }
}

t.test('descriptions by researchers', async t => {
  t.test('leave out what a sentence or line tells to avoid', async t => {
    check(t, [
      ['Behavioural therapy for insomnia.\nAvoid: pharmacological trials, animal work', 'insomnia', 'pharmacological animal'],
      ['Soil carbon sequestration. Avoid modelling papers.', 'carbon', 'modelling'],
      ['Perovskite solar cells, stability. Ignore: tandem cells; patents', 'perovskite stability', 'tandem patents'],
      ['Ignore conference abstracts. Graph neural networks for molecules', 'graph molecules', 'conference'],
      ['Gut microbiome and depression\nPlease ignore rodent studies.', 'microbiome depression', 'rodent'],
      ['Coral bleaching. Out of scope: aquaculture, freshwater fish.', 'coral', 'aquaculture freshwater'],
      ['Medieval trade routes. Not of interest: numismatics', 'medieval', 'numismatics'],
      ['Post-stroke aphasia rehabilitation\nNot relevant: paediatric populations', 'aphasia', 'paediatric'],
      ['Dark matter detection with liquid xenon. Skip reviews and proceedings.', 'xenon', 'reviews proceedings'],
      ['Skip: simulations\nStellar winds of massive stars', 'stellar', 'simulations'],
      ['Teacher burnout. Please leave out opinion pieces.', 'burnout', 'opinion'],
      ['Leave out anything on tobacco. Vaping in adolescents', 'vaping', 'tobacco'],
      ['Omit case reports. Endoscopic sinus surgery outcomes', 'endoscopic', 'case reports'],
      ['Battery recycling; omit: lead acid', 'battery', 'lead acid'],
      ['Please filter out preprints. Long COVID and fatigue', 'fatigue', 'preprints'],
      ['Please remove anything about blockchain. Supply chains of medicines', 'supply', 'blockchain'],
      ['Telemedicine in rural areas. Disregard editorials and letters.', 'telemedicine rural', 'editorials letters'],
      ['Could you please skip papers on mice? Human prion disease.', 'prion', 'mice'],
      ['Microplastics in drinking water. I would like to exclude marine studies.', 'microplastics', 'marine'],
      ['Microplastics in drinking water. I\'d rather not see marine studies. Don\'t show toxicology.', 'microplastics', 'toxicology'],
      ['Never show retracted papers. Ivermectin and onchocerciasis', 'ivermectin', 'retracted'],
      ['Ancient DNA of horses. Leave cattle studies out.', 'horses', 'cattle']
    ])
  })

  t.test('leave out what the reader is not interested in', async t => {
    check(t, [
      ['I study bumblebee navigation. I am not interested in honeybees.', 'bumblebee', 'honeybees'],
      ['I’m not really interested in therapy. Diagnosis of endometriosis by ultrasound', 'endometriosis', 'therapy'],
      ['Attention in infants. We have no interest in clinical samples.', 'attention', 'clinical'],
      ['Microfinance and women’s empowerment. I don’t care about crowdfunding.', 'microfinance', 'crowdfunding'],
      ['Urban heat islands. Nothing on indoor climate, please.', 'urban', 'indoor'],
      ['Urban heat islands. We do not need remote sensing methods', 'urban', 'remote'],
      ['Quantum error correction. No longer interested in annealing.', 'quantum', 'annealing'],
      ['Seagrass restoration. Genetics is out of scope.', 'seagrass', 'genetics'],
      ['Seagrass restoration. Aquarium experiments are not of interest to me.', 'seagrass', 'aquarium'],
      ['Lung transplantation in adults. Animal studies are excluded.', 'lung', 'animal'],
      ['Lung transplantation in adults\nAnimal studies: no\nReviews: exclude', 'lung adults', 'animal reviews'],
      ['Lung transplantation. Case reports should be ignored.', 'lung', 'reports'],
      ['Machine translation of Swahili, but I am not interested in speech.', 'swahili', 'speech'],
      ['Kidney stones, and please ignore veterinary papers', 'kidney', 'veterinary'],
      ['Coastal erosion. Pediatric asthma does not interest me. We’re not looking at rivers.', 'coastal', 'asthma rivers'],
      ['Coastal erosion. I would prefer not to see rivers. I am skipping lakes.', 'coastal', 'rivers lakes'],
      ['Coastal erosion. Studies from the Arctic should not be included.', 'coastal', 'arctic'],
      ['Coastal erosion. Stop showing river papers. With the exception of deltas.', 'coastal', 'river deltas'],
      ['This review excludes grey literature. Nurse staffing and mortality', 'staffing', 'grey']
    ])
  })

  t.test('leave out kinds of papers and participants after "no" and "without"', async t => {
    check(t, [
      ['Ketamine for depression. No animal studies.', 'ketamine', 'animal'],
      ['Ketamine for depression, no reviews', 'ketamine', 'reviews'],
      ['Ketamine for depression (no case reports)', 'ketamine', 'reports'],
      ['Ketamine for depression, no mice, no in vitro work, adults only', 'ketamine adults', 'mice vitro'],
      ['Ketamine for depression; no reviews, editorials, or letters', 'ketamine', 'reviews editorials letters'],
      ['Sepsis biomarkers without animal experiments.', 'sepsis', ''],
      ['Sepsis biomarkers, without animal experiments', 'sepsis', 'animal'],
      ['Sepsis biomarkers but no children', 'sepsis', 'children'],
      ['Wind turbine noise\nNo opinion pieces or editorials\nNo real estate', 'turbine', 'opinion editorials estate'],
      ['Ovarian ageing. No cancer. No IVF, please.', 'ovarian', 'cancer ivf'],
      ['- Exoplanet atmospheres\n- no instruments papers\n- no theory', 'exoplanet', 'instruments theory'],
      ['Crohn disease and diet. No preclinical or in vitro studies', 'crohn', 'preclinical vitro'],
      ['PLEASE NO REVIEWS. Lithium in drinking water', 'lithium', 'reviews'],
      ['Gait analysis with wearables. No robotics, no prosthetics, no VR.', 'gait', 'robotics prosthetics vr'],
      ['Gait analysis – no climate projections', 'gait', 'climate'],
      ['Family therapy for anorexia. No bulimia or binge eating.', 'anorexia', 'bulimia'],
      ['Antibiotic stewardship, no antivirals, hospitals', 'antibiotic hospitals', 'antivirals']
    ])
  })

  t.test('keep the subject of what they except', async t => {
    check(t, [
      ['I am interested in prevention of falls rather than treatment of fractures.', 'prevention falls', 'treatment'],
      ['Qualitative work on stigma instead of surveys', 'stigma', 'surveys'],
      ['Studies in humans rather than in animals on tinnitus', 'tinnitus', 'animals'],
      ['Batteries other than lithium for grid storage', 'batteries grid', 'lithium'],
      ['I want everything on leprosy apart from history', 'leprosy', ''],
      ['Anything but reviews. Leprosy in Brazil', 'leprosy', 'reviews'],
      ['Apart from reviews, I want papers on leprosy', 'leprosy', 'reviews'],
      ['Excluding case reports, we follow trials of leprosy', 'leprosy', 'case'],
      ['Zoonoses with the exception of rabies', 'zoonoses', 'rabies'],
      ['Papers on sepsis, not on shock', 'sepsis', 'shock'],
      ['Neonatal, not adult, sepsis', 'neonatal sepsis', 'adult'],
      ['Neonatal sepsis (not adults)', 'neonatal', 'adults'],
      ['Not mice but macaques in studies of working memory.', 'macaques memory', 'mice'],
      ['Working memory. I am not interested in mice but in macaques.', 'memory macaques', 'mice'],
      ['No reviews, only trials of psilocybin', 'trials psilocybin', 'reviews'],
      ['(statin* OR "HMG CoA") AND stroke NOT (mice OR rats)', 'statin stroke', 'mice rats'],
      ['Prevention rather than treatment of diabetic foot', 'prevention foot', 'treatment'],
      ['I am looking for talking therapies as opposed to drugs for panic', 'talking panic', 'drugs'],
      ['Stroke units. NOT rehabilitation', 'stroke', 'rehabilitation'],
      ['Migraine AND triptans NOT children', 'migraine triptans', 'children'],
      ['BRAIN TUMOR NOT MICE', 'brain tumor', 'mice'],
      ['THYROID GLAND NOT (MICE OR RATS)', 'thyroid gland', 'mice rats']
    ])
  })

  t.test('leave out parts after dashes, adverbs, participles and commands', async t => {
    check(t, [
      ['Peatland fires - not smoke plumes', 'peatland fires', 'smoke plumes'],
      ['Peatland fires -- no modelling studies', 'peatland', 'modelling'],
      ['Peatland fires / no reviews', 'peatland', 'reviews'],
      ['Peatland fires - no reviews - in Indonesia', 'peatland indonesia', 'reviews'],
      ['Opera in Vienna, definitely not ballet', 'opera vienna', 'ballet'],
      ['Opera in Vienna, certainly no reviews', 'opera', 'reviews'],
      ['Opera in Vienna, preferably not in English', 'opera', 'english'],
      ['Opera in Vienna. Rather not ballet. Especially not operetta.', 'opera', 'ballet operetta'],
      ['Opera in Vienna, not: ballet', 'opera', 'ballet'],
      ['Opera in Vienna, though not ballet', 'opera', 'ballet'],
      ['Opera in Vienna, ideally without interviews', 'opera', 'interviews'],
      ['Prime numbers, never surveys', 'prime', 'surveys'],
      ['Galaxy mergers, minus simulations', 'galaxy', 'simulations'],
      ['Galaxy mergers, ignoring dwarf galaxies', 'mergers', 'dwarf'],
      ['Galaxy mergers, leaving out quasars', 'mergers', 'quasars'],
      ['Galaxy mergers, apart from quasars', 'mergers', 'quasars'],
      ['Galaxy mergers apart from simulations', 'mergers', 'simulations'],
      ['Galaxy mergers, skipping theory', 'mergers', 'theory'],
      ['Galaxy mergers, save for reviews', 'mergers', 'reviews'],
      ['Galaxy mergers, to the exclusion of quasars', 'mergers', 'quasars'],
      ['Galaxy mergers, but skip quasars', 'mergers', 'quasars'],
      ['Galaxy mergers, nothing with quasars', 'mergers', 'quasars'],
      ['Microbiome (human gut only, no soil)', 'microbiome human gut only', 'soil'],
      ['Microbiome (no dental plaque, no reviews)', 'microbiome', 'dental reviews'],
      ['Microbiome (animal models not needed)', 'microbiome', 'animal'],
      ['Microbiome (excl soil) of miners', 'microbiome miners', 'soil'],
      ['Wheat rust. You can ignore barley. Feel free to skip reviews.', 'wheat', 'barley reviews'],
      ['Wheat rust. Don’t bother with barley.', 'wheat', 'barley'],
      ['Wheat rust. Please filter reviews. Keep animals out of it.', 'wheat', 'reviews animals'],
      ['Wheat rust. Animals: no thanks', 'wheat', 'animals'],
      ['Minus: barley\nWheat rust', 'wheat', 'barley'],
      ['Wheat rust -"powdery mildew" -reviews', 'wheat', 'powdery reviews']
    ])
  })

  t.test('leave out what sentences in other languages do', async t => {
    for (const [description, wanted] of [
      ['Schlafstörungen, keine Tierstudien', 'Schlafstörungen'],
      ['Schlafstörungen, aber nicht bei Kindern', 'Schlafstörungen'],
      ['Schlafstörungen. Keine systematischen Übersichtsarbeiten.', 'Schlafstörungen.'],
      ['Slaapstoornissen. Geen dierstudies', 'Slaapstoornissen.'],
      ['Schlafstörungen außer Narkolepsie', 'Schlafstörungen'],
      ['Schlafstörungen (ohne Kinder)', 'Schlafstörungen'],
      ['Schlafstörungen. Keine Kinder. Ausgeschlossen: Tiere', 'Schlafstörungen.'],
      ['Troubles du sommeil, mais pas chez les enfants, en France', 'Troubles du sommeil, en France'],
      ['Troubles du sommeil sauf la narcolepsie', 'Troubles du sommeil'],
      ['Troubles du sommeil, hors narcolepsie', 'Troubles du sommeil'],
      ['Troubles du sommeil. Pas d’enfants.\nExclure : souris', 'Troubles du sommeil.'],
      ['Trastornos del sueño, pero no en niños', 'Trastornos del sueño'],
      ['Trastornos del sueño salvo niños', 'Trastornos del sueño'],
      ['Disturbi del sonno, esclusi i bambini', 'Disturbi del sonno'],
      ['Distúrbios do sono, exceto crianças', 'Distúrbios do sono'],
      ['Slaapstoornissen, geen kinderen', 'Slaapstoornissen'],
      ['Sömnstörningar, men inte hos barn', 'Sömnstörningar'],
      ['Нарушения сна, кроме детей', 'Нарушения сна'],
      ['Нарушения сна, но не у детей', 'Нарушения сна'],
      ['睡眠障碍，不包括儿童', '睡眠障碍'],
      ['睡眠障碍（不要综述）', '睡眠障碍'],
      ['睡眠障碍，除儿童外', '睡眠障碍'],
      ['睡眠障害、子どもを除く', '睡眠障害'],
      ['睡眠障害（子どもは除外）', '睡眠障害'],
      ['수면 장애, 아동은 제외', '수면 장애']
    ] as const) t.strictSame(wantedCriteria(description), [wanted], description)
  })

  t.test('leave out lists under headings', async t => {
    for (const heading of [
      'Exclusion criteria', 'Excluded', 'Exclusions', 'Out of scope', 'Out-of-scope topics', 'Not of interest', 'Not relevant',
      'Not interested in', 'Avoid', 'Topics to avoid', 'Ignore', 'Papers to skip', 'Things I don’t want to see', 'What to exclude',
      'Unwanted', 'Irrelevant', 'Off-topic'
    ]) {
      check(t, [
        [`# Interest\n\n- Peatland fires\n- Smoke\n\n## ${heading}\n\n- boreal forestry\n- prescribed burning\n\n## Also wanted\n\nCarbon loss`,
          'peatland smoke carbon', 'boreal forestry prescribed'],
        [`## ${heading}\n- boreal forestry\n## Scope\n- Peatland fires`, 'peatland', 'boreal'],
        [`Peatland fires\n\n**${heading}:**\n* boreal forestry\n* prescribed burning\nSmoke exposure`, 'peatland smoke', 'boreal prescribed'],
        [`Peatland fires\n${heading}:\n- boreal forestry`, 'peatland', 'boreal']
      ])
    }
    check(t, [
      [
        '# Stroke care\n## Out of scope\n### Populations\n- children\n### Designs\n- reviews\n## In scope\n- thrombectomy',
        'thrombectomy', 'children reviews'
      ],
      [
        '# Stroke care\n\n## Not relevant\n\nPaediatrics.\n\nAnimal models.\n\n## Relevant\n\nThrombectomy',
        'thrombectomy', 'paediatrics animal'
      ],
      ['Thrombectomy\n\nNo:\n- children\n- reviews', 'thrombectomy', 'children reviews']
    ])
  })

  t.test('leave out what protocols of reviews exclude', async t => {
    check(t, [
      ['Statins and stroke. Studies will be excluded if they are reviews, case reports or animal work.', 'stroke', 'reviews case animal'],
      ['Statins and stroke. Studies were excluded if they were reviews or case reports.', 'stroke', 'reviews case'],
      ['Statins and stroke. Papers that are about robots should be avoided.', 'stroke', 'robots'],
      ['Statins and stroke. I try to avoid modelling papers.', 'stroke', 'modelling'],
      ['Statins and stroke. Articles will be excluded when the full text is unavailable.', 'stroke', 'text'],
      ['Statins and stroke. Reviews are excluded unless they are systematic.', 'stroke', 'reviews'],
      ['Statins and stroke. Papers that use animal models should be excluded.', 'stroke', 'animal models'],
      ['Statins and stroke. Studies in which animals were used will be excluded.', 'stroke', 'animals'],
      ['Statins and stroke. Studies whose full text is unavailable will be excluded.', 'stroke', 'text'],
      ['Statins and stroke. Patients who received chemotherapy will be excluded.', 'stroke', 'chemotherapy'],
      ['Statins and stroke. Patients who are pregnant are excluded.', 'stroke', 'pregnant'],
      ['Statins and stroke. Articles not in English will be excluded.', 'stroke', 'articles english'],
      [
        'Statins and stroke. Articles published before 2000, case reports, editorials, letters, conference abstracts, narrative reviews, ' +
          'study protocols, commentaries and opinion pieces will be excluded.', 'stroke', 'case editorials letters narrative opinion'
      ],
      ['Statins and stroke.\nExclusion criteria include: animal studies, case reports.', 'stroke', 'animal case'],
      ['Statins and stroke.\nExclusion criteria include animal studies and case reports.', 'stroke', 'animal case'],
      ['Statins and stroke.\nThe exclusion criteria are animal studies and case reports.', 'stroke', 'animal case'],
      ['Statins and stroke.\nOur exclusion criteria are pregnancy and dementia.', 'stroke', 'pregnancy dementia'],
      ['Statins and stroke. Case reports and in vitro studies were excluded.', 'stroke', 'case vitro'],
      ['Statins and stroke. I want to avoid deep learning.', 'stroke', 'deep learning'],
      ['We study sleep in adults, and children are excluded.', 'sleep adults', 'children'],
      ['Statins and stroke. I think reviews, letters and comments should be excluded.', 'stroke', 'reviews letters'],
      ['Statins and stroke. Not long COVID.', 'stroke', 'covid'],
      ['Population: adults with type 2 diabetes, pregnant women excluded.', 'diabetes', 'pregnant'],
      [
        'Randomised trials of statins for secondary prevention in adults with a previous ischaemic stroke, with recurrent stroke, ' +
          'disability or mortality as the outcome after at least one year, animal studies are excluded.', 'statins disability', 'review'
      ],
      ['We study sleep in adults but children are excluded.', 'sleep adults', 'review'],
      ['Exclusion criteria were pregnancy, dementia and prior stroke.\nStatins for epilepsy', 'epilepsy', 'pregnancy dementia'],
      ['Statins.\nThe following study designs will be excluded: case reports, editorials and letters.', 'statins', 'case editorials'],
      ['Statins.\nConference abstracts will be excluded due to insufficient detail.', 'statins', 'conference'],
      ['Statins.\nReviews will be excluded, but their references will be screened.', 'statins', 'reviews'],
      ['Statins.\nStudies in animals were excluded. Studies published before 2000 were excluded.', 'statins', 'animals 2000'],
      ['Statins.\nArticles without full text will be excluded.', 'statins', 'text'],
      ['Statins.\nReviews, editorials, and studies without a control group will be excluded.', 'statins', 'reviews editorials'],
      ['Statins.\nTrials without randomization and case reports are excluded.', 'statins', 'case reports'],
      ['Base editing. Surgery, radiotherapy, animal studies are out of scope.', 'editing', 'surgery radiotherapy animal']
    ])
  })

  t.test('keep sentences about those who are excluded, and what studies must have', async t => {
    for (const sentence of [
      'Patients who were excluded from trials.', 'Patients who are excluded.', 'Patients who feel excluded.',
      'Patients whose pain is ignored.', 'Children who are socially excluded.', 'Children who have disabilities are excluded.',
      'Children who are bullied and are ignored.', 'Pupils who fear they will be excluded.',
      'Studies of children that are often excluded.',
      'Studies in which pregnant women are excluded.', 'Trials where older adults are excluded.',
      'Trials in which women who are pregnant are excluded.', 'Papers that argue women should be excluded.',
      'Papers that argue that women should be excluded.', 'Studies that show older adults are excluded.',
      'Why women are excluded if pregnant.', 'Women are excluded when they are pregnant.',
      'Women were excluded if pregnant.', 'Reviews that explain why trials are excluded.',
      'Adults with pain that will be ignored.', 'Negative trials are ignored when guidelines are written.',
      'Papers by women were excluded.',
      'Studies will be excluded unless they report mortality.', 'Studies will be excluded if they do not report mortality.',
      'Studies that do not report mortality will be excluded.', 'Exclusion criteria are often poorly reported in trials.',
      'Exclusion criteria often include frailty.', 'Patients without heart failure will be excluded.',
      'Trials lacking a placebo arm are excluded.',
      'Not long after surgery.',
      'Exclusion criteria are a barrier to diversity.', 'Exclusion criteria are heterogeneous and poorly justified.',
      'Not much is known about glymphatic clearance in humans.',
      'Not many studies have examined dreams.', 'Not enough is known about dreams.', 'Not everyone responds to statins.'
    ]) t.strictSame(wantedCriteria(`Sleep.\n${sentence}`), ['Sleep.', sentence], sentence)
  })

  t.test('keep negations and words of subjects', async t => {
    const subjects = [
      'No-reflow phenomenon after primary PCI.', 'Non-small cell lung cancer.', 'Dental surgery without anesthesia in history.',
      'Patients not responding to SSRIs.', 'Effects of No Child Left Behind on reading.', 'No Child Left Behind.',
      'Nonavoidant attachment.', 'Avoidance learning in zebrafish.', 'Avoidant restrictive food intake disorder.',
      'Skip connections in residual networks.', 'Skip lesions in Crohn disease.', 'Skip-gram embeddings.',
      'Omitted variable bias and ignored variables.', 'Ignored variables in surveys.', 'Out-of-scope detection in dialogue systems.',
      'Avoiding readmissions in heart failure.', 'How to avoid falls in older adults.', 'NO donors in pulmonary hypertension.',
      'NO signalling in plants.', 'No free lunch theorems for optimization.', 'No-cloning theorem.',
      'No observed adverse effect levels of pesticides.', 'No till agriculture and soil carbon.', 'No net loss of biodiversity.',
      'No show appointments.', 'No fly zones for drones.', 'No man’s land in plant ecology.', 'Drop impact studies on hot surfaces.',
      'Drop foot after stroke.', 'Neglect after right hemisphere stroke.', 'Hide and seek behaviour of parasites.',
      'Rejection of kidney transplants.', 'Excluded volume effects in polymers.', 'Social exclusion of migrants.',
      'Why migrants are excluded from housing.', 'How women were ignored in trials.', 'Older adults are excluded from most trials.',
      'In most trials, pregnant women are excluded.', 'Exclusive breastfeeding.',
      'No studies have compared laparoscopy with robotics in children.', 'Drug development without animal experiments.',
      'Missing data not at random.', 'Sepsis, not otherwise specified, in emergency care.', 'Depression not treated with drugs.',
      'Not in my backyard attitudes to wind farms.', 'Not-for-profit hospitals.',
      'Why patients choose surgery rather than radiotherapy.', 'AND, OR and NOT gates of DNA.', 'Nothing but net.',
      'Infections without fever in infants.', 'Women without access to contraception.', 'Leave-one-out cross-validation.',
      'Remove before flight tags.', 'Rule out pulmonary embolism with D-dimer.', 'Never smokers with lung cancer.',
      'Disregard for human rights in detention.', 'Filter feeding in baleen whales.', 'Children not vaccinated against measles.',
      'Life without parole.', 'Intention not to vaccinate.', 'Irrelevant speech effect.', 'Scope of practice of nurses.',
      'Pain is a cause and not a consequence of poor sleep.', 'Women’s pain, not men’s, is rated lower.',
      'Glargine instead of NPH insulin in type 1 diabetes.', 'Ignored patients in dermatology.',
      'Remove all heavy metals from waste water.', 'Programmes to avoid readmissions.', 'Five rats were excluded.',
      'Rats whose thyroid was removed.', 'Fever but no rash in adults.', 'I don’t want to miss papers on prime editing in the retina.',
      'We do not want to exclude animal studies.', 'Biomarkers including but not limited to troponin, BNP and CRP in heart failure.',
      'Falls, particularly but not only in older adults.',
      'Biomarkers, including, but not limited to, troponin.', 'Employment of women with and without children.',
      'Nothing by mouth before surgery.', 'The not-in-my-backyard effect.', 'Logic circuits: AND, OR, NOT gates.',
      'Elderly people living alone, without children, and loneliness.', 'Type 2 diabetes, not on insulin.',
      'Stroke survivors, not able to return to work.', 'Why do trials exclude women?',
      'Women who are excluded from trials.', 'RNA viruses, minus strand, in bats.', 'Couples living apart from each other.',
      'Diet quality, skipping breakfast and obesity.',
      'ResNets, skip connections and attention.', 'Virtue, sin and redemption.', 'XRD, SEM, TEM.', 'Sans-serif fonts and reading.',
      'A salvo combat model of missiles.', 'Students who save for college, save for retirement.', 'Sleep - wake cycles.', 'Filter bubbles.',
      'Filter methods for feature selection.', 'Pre- and post-natal care.', 'Dose -response curves.', 'Spin -orbit coupling.',
      'Aspect-based sentiment analysis - a survey.', 'Body fat minus lean mass.', 'Never events in surgery.', 'Input/output models.',
      'Keine Armut.', 'Kein Hunger.', 'Keine Armut bei Kindern.', 'Pas de pauvreté.', 'Geen honger.',
      'Patienten ohne Diabetes.', 'Nicht invasive Beatmung bei COPD.', 'Schlaf, nicht nur bei Kindern.', 'Verpflegung außer Haus.',
      'Ausschluss von Frauen aus Studien.', 'Personnes âgées sans domicile fixe.', 'Stéatose hépatique, non alcoolique.',
      'Prescriptions hors AMM en pédiatrie.', 'Sueño, no solo en niños.', 'Pacientes sin diabetes.',
      'Jóvenes excluidos del mercado laboral.',
      'Malattia di Alzheimer, non solo anziani.', 'Пациенты без диабета.', 'Сон, не только у детей.',
      '除草剂对外来物种的影响', '清除自由基，抗氧化',
      '外科手術後の除細動', '제외국민 연구'
    ]
    for (const subject of subjects) t.strictSame(wantedCriteria(`Sleep.\n${subject}`).join(' '), `Sleep. ${subject}`, subject)
  })

  t.test('are read in linear time', async t => {
    for (const hostile of [
      'avoid ', 'please ', 'please,', 'and please ', 'no ', 'no a, ', ', no a', ', not a', ' (no ', 'no reviews, ', ', or a',
      'rather than ', ' rather than a', 'and not a ', 'NOT (', ' NOT a', '"a" NOT "', 'everything but ', 'all papers but ', 'but i am ',
      ', we ', 'i would like to ', 'not really ', 'not mice but ', ' is ', 'is out of ', 'excluded ', 'ignored:', '## avoid\n', '# a\n',
      'studies that ', 'studies that a are excluded. ', 'studies will be excluded if ', 'reviews are excluded unless a. ',
      'exclusion criteria include ', 'reviews, ', 'a b c d[', '"a"[filter', ' AND a', '“a” NOT ', ' with and without', 'a, ',
      'reviews will be excluded ', ' were excluded', 'studies not in ', 'not much ',
      '**a**\n', 'no a\n', 'a – ', 'papers to ', 'what i ', 'in vitro ', 'a/', `please${' '.repeat(9900)}avoid`,
      ' - ', ' - not a', ' -"a', ', but skip ', 'definitely ', ', keine ', 'keine ',
      ' außer a', ' sauf ', 'a, pas de ', 'кроме а ', '，不包括', '，除',
      '、を', '、a제외 ', '（', ' apart from', ', but not a', ' except a, such as b', ', except a, and b', `no${' '.repeat(9900)}mice`, `睡眠，${'除'.repeat(9900)}`, `sleep außer${' '.repeat(9900)}x`, `sleep, no reviews, ${'–'.repeat(9900)}x`
    ]) {
      await takesLess(t, 100, () => wantedCriteria(hostile.repeat(10_000 / hostile.length)), JSON.stringify(hostile.slice(0, 40)))
    }
  })
})
