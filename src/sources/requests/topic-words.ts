import { wordSet } from '../../input/word-set.js'

/* Words of descriptions that are no topics, or topics only beside others. */

/** Words that carry no topic: of English, and of languages that the number of stop words does not reveal. */
export const stopWords = wordSet(
  'a about above across after against all also although am among an and any anything are as assessing at based be because been before ' +
  'below best better between both but by can comparing could did do does doing during each effective especially etc evaluating every ' +
  'everything examining exploring find focusing for from further had has have how however i identifies identify identifying if in ' +
  'including interest interested into investigating is it its just know latest like looking made mainly make makes many may me methods ' +
  'might more most mostly much must my need new no not of often on only or other our over papers particularly per phd please postdoc ' +
  'postdoctoral primarily published recent related research researcher researchers results role searching several shall should since ' +
  'so some something studies study studying such than that the their them there these they this those through to towards under ' +
  'understand understanding use used uses using various very via want was we were what when where whether which while who whose why ' +
  'will with within without work would you your',
  '研究 论文 論文 方法 关于 關於 相关 相關 以及 基于 基於 通过 通過 进行 進行 中的 に関する に対する',
  '및 의 등 영향 미치는 대한 관한 위한 통한 따른 연구',
  'في من على إلى عن مع أو'
)

/** Those of English that are common in other languages, too: they tell none. */
export const sharedStopWords = wordSet('a am an as do had has in is me no on over so to was we')

/** Words of many subjects: a topic only beside others, or where a description has nothing else. */
export const broadWords = wordSet(
  'acceptability access adherence adults age aged aim aims analyses analysis animals application applications approach approaches ' +
  'articles aspects assess assessment association associations background based behavior behaviour benefits care cases causes ' +
  'cessation challenges change changes children cinahl clinical cochrane cohort cohorts comparator comparators compare comparison ' +
  'comparisons conditions control cost costs countries criteria data databases decisions describe design determinants development ' +
  'diagnosis differences disease diseases disorder disorders drugs effect effectiveness effects efficacy efficiency embase english ' +
  'errors evaluate evaluation evidence examine explore exposure factors features focus function functions groups guidelines health ' +
  'human humans impact implementation improvement individuals influence information intervention interventions introduction ' +
  'investigate knowledge language learning level levels life literature management mechanism mechanisms medicine medline men mice ' +
  'model models months mortality novel objective objectives older outcome outcomes participants pathways patient patients people ' +
  'performance persons population populations practice prediction prevalence prevention problems process processes properties protocol ' +
  'protocols psycinfo publications pubmed quality question questions rates rationale recommendations relationship reporting review ' +
  'reviews risk risks safety science scopus setting settings structure student students subjects survey surveys symptoms system ' +
  'systems tasks technique techniques technologies technology test tests theory therapies therapy time title tools topics treatment ' +
  'treatments trial trials types usa women world years young'
)

/** Headings of protocols and abstracts that are phrases. */
export const headings: ReadonlySet<string> = new Set([
  'data analysis', 'data collection', 'data extraction', 'data sources', 'data synthesis', 'eligibility criteria', 'information sources',
  'literature search', 'main objective', 'main outcome', 'main outcomes', 'outcome measures', 'primary objective', 'primary outcome',
  'primary outcomes', 'research question', 'research questions', 'review question', 'search strategy', 'secondary outcome',
  'secondary outcomes', 'statistical analysis', 'study design', 'study designs', 'study protocol', 'study selection', 'review protocol',
  'systematic review protocol'
])

/** Words of other languages that carry no topic, besides their articles, prepositions and the like; without marks. */
export const foreignStopWords = wordSet(
  'affecte affectent ameliore ameliorent effet effets impact influence role',
  'afecta afectan efecto efectos impacto influencia influye influyen tiene tienen',
  'auswirkung auswirkungen beeinflussen beeinflusst effekt effekte einfluss rolle wirken wirkt wirkung wirkungen',
  'effetti effetto impatto influenza ruolo efeito efeitos effecten invloed rol',
  'betydelse betydning effekten effekter effekterne paverkan paverkar pavirker roll wplyw rola vliv',
  'влияет влияние влияния роль etkileri etkisi dampak pengaruh peran'
)

