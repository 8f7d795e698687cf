import { Type } from 'typebox'
import { ShortId, Uuid } from './ids.js'
import { Job } from './job.js'
import { MarkdownResult } from './markdown.js'
import { Nullable } from './nullable.js'
import { PaperResult } from './paper.js'

/** What the page of a paper shows: the record, its feeds and its full text. */
export const PaperPageResult = Type.Object({
  paper: PaperResult,
  feeds: Type.Array(Type.Object({ project_id: Uuid, name: Type.String(), item: ShortId })),
  text: MarkdownResult,
  made: Nullable(Type.Object({
    origin: Type.String({ description: 'Origin of the text.' }),
    at: Type.String({ format: 'date-time' }),
    warnings: Type.Array(Type.String())
  }), 'How the text was converted, once it is ready.'),
  job: Nullable(Job, 'The job that converts the text, while it is queued.'),
  upload: Nullable(Job, 'The newest conversion of your own PDF.'),
  reason: Nullable(Type.String(), 'Why there is no text, if known.')
})
