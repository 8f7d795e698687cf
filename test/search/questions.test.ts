import t from 'tap'
import { parseQuery } from '../../src/search/query.js'

t.test('the words of a question that say nothing of its subject are left out', t => {
  for (const [question, terms] of [
    ['What is known about sumatriptan in acute migraine?', ['sumatriptan', 'in', 'acute', 'migraine']],
    ['How does sleep affect memory', ['sleep', 'affect', 'memory']],
    ['Is there any evidence on CRISPR?', ['evidence', 'on', 'crispr']],
    ['Please find me papers on gut microbiota', ['papers', 'on', 'gut', 'microbiota']],
    ['Can exercise prevent falls?', ['exercise', 'prevent', 'falls']],
    ['What is apoptosis?', ['apoptosis']]
  ] as const) t.strictSame(parseQuery(question), terms, question)
  t.end()
})

t.test('operators and names of fields are no words of a search', t => {
  for (const [query, terms] of [
    ['fluoxetine OR zinc', ['fluoxetine', 'zinc']],
    ['author:Lucki forced swim', ['lucki', 'forced', 'swim']],
    ['(sleep[tiab] AND memory[Title/Abstract]) NOT rats', ['sleep', 'memory', 'rats']],
    ['OR', ['or']],
    ['sleep and memory or dreams', ['sleep', 'and', 'memory', 'or', 'dreams']],
    ['title:"sleep" memory', ['sleep', 'memory']],
    ['Triangle mesh: simplification', ['triangle', 'mesh', 'simplification']],
    ['The author: a study', ['the', 'author', 'a', 'study']]
  ] as const) t.strictSame(parseQuery(query), terms, query)
  t.end()
})

t.test('titles, short names and plain words stay as they are', t => {
  for (const [query, terms] of [
    ['What is life?', ['what', 'is', 'life']],
    ['Who was who?', ['who', 'was']],
    ['WHO guidelines on hypertension', ['who', 'guidelines', 'on', 'hypertension']],
    ['it is known that the can opener', ['it', 'is', 'known', 'that', 'the', 'can', 'opener']],
    ['What do WHO guidelines say?', ['who', 'guidelines', 'say']],
    ['list learning in aphasia', ['list', 'learning', 'in', 'aphasia']]
  ] as const) t.strictSame(parseQuery(query), terms, query)
  t.end()
})
