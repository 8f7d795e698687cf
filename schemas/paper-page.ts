import { Type } from 'typebox'
import { Feedback } from './feedback.js'
import { time } from './fields.js'
import { PaperReference, ShortId, Uuid } from './ids.js'
import { itemMarks } from './item-state.js'
import { Job } from './job.js'
import { Nullable } from './nullable.js'

export const PaperPageInput = Type.Object({
  paper_id: PaperReference,
  job_id: Type.Optional(Type.String({ format: 'uuid', description: 'The conversion that paper_markdown queued.' }))
}, { additionalProperties: false })

/** Content of a paper's page besides the record and the full text. */
export const PaperPageResult = Type.Object({
  feeds: Type.Array(
    Type.Object({
      project_id: Uuid,
      name: Type.String(),
      item: ShortId,
      id: Uuid,
      feedback: Nullable(Feedback, 'Your vote.'),
      ...itemMarks
    })
  ),
  conversion: Nullable(
    Type.Object({
      origin: Type.String({ description: 'Where the text comes from.' }),
      at: time(),
      warnings: Type.Array(Type.String())
    }),
    'How the text was converted; null while there is none.'
  ),
  job: Nullable(Job, 'The queued conversion.'),
  upload: Nullable(Job, 'The newest conversion of your own PDF.'),
  reason: Nullable(Type.String(), 'Why the last conversion failed.')
})