/** Words of many subjects in other languages. */
export const foreignBroadWords = wordSet(
  'adultes analyse analyses developpement enfants etude etudes evaluation facteurs femmes hommes maladie maladies methode methodes ' +
  'patients personnes prise recherche risque risques sante traitement traitements',
  'adultos analisis desarrollo enfermedad enfermedades estudio estudios evaluacion factores hombres investigacion metodos mujeres ninas ' +
  'ninos pacientes papel personas riesgo salud tratamiento',
  'behandlung bewertung entwicklung erwachsene erwachsenen faktoren forschung frauen gesundheit kinder kindern krankheit krankheiten ' +
  'manner menschen methoden patienten risiko studie studien therapie',
  'adulti bambini donne fattori malattia malattie metodi pazienti persone ricerca rischio salute studi studio sviluppo trattamento ' +
  'uomini valutazione',
  'avaliacao criancas desenvolvimento doenca doencas estudo estudos fatores homens mulheres pesquisa pessoas risco saude tratamento',
  'behandeling gezondheid kinderen mannen mensen onderzoek ontwikkeling volwassenen vrouwen ziekte ziekten',
  'barn born forskning halsa helse kvinder kvinnor manniskor mennesker pasienter patienter sjukdom studier sundhed sygdom sykdom ' +
  'udvikling utveckling utvikling voksne vuxna',
  'badania badanie choroby doroslych dzieci leczenie pacjentow rozwoj ryzyko zdrowia zdrowie deti lecba pacientu riziko',
  'анализ детеи заболевания здоровье здоровья исследование исследования лечение методы оценка пациентов применение развитие риска',
  'cocuklarda hastalarda saglik tedavi tedavisi anak kesehatan pasien penelitian'
)

/** Words that a noun follows. After others, such as "its" or "not", a single word is no subject. */
export const leadingWords = wordSet(
  'a about across after against among an and assessing before between by can comparing could did do does during especially evaluating ' +
  'examining exploring for from how identify identifying in including into investigating mainly mostly of on only or particularly ' +
  'primarily since studying the through to towards under understanding use uses using via whether why with'
)
/** Words after a verb in -ing: "predicting the response" has another subject than "screening for cancer". */
export const objectStarts = wordSet('a an how if its our that the their these this those what when where whether which who why')

/** Words after which a clause may have a verb between its subject and its object: "how", "whether". */
export const questionWords = wordSet(
  'can could did do does how if may might must should that what when where whether which who why will would'
)
/** Words that a verb follows at once: "what drives", "to improve", "can we predict". */
export const subjectWords = wordSet('i it that they to we what which who you')

const verbs = (
  'accelerate affect alter assess boost cause communicate compare decrease delay describe determine disrupt drive encode enhance ' +
  'evaluate exacerbate examine explain explore facilitate hinder impact impair improve increase induce influence inhibit investigate ' +
  'limit lower mediate mitigate moderate modify modulate outperform perceive predict prevent promote protect prove reduce regulate ' +
  'replace reshape shape stimulate suppress trigger worsen'
).split(' ')
/** Verbs of questions that have an object. "Negative affect" and "root cause" are names, so what is around the word decides. */
export const transitiveVerbs = wordSet(...verbs, ...verbs.map(verb => `${verb}s`))
/** The same at the beginning of a clause: "improving". */
export const leadingVerbs = wordSet(...verbs.map(verb => `${verb.replace(/e$/, '')}ing`))
/** Words that end a name with a word that is a verb elsewhere: "root cause analysis". */
export const namedAfterVerbs = wordSet('analysis analyses')
/** Verbs of questions without an object. */
export const intransitiveVerbs = wordSet(
  'adapt arise behave collapse communicate decline decrease develop differ emerge evolve fail increase interact migrate occur persist ' +
  'respond spread survive vary'
)

/** Joins two nouns of a Romance language: "cancer du sein". */
export const linkingWords = wordSet("d' da das de degli dei del dell' della delle dello des di do dos du")
/** Follows these: "pollution de l'air". */
export const linkedArticles = wordSet("el l' la las le les lo los")
/** An article or a preposition without its vowel before a noun: "l'air", "dell'acqua". */
export const elided = /^(?:[cdjlmnst]|qu|(?:d|n|s)?all|dell|nell|sull|un)['’](?=\p{L})/u
