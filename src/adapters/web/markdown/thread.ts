import { parentPort } from 'node:worker_threads'
import { renderMarkdown } from './render.js'

parentPort!.on('message', ({ text, title }: { text: string, title: string }) => {
  parentPort!.postMessage(renderMarkdown(text, { title, anchors: true }))
})
