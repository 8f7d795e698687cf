import { readSkill } from '../settings/skill.js'
import type { Command } from './command.js'

export const skillCommand: Command = {
  name: 'skill',
  summary: 'print SKILL.md, which teaches an agent to work with Litfeed',
  operations: [],
  async run (terminal) {
    const skill = readSkill()
    terminal.print({ skill }, skill.trimEnd())
  }
}
