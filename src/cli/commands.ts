import { backupCommand } from './backup.js'
import type { Command } from './command.js'
import { doctor } from './doctor.js'
import { fetch } from './fetch.js'
import { importCommand } from './import.js'
import { keyRevokeCommand, keyRotateCommand } from './key.js'
import { migrateCommand } from './migrate.js'
import { projectCreateCommand, projectListCommand } from './project.js'
import { restoreCommand } from './restore.js'
import { serve } from './serve.js'
import { userCreate, userList, userResetPassword } from './user.js'

/** Every command, in the order in which --help shows them. */
export const commands: readonly Command[] = [
  serve,
  migrateCommand,
  userCreate,
  userList,
  userResetPassword,
  keyRotateCommand,
  keyRevokeCommand,
  projectCreateCommand,
  projectListCommand,
  importCommand,
  fetch,
  backupCommand,
  restoreCommand,
  doctor
]
