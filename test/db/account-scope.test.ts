import { readFileSync, readdirSync } from 'node:fs'
import t from 'tap'

/** Files whose queries act for the service as a whole, with the reason. */
const serviceWideFiles: Record<string, string> = {
  'backup.ts': 'a backup holds every account',
  'disabled-sources.ts': 'a setting of the service',
  'index-order.ts': 'how another query is planned',
  'maintenance.ts': 'vacuum',
  'ownership.ts': 'the conditions themselves',
  'papers-merge.ts': 'shared papers belong to every account',
  'search-index.ts': 'the index of a project; the search itself asks whose project it is',
  'search-storage.ts': 'the index of a project; the search itself asks whose project it is',
  'service.ts': 'sizes and versions, no rows',
  'state.ts': 'figures for the operator',
  'time-limit.ts': 'how long another query may take'
}

/** Service-wide functions of the other files, with the reason. */
const serviceWide: Record<string, string> = {
  createAccount: 'registration',
  createFirstAccount: 'registration',
  insertAccount: 'registration',
  lockAccounts: 'a lock',
  createInvitation: 'administration: a link belongs to the service',
  listOpenInvitations: 'administration: a link belongs to the service',
  listEndedInvitations: 'administration: a link belongs to the service',
  revokeInvitation: 'administration: a link belongs to the service',
  findInvitation: 'authentication: the hash of the token is in the condition',
  createInvitedAccount: 'authentication: the hash of the token is in the condition',
  deleteExpiredInvitations: 'upkeep',
  setPasswordWithLink: 'authentication: the hash of the token is in the condition',
  hasAccount: 'registration',
  listAccounts: 'administration: shows no content of an account',
  countAccounts: 'administration: shows no content of an account',
  countAccountsByUse: 'administration: shows no content of an account',
  findAccount: 'takes the account as its id',
  findAccountByEmail: 'login',
  updateAccount: 'administration',
  listPendingDeletions: 'upkeep',
  removeAbandonedImports: 'upkeep',
  usedBytes: 'a sum',
  enabledAccountIds: 'a condition; its callers add the account or the hash of a token',
  filterCondition: 'a condition; its callers add the account',
  paperConditions: 'a condition; its callers add the account',
  dayKey: 'a sort key; its callers add the account',
  sortKeys: 'sort keys; their callers add the account',
  partRows: 'parts of days that the caller has found',
  compareScanned: 'an order of items that the caller has read',
  namedConsumer: 'text alone',
  beginLibraryImport: 'the row names its account',
  appointAdministrator: 'upgrade and restore',
  savePasswordReset: 'the row names its account',
  findPasswordReset: 'authentication: the hash of the token is in the condition',
  usePasswordReset: 'authentication: the hash of the token is in the condition',
  deleteExpiredPasswordResets: 'upkeep',
  createSession: 'login: the row names its account',
  findBrowserSession: 'authentication: the hash of the secret is in the condition',
  rotateSession: 'authentication: the hash of the secret is in the condition',
  endTokenSession: 'authentication: a refresh token was used twice',
  findKey: 'authentication: a key is found by its prefix',
  createKey: 'the row names its account',
  replaceKey: 'the row names its account',
  findAtomProject: 'authentication: the token of the Atom feed is derived from the account',
  listDue: 'ticker',
  listDueAlerts: 'ticker',
  listDueZoteroSyncs: 'ticker',
  unsubscribeAlert: 'authentication: the token of the email is derived from the alert',
  addressOf: 'text alone',
  findDeletedAlert: 'authentication: the token of the email is derived from the alert',
  findSharedFeed: 'authentication: the hash of the token is in the condition',
  findAlertToSend: 'the job that sends the alert; what follows takes its account',
  listDueProjects: 'ticker',
  acquireSlot: 'all accounts share the rate limits of outside services',
  releaseSlot: 'all accounts share the rate limits of outside services',
  deleteExpiredSlots: 'all accounts share the rate limits of outside services',
  findSlot: 'all accounts share the rate limits of outside services',
  isAccountEnabled: 'a condition',
  findLastFailure: 'conversion of shared papers',
  findLastEnded: 'the key of the job names its account or a shared paper',
  insertJob: 'the row names its account',
  deleteJob: 'the job that the same transaction inserted',
  claimJob: 'worker',
  completeJob: 'worker',
  failJob: 'worker',
  releaseJob: 'worker',
  readDatabaseTime: 'ticker',
  recordHeartbeats: 'worker',
  requeueSilentJobs: 'ticker',
  listAllJobs: 'administration: shows the account, but not the paper or project',
  countJobsByState: 'administration',
  retryAllFailedJobs: 'administration',
  deleteEndedJobs: 'upkeep',
  listImporters: 'upkeep',
  deleteBatches: 'its callers add the account to the condition',
  createProject: 'the row names its account',
  listAllProjects: 'the operator\'s command line',
  findProjectOwner: 'the operator\'s command line',
  findConversionInput: 'conversion of shared papers',
  isMergedPaper: 'conversion of shared papers',
  saveMarkdown: 'the row names its account, or none if the text is shared',
  beginUpload: 'the row names its account',
  deleteAbandonedUploads: 'upkeep',
  matching: 'a condition; its callers add the account',
  markdownReady: 'a condition; its callers add the account',
  addCandidates: 'one batch of an ingest, whose project was found by its account',
  listDueScoring: 'ticker',
  deleteOldCandidates: 'upkeep',
  listReferences: 'facts about papers that the caller has read, which sources state to everyone',
  listPeople: 'facts about papers that the caller has read, which sources state to everyone',
  addCitations: 'facts about papers, which sources state to everyone',
  savePapers: 'the rows name their account; never changes the owner of one',
  findInFeed: 'one batch of an ingest, whose project was found by its account',
  addItems: 'one batch of an ingest, whose project was found by its account',
  isReferenced: 'a condition; its callers add the account',
  withFormerIds: 'reads no row',
  takeCandidates: 'one batch of an ingest, whose project was found by its account',
  keepSeen: 'one batch of an ingest, whose project was found by its account',
  deleteUnusedBriefs: 'upkeep',
  listLongFeedChanges: 'upkeep',
  listPendingUndos: 'upkeep',
  isChosen: 'a condition; its callers add the account',
  hasDuePaper: 'ticker: names no account',
  listPapersToCheck: 'the job that asks sources about papers; names no account',
  saveLinks: 'the job that asks sources about papers: facts about papers; rescores the feeds that chose them',
  saveNotices: 'the job that asks sources about papers: facts about papers',
  markChecked: 'the job that asks sources about papers',
  markCheckFailed: 'the job that asks sources about papers',
  notifyAccounts: 'ticker: notifies accounts of notices on the papers that they chose',
  addFoundPapers: 'one batch of an ingest, whose project was found by its account',
  mergeFoundPapers: 'shared papers belong to every account',
  listDueSnapshots: 'ticker',
  retryConflicts: 'a retry of the statement that it is given',
  compactTally: 'upkeep: no row leaves the database',
  listLongTallies: 'upkeep'
}

const directory = new URL('../../../db/queries/', import.meta.url)
const exportedFunction =
  /^export (?:const (\w+) = (?:async )?(?:<[^>]*>)?\(|(?:async )?function (?:\* )?(\w+) ?(?:<[^>]*>)? ?\()([\s\S]*?)\) ?(?:=>|[:{])/gm

t.test('every exported query takes the account or is listed as service-wide', async t => {
  const unused = new Set(Object.keys(serviceWide))
  for (const file of readdirSync(directory).filter(name => !Object.hasOwn(serviceWideFiles, name))) {
    for (const [, constant, declared, parameters] of readFileSync(new URL(file, directory), 'utf8').matchAll(exportedFunction)) {
      const name = (constant ?? declared)!
      if (/\b(accountId|account_id|StateKey|JobFilter)\b/.test(parameters!)) {
        t.notOk(Object.hasOwn(serviceWide, name), `${name} takes the account`)
      } else t.ok(unused.delete(name), `${file}: ${name} takes no account; add it, or list the function with the reason`)
    }
  }
  t.strictSame([...unused], [], 'no stale entry')
  t.strictSame(Object.keys(serviceWideFiles).filter(name => !readdirSync(directory).includes(name)), [], 'no stale file')
})
