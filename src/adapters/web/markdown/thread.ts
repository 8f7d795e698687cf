import { serveTasks } from '../../../threads/serve-tasks.js'
import { renderMarkdown } from './render.js'

serveTasks(({ text, title }: { text: string, title: string }) => renderMarkdown(text, { title, anchors: true }))
