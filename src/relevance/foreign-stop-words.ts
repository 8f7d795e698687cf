export { stopWordsOfLanguage } from '../search/foreign-stop-words.js'
