import type { Converted } from './converted.js'
export const arxivHtmlToMarkdown = (_t: string): Converted => { throw new Error('stub') }
