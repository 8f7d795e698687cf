import { alertCreateCommand, alertDeleteCommand, alertListCommand } from './alert.js'
import { backupCommand } from './backup.js'
import type { Command } from './command.js'
import { doctor } from './doctor.js'
import { feedbackClearCommand, feedbackListCommand, feedbackSetCommand } from './feedback.js'
import { fetch } from './fetch.js'
import { importCommand } from './import.js'
import { inviteCreateCommand, inviteListCommand, inviteRevokeCommand } from './invite.js'
import { jobsCommand, jobsRetryCommand } from './jobs.js'
import { keyCreateCommand, keyListCommand, keyRevokeCommand, keyRotateCommand } from './key.js'
import { migrateCommand } from './migrate.js'
import { projectCreateCommand, projectListCommand } from './project.js'
import {
  projectDeleteCommand, projectEditCommand, projectPauseCommand, projectPreviewCommand, projectResumeCommand
} from './project-change.js'
import { restoreCommand } from './restore.js'
import { serve } from './serve.js'
import { settingsCommand } from './settings.js'
import { skillCommand } from './skill.js'
import { sourceDisableCommand, sourceEnableCommand, sourceListCommand } from './source.js'
import { snapshotVerifyCommand } from './snapshot.js'
import { userCreate, userDisable, userEdit, userEnable, userList, userResetPassword } from './user.js'

/** All commands, in the order of --help. */
export const commands: readonly Command[] = [
  serve,
  migrateCommand,
  userCreate,
  userList,
  userResetPassword,
  userEdit,
  userDisable,
  userEnable,
  inviteCreateCommand,
  inviteListCommand,
  inviteRevokeCommand,
  keyListCommand,
  keyCreateCommand,
  keyRotateCommand,
  keyRevokeCommand,
  projectCreateCommand,
  projectListCommand,
  projectEditCommand,
  projectPreviewCommand,
  projectPauseCommand,
  projectResumeCommand,
  projectDeleteCommand,
  importCommand,
  fetch,
  feedbackSetCommand,
  feedbackClearCommand,
  feedbackListCommand,
  alertCreateCommand,
  alertListCommand,
  alertDeleteCommand,
  jobsCommand,
  jobsRetryCommand,
  sourceListCommand,
  sourceDisableCommand,
  sourceEnableCommand,
  backupCommand,
  restoreCommand,
  snapshotVerifyCommand,
  doctor,
  settingsCommand,
  skillCommand
]
