import type { Command as Program } from 'commander'
import { AlertInput } from '../../schemas/alert.js'
import { ProjectId } from '../../schemas/ids.js'
import { InvitationInput } from '../../schemas/invitation.js'
import { JobInput } from '../../schemas/job.js'
import { keywordsOf } from '../../schemas/keywords.js'
import { shortText } from '../../schemas/short-text.js'
import { NoMailForAlerts } from '../alerts/mail.js'
import {
  AlertNotFound, InvalidArguments, JobNotFound, type OperationError, PaperNotFound, ProjectNotFound
} from '../errors/operation-errors.js'

const projectList = 'Use the id of a project, not its name. List the projects: litfeed project list'
const jobList = 'List failed jobs: litfeed jobs --state failed'
const alertList = 'List the alerts of a project: litfeed alert list --project ID'
const invitationList = 'List the links: litfeed invite list'

/** How to find an id, in the place of its description in a schema. */
const waysToFind: ReadonlyArray<[description: string, way: string]> = [
  [keywordsOf(ProjectId).description!, projectList],
  [keywordsOf(JobInput.properties.job_id).description!, jobList],
  [keywordsOf(AlertInput.properties.alert_id).description!, alertList],
  [keywordsOf(InvitationInput.properties.invitation_id).description!, invitationList]
]

/** The message of an error, with a command in the place of a tool or route. @param command that was called */
export function messageOf (error: OperationError, command: Program | undefined): string {
  if (error instanceof ProjectNotFound) {
    return `There is no project ${shortText(error.projectId, 80)}. ${projectList}`
  }
  if (error instanceof PaperNotFound) return `${error.userMessage} Use the id of a feed item or its paper, its DOI, PMID or arXiv id.`
  if (error instanceof JobNotFound) return `${error.userMessage} ${jobList}`
  if (error instanceof AlertNotFound) return `${error.userMessage} ${alertList}`
  if (error instanceof NoMailForAlerts) return 'Email is not set up. Use --webhook URL, or set SMTP_URL and MAIL_FROM.'
  if (!(error instanceof InvalidArguments)) return error.message
  const message = waysToFind.reduce((text, [description, way]) => text.replace(description, () => way), error.message)
  return command === undefined ? message : withOptions(message, command)
}

/** The message of an unexpected error with that of its cause, for operators. */
export function unexpectedText (thrown: unknown): string {
  const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause.message : ''
  return `${thrown instanceof Error && thrown.message !== '' ? thrown.message : String(thrown)}${cause === '' ? '' : ` (${cause})`}`
}

/** The argument of an operation at the start of a sentence about it. Other sentences begin with a capital. */
const subject = /(?<=^|\. )([a-z_]+)(?:\.\w+)*(?= (?:is|has|must|contains) )/g

/** A message that names what was typed instead of the arguments of operations. */
const withOptions = (message: string, command: Program): string =>
  message.replace(subject, (text, argument: string) => typedName(argument, command) ?? text)

/** Options that are named unlike the argument that they set. */
const optionNames: Readonly<Record<string, readonly string[]>> = {
  project_id: ['project'],
  expires_at: ['expires'],
  interest_description: ['interest'],
  positive_keywords: ['keyword'],
  negative_keywords: ['exclude'],
  sources: ['source'],
  must_read_threshold: ['must-read'],
  feed_threshold: ['threshold'],
  weekly_limit: ['per-week'],
  feedback_filter: ['filter'],
  downvote_reason: ['reason'],
  target: ['webhook', 'mail']
}

/** Arguments that some commands take without an option. */
const operands: readonly string[] = ['project_id', 'job_id', 'alert_id', 'invitation_id', 'paper_id', 'source']

/** The option or operand that sets an argument, as --help writes it; of several options, the one that was given. */
function typedName (argument: string, command: Program): string | undefined {
  const names = (Object.hasOwn(optionNames, argument) ? optionNames[argument] : undefined) ?? [argument.replaceAll('_', '-')]
  const declared = command.options.filter(({ long }) => names.some(name => long === `--${name}`))
  const option = declared.find(option => command.opts()[option.attributeName()] !== undefined) ?? declared[0]
  const operand = operands.includes(argument) ? command.registeredArguments[0] : undefined
  return option?.long ?? (operand && `<${operand.name()}>`)
}
