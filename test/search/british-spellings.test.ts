import t from 'tap'
import { otherSpellings } from '../../src/search/british-spellings.js'
import { porterStem } from '../../src/search/stem.js'

t.test('British and American spellings find each other and have one stem', async t => {
  for (const [british, american] of [
    ['tumour', 'tumor'], ['behavioural', 'behavioral'], ['labour', 'labor'], ['haemoglobin', 'hemoglobin'], ['anaemia', 'anemia'],
    ['leukaemic', 'leukemic'], ['paediatric', 'pediatric'], ['oedema', 'edema'], ['oesophageal', 'esophageal'], ['oestrogen', 'estrogen'],
    ['foetal', 'fetal'], ['diarrhoea', 'diarrhea'], ['dyspnoea', 'dyspnea'], ['randomised', 'randomized'], ['optimisation', 'optimization'],
    ['catalysed', 'catalyzed'], ['fibre', 'fiber'], ['centres', 'centers'], ['sulphate', 'sulfate'], ['modelling', 'modeling'],
    ['haem', 'heme'], ['humour', 'humor'], ['gastrooesophageal', 'gastroesophageal'], ['transoesophageal', 'transesophageal'],
    ['orthopaedics', 'orthopedics'], ['ageing', 'aging'], ['programme', 'program'], ['anaesthesia', 'anesthesia'], ['aetiology', 'etiology']
  ] as const) {
    t.strictSame([otherSpellings(british), otherSpellings(american)], [[american], [british]], british)
    t.equal(porterStem(british), porterStem(american), british)
  }
})

t.test('words that only look British or American stay as they are', async t => {
  for (const word of [
    'laboratory', 'colorectal', 'four', 'hour', 'exercise', 'promise', 'rise', 'precise', 'analyses', 'parameter', 'academic', 'pandemic',
    'systemic', 'hemisphere', 'chemotherapy', 'mathematics', 'phaeochromocytoma', 'aerobic', 'doctor', 'sensor', 'pedigree', 'paging',
    'controlled', 'selling', 'excellent', 'their', 'hemp', 'poem', 'coefficient', 'michael',
    'humoral', 'angioedema', 'pedicle', 'pediculosis'
  ]) t.strictSame(otherSpellings(word), [], word)
})
