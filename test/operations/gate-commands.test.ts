import { Command as Program } from 'commander'
import t from 'tap'
import type { TObject } from 'typebox'
import type { Command, Terminal } from '../../src/cli/command.js'
import { commands } from '../../src/cli/commands.js'
import type { InvalidArguments } from '../../src/errors/operation-errors.js'
import type { AnyOperation } from '../../src/operations/operation.js'
import { accountCreate } from '../../src/operations/accounts/account-create.js'
import { accountSettings } from '../../src/operations/accounts/account-settings.js'
import { accountFind } from '../../src/operations/accounts/account-find.js'
import { passwordReset } from '../../src/operations/accounts/password-reset.js'
import { administrationSourceUpdate } from '../../src/operations/administration/administration-source-update.js'
import { backup } from '../../src/operations/administration/backup.js'
import { restore } from '../../src/operations/administration/restore.js'
import { alertCreate } from '../../src/operations/alerts/alert-create.js'
import { alertDelete } from '../../src/operations/alerts/alert-delete.js'
import { alertsList } from '../../src/operations/alerts/alerts-list.js'
import { feedbackClear } from '../../src/operations/feed/feedback-clear.js'
import { feedbackList } from '../../src/operations/feed/feedback-list.js'
import { feedbackSet } from '../../src/operations/feed/feedback-set.js'
import { invitationCreate } from '../../src/operations/invitations/invitation-create.js'
import { invitationRevoke } from '../../src/operations/invitations/invitation-revoke.js'
import { jobRetry } from '../../src/operations/jobs/job-retry.js'
import { jobsList } from '../../src/operations/jobs/jobs-list.js'
import { keyCreate } from '../../src/operations/keys/key-create.js'
import { papersImport } from '../../src/operations/papers/papers-import.js'
import { projectCreate } from '../../src/operations/projects/project-create.js'
import { projectFetch } from '../../src/operations/projects/project-fetch.js'
import { projectPreview } from '../../src/operations/projects/project-preview.js'
import { projectUpdate } from '../../src/operations/projects/project-update.js'
import { snapshotVerify } from '../../src/operations/snapshots/snapshot-verify.js'
import { forbidden, valid } from '../support/forbidden.js'

type Target = readonly [operation: AnyOperation, property: string]
type Targets = Readonly<Record<string, Target>>

const email: Targets = { '--email': [accountFind, 'email'] }
const project = (operation: AnyOperation): Targets => ({ '--project': [operation, 'project_id'] })
const settings = (operation: AnyOperation): Targets => ({
  '--interest': [operation, 'interest_description'],
  '--keyword': [operation, 'positive_keywords'],
  '--exclude': [operation, 'negative_keywords'],
  '--must-read': [operation, 'must_read_threshold'],
  '--threshold': [operation, 'feed_threshold'],
  '--per-week': [operation, 'weekly_limit']
})

/** The property that each option or argument sets, by command. */
const targets: Readonly<Record<string, Targets>> = {
  'snapshot verify': { file: [snapshotVerify, 'file'], '--hash': [snapshotVerify, 'hash'] },
  'user create': { '--email': [accountCreate, 'email'], '--password': [accountCreate, 'password'] },
  'user reset-password': { '--email': [passwordReset, 'email'], '--password': [passwordReset, 'password'] },
  'user edit': { ...email, '--time-zone': [accountSettings, 'time_zone'] },
  'user disable': email,
  'user enable': email,
  'invite create': {
    '--email': [invitationCreate, 'email'],
    '--uses': [invitationCreate, 'uses'],
    '--expires': [invitationCreate, 'expires_at'],
    '--note': [invitationCreate, 'note']
  },
  'invite revoke': { id: [invitationRevoke, 'invitation_id'] },
  'source disable': { name: [administrationSourceUpdate, 'source'] },
  'source enable': { name: [administrationSourceUpdate, 'source'] },
  'key list': email,
  'key create': {
    ...email,
    '--name': [keyCreate, 'name'],
    '--scope': [keyCreate, 'scope'],
    '--project': [keyCreate, 'project_ids'],
    '--expires': [keyCreate, 'expires_at']
  },
  'key rotate': email,
  'key revoke': email,
  'project create': { ...email, ...settings(projectCreate), '--name': [projectCreate, 'name'], '--source': [projectCreate, 'sources'] },
  'project list': email,
  'project edit': {
    ...settings(projectUpdate),
    id: [projectUpdate, 'project_id'],
    '--name': [projectUpdate, 'name'],
    '--source': [projectUpdate, 'sources']
  },
  'project preview': { ...settings(projectPreview), id: [projectPreview, 'project_id'] },
  'project pause': { id: [projectUpdate, 'project_id'] },
  'project resume': { id: [projectUpdate, 'project_id'] },
  'project delete': { id: [projectFetch, 'project_id'] },
  import: { ...project(papersImport), file: [papersImport, 'files'], '--format': [papersImport, 'format'] },
  fetch: project(projectFetch),
  'feedback set': {
    ...email,
    item: [feedbackSet, 'paper_id'],
    '--vote': [feedbackSet, 'vote'],
    '--reason': [feedbackSet, 'downvote_reason']
  },
  'feedback clear': { ...email, item: [feedbackClear, 'paper_id'] },
  'feedback list': { ...project(feedbackList), '--filter': [feedbackList, 'feedback_filter'], '--limit': [feedbackList, 'limit'] },
  'alert create': {
    ...project(alertCreate),
    '--mail': [alertCreate, 'target'],
    '--webhook': [alertCreate, 'target'],
    '--frequency': [alertCreate, 'frequency'],
    '--weekday': [alertCreate, 'weekday'],
    '--hour': [alertCreate, 'hour']
  },
  'alert list': project(alertsList),
  'alert delete': { ...email, id: [alertDelete, 'alert_id'] },
  jobs: { '--state': [jobsList, 'state'], '--limit': [jobsList, 'limit'] },
  'job retry': { id: [jobRetry, 'job_id'] },
  backup: { file: [backup, 'file'] },
  restore: { file: [restore, 'file'] }
}

