import { readFileSync } from 'node:fs'
import { packageRoot } from './version.js'

/** Reads SKILL.md, which teaches an agent to work with Litfeed. @see https://agentskills.io/specification */
export const readSkill = (): string => readFileSync(new URL('skills/litfeed/SKILL.md', packageRoot), 'utf8')
