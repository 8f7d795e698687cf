/*
 * Progressive enhancement: every page works without scripts, and every page starts all of these, which do nothing where they are not
 * needed. Importing a module starts nothing. The order matters where several listen to the same event: a menu that Escape closes comes
 * before the keys of the feed, and forms that are sent in the background before those that get a new token, and before those that leave
 * the page.
 */
import { startNotes } from './changes/notes.js'
import { startSubmissions } from './changes/submissions.js'
import { startFailedSearches } from './feed/failed-search.js'
import { startFeed } from './feed/feed.js'
import { startImportWarnings } from './feed/import-warnings.js'
import { startMoving } from './feed/moving.js'
import { startProgress } from './feed/progress.js'
import { startSelection } from './feed/selection.js'
import { startOffline } from './offline.js'
import { startSending } from './outbox/sending.js'
import { startAnnouncements } from './page/announcements.js'
import { startCopyButtons } from './page/copy-buttons.js'
import { startDroppedFiles, startFileSizes, startHeldFields, startTimeZone } from './page/fields.js'
import { startFormulas } from './page/formulas.js'
import { startMenus } from './page/menus.js'
import { startNotices, startResults } from './page/notices.js'
import { startRefusals } from './page/refusals.js'
import { startSentForms } from './page/sent-forms.js'
import { startSwaps } from './page/swaps.js'
import { startPainting } from './paint/states.js'
import { startPaper } from './paper/paper.js'
import { startRememberingLists } from './paper/remembered-list.js'
import { startImports } from './project/imports.js'
import { startMustReadScore } from './project/must-read-score.js'
import { startThreshold } from './project/threshold.js'
import { startTune } from './project/tune.js'

startAnnouncements()
startCopyButtons()
startTimeZone()
startDroppedFiles()
startFileSizes()
startHeldFields()
startSwaps()
startRefusals()
startNotices()
startResults()
startSending()
startPainting()
startNotes()
startSubmissions()
startMenus()
startSelection()
startMoving()
startFeed()
startFailedSearches()
startFormulas()
startProgress()
startImportWarnings()
startRememberingLists()
startPaper()
startTune()
startThreshold()
startMustReadScore()
startImports()
startOffline()
startSentForms()
