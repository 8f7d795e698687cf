import { Type } from 'typebox'
import { readSkill } from '../../../settings/skill.js'
import { downloadPage } from '../page.js'

/** SKILL.md as a download. */
export const skillPage = downloadPage({
  url: '/connect/SKILL.md',
  operations: [],
  query: Type.Object({}),
  show: async () => ({ file: { body: readSkill(), type: 'text/markdown; charset=utf-8', name: 'SKILL.md' } })
})
