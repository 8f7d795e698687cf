import { fold } from './tokenizer.js'

/** Articles, prepositions, conjunctions, pronouns and auxiliaries, folded as in the index: without the marks of Latin letters. */
const byLanguage = {
  Czech: 'a i k o s u v z aby ale ani bez by byl byla bylo byly co do jak jako je jeho jejich jen jeste jsem jsou kde kdyz ke ktera ' +
    'ktere kteri ktery ma me mezi mi na nad ne nebo nez od po pod podle pred pri pro protoze se si so svych ta tak take tato te ten ' +
    'tento to tu uz ve vsak za ze',
  Dutch: 'aan al als bij dan dat de den der deze die dit door dus een en er ge geen haar had heb heeft het hij hoe hun ik in is je kan ' +
    'kunnen met mijn na naar niet of om omdat onder ons ook op over per te tegen toe tot tussen uit van veel voor waar wanneer was wat ' +
    'we welke werd wij worden wordt ze zich zij zijn zo zoals zou',
  French: 'a ainsi apres au aupres aussi autre aux avec avoir ce ces cet cette chez comme comment contre dans de depuis des dont du elle ' +
    'elles en entre est et etre eux il ils je la le les leur leurs lors lorsque mais meme nos notre nous on ont ou par pas pendant plus ' +
    'pour quand que quel quelle quelles quels qui sa sans se selon ses si son sont sous sur tous tout toute toutes tres un une vers vos ' +
    'votre vous',
  German: 'aber alle allem allen aller als am an auch auf aus bei beim bis da dabei dadurch damit dann das dass dem den denen der deren ' +
    'des dessen die dies diese diesem diesen dieser dieses doch durch ein eine einem einen einer eines er es etwa fur gegen haben hat ' +
    'ihre ihren im in ins insbesondere ist ja je jede jeder kann konnen man mehr mit nach nicht noch nur ob oder ohne sehr sein seine ' +
    'sich sie sind so sowie uber um und uns unser unsere unter vom von vor wahrend war was wegen weil welche welchen welcher wenn werden ' +
    'wie wir wird wo wurde wurden zu zum zur zwischen',
  Indonesian: 'ada adalah akan antara atas atau bagi bahwa dalam dan dapat dari dengan di hal hanya ini itu juga kami karena ke kita ' +
    'lebih oleh pada para saat sampai sebagai secara sedang sejak seperti serta setelah suatu tentang terhadap tidak untuk yaitu yang',
  Italian: 'a e i o agli ai al alla alle allo anche che chi ci come con contro cosi cui da dagli dai dal dalla dalle degli dei del dell ' +
    'della delle dello di dopo dove durante ed fra gli ha hanno il in io la le lo loro ma mediante mentre ne nei nel nell nella nelle ' +
    'nello noi non nostra nostro ogni per perche piu presso puo quale quali quando quella quello questa queste questi questo se secondo ' +
    'senza si sia sono su sul sulla sulle sullo suo tra tramite un una uno verso',
  Polish: 'a i o u w z aby albo ale bez byc byl byla bylo czy dla do gdy ich im ja jak jako jego jej jesli jest juz kiedy ktora ktore ' +
    'ktory ktorych lub ma mi miedzy na nad nie niz od oraz po pod poprzez przed przez przy sa si sie sobie ta tak takze tego tej ten to ' +
    'tych tylko we wraz wsrod za ze zeby',
  Portuguese: 'a e o ao aos apos as ate com como contra da das de dela dele desde do dos durante ela elas ele eles em entre era essa ' +
    'esse esta este eu foi foram ha isso isto ja lhe mais mas me mesmo meu na nao nas nem no nos nossa nosso num numa os ou para pela ' +
    'pelas pelo pelos por porque quais qual quando que quem sao se sem ser seu seus sob sobre sua suas tambem tem um uma',
  Russian: 'а в и к о с у без более бы был была были было быть в вместе во все вы где для до его ее если есть за из или им их как когда ' +
    'которая которого которой которые который которых ли между мы на над не него нет ни но об от по под после при про с со так также то ' +
    'только том у уже что чтобы эта эти это этого',
  Scandinavian: 'a i af alle alt at av da de dei deira dem den denne der deres det dette dig din eller en er et ett for fra fran han har ' +
    'hos hun hur hva hvad hvilke hvilken hvor hvordan icke ikke inte jag jeg kan man med mellan mellem mellom mens mod mot nar ned noe ' +
    'och ocksa og ogsa om over pa samt sedan ses sig sin skal som til till under ut var vara ved vi vid vil ville',
  Spanish: 'a e o u y al algo ante antes aquel asi aunque como con contra cual cuales cuando de del desde donde dos durante el ella ' +
    'ellas ellos en entre era es esa ese esta estas este estos fue fueron ha hacia han hasta la las le les lo los mas mediante mi ' +
    'mientras muy ni no nos nosotros nuestra nuestro para pero por porque que quien se segun ser si sin sobre son su sus tambien tanto ' +
    'tras un una unas uno unos',
  Turkish: 'ama ancak ayrica bir bu buna bunun cok da daha de degil diye en gibi gore hem her icin ile ise kadar ki mi nasil ne neden ' +
    'olan olarak oldugu olup onun sonra tum uzere uzerindeki uzerine ve veya ya yani'
}

const languages: ReadonlyArray<ReadonlySet<string>> = Object.values(byLanguage).map(words => new Set(words.split(' ').map(fold)))
/** Different stop words that tell a language. */
const minStopWords = 2

/**
 * The stop words of the language, other than English, that a text has most of; none if it has too few of each.
 * @param words of the text
 * @param minimum different ones that tell the language
 */
export function stopWordsOfLanguage (words: readonly string[], minimum = minStopWords): ReadonlySet<string> {
  const found = languages.map(stopWords => ({ stopWords, count: new Set(words.filter(word => stopWords.has(word))).size }))
  const best = found.reduce((best, each) => each.count > best.count ? each : best)
  return best.count < minimum ? new Set() : best.stopWords
}
