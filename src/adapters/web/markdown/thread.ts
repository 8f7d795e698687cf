import { serveTasks } from '../../../threads/serve-tasks.js'
import { renderMarkdown } from './render.js'

/** A page with more HTML would exceed the length of a response. */
const maxHtmlCharacters = 7_500_000

serveTasks(({ text, title }: { text: string, title: string }) => {
  const rendered = renderMarkdown(text, { title, anchors: true })
  if (rendered.html.length > maxHtmlCharacters) throw new Error('The HTML is too long for a page.')
  return rendered
})