/** Flags, and names that a command looks up itself. They set no property of an operation's input. */
const withoutValue = new Set([
  '--sample',
  '--verify',
  '--replace',
  '--yes',
  '--revoke-access',
  '--revoke-keys',
  '--no-keywords',
  '--no-excludes',
  '--no-sources',
  '--must-read of alert create',
  '--name of key revoke',
  '--name of key rotate'
])

/** Options without which a command has another problem first. */
const alsoNeeded: Readonly<Record<string, string>> = { 'alert create': '--mail' }

/** The texts that give a property a value on the command line; undefined where no text can. */
function textsOf (value: unknown): string[] | undefined {
  if (Array.isArray(value)) {
    const texts = value.map(each => textsOf(each)?.[0])
    return texts.length > 0 && texts.every(text => text !== undefined) ? texts as string[] : undefined
  }
  if (typeof value === 'string' || typeof value === 'number') return [String(value)]
  const { name, query, surprise } = value as { name?: unknown, query?: unknown, surprise?: unknown }
  return typeof name === 'string' && surprise === undefined && (query === undefined || typeof query === 'string')
    ? [`${name}=${query ?? ''}`]
    : undefined
}

/** The value that reaches the gate when texts give it. */
const asTyped = (value: unknown): unknown => Array.isArray(value) ? value.map(asTyped) : typeof value === 'number' ? String(value) : value

function refusalOf (operation: AnyOperation, input: unknown): InvalidArguments | undefined {
  try {
    operation.check(input, { encoding: 'text' })
    return undefined
  } catch (error) {
    return error as InvalidArguments
  }
}

/** Fails where a command uses the service for something else than to hand an input to an operation. */
const context = new Proxy({}, { get (_target, member) { throw new Error(`The context was asked for ${String(member)}.`) } })
const terminal = {
  open: async () => ({ context, close: async () => {} }),
  print () {},
  note () {},
  interactive: false,
  settings: {}
} as unknown as Terminal

async function runCommand (command: Command, argv: string[]): Promise<unknown> {
  const program = new Program().exitOverride().configureOutput({ writeErr: () => {} })
  command.declare?.(program)
  program.parse(argv, { from: 'user' })
  return await command.run(terminal, program.opts(), program.args)
}

t.test('each command rejects invalid input before using the service', async t => {
  for (const command of commands) {
    const program = new Program()
    command.declare?.(program)
    const declared = [
      ...program.registeredArguments.map(argument => ({ name: argument.name(), isRequired: argument.required })),
      ...program.options.map(({ long, mandatory }) => ({ name: long!, isRequired: mandatory || long === alsoNeeded[command.name] }))
    ]
    const own = targets[command.name] ?? {}
    const withTarget = declared.filter(({ name }) => {
      if (own[name] !== undefined) return true
      t.ok(
        withoutValue.has(name) || withoutValue.has(`${name} of ${command.name}`),
        `${command.name}: ${name} names the property that it sets`
      )
      return false
    })
    const argumentsOf = (name: string, texts: readonly string[]) =>
      name.startsWith('--') ? texts.map(text => `${name}=${text}`) : [...texts]
    for (const { name: tested } of withTarget) {
      const [operation, property] = own[tested]!
      let refusals = 0
      for (const [what, input, field] of forbidden(operation.input as TObject)) {
        const value = (input as Record<string, unknown>)[property]
        const texts = value === undefined ? undefined : textsOf(value)
        if (field !== property || texts === undefined || texts.some(text => text.startsWith('-'))) continue
        const expected = refusalOf(operation, { ...input as object, [property]: asTyped(value) })
        if (expected === undefined) continue
        const argv = declared.flatMap(({ name, isRequired }) => {
          if (name === tested) return argumentsOf(name, texts)
          if (!isRequired || (tested === '--webhook' && name === '--mail')) return []
          if (own[name] === undefined) return [name]
          const [other, otherProperty] = own[name]!
          return argumentsOf(name, textsOf(valid((other.input as TObject).properties[otherProperty] as never))!)
        })
        await t.rejects(
          runCommand(command, argv),
          { code: 'invalid_arguments', message: expected.message },
          `${command.name} ${tested}: ${what}`
        )
        refusals++
      }
      const { type, format } = operation.input.properties[property]
      t.ok(refusals > 0 || (type === 'string' && format === undefined), `${command.name} ${tested} was given forbidden values`)
    }
  }
})
