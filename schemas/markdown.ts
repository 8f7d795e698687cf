import { type Static, Type } from 'typebox'
import { Uuid } from './ids.js'

/** A full text. See the specification, section 2. */
export const MarkdownReady = Type.Object({
  status: Type.Literal('ready'),
  paper_id: Uuid,
  markdown: Type.String(),
  mime_type: Type.Literal('text/markdown'),
  markdown_ready: Type.Literal(true)
})

/** The full text is being fetched and converted. */
export const MarkdownQueued = Type.Object({
  status: Type.Literal('queued'),
  detail: Type.Literal('Markdown queued'),
  code: Type.Literal('markdown_queued'),
  job_id: Uuid,
  created: Type.Boolean()
})

/** There is no full text to convert. */
export const MarkdownUnavailable = Type.Object({
  status: Type.Literal('unavailable'),
  detail: Type.Literal('Markdown source unavailable'),
  code: Type.Literal('markdown_source_unavailable')
})

/** The three results that the specification defines. */
export type MarkdownAnswer = Static<typeof MarkdownReady> | Static<typeof MarkdownQueued> | Static<typeof MarkdownUnavailable>

/**
 * The three results as one object, since several clients drop a tool whose schema has a combinator at its root. `status` determines which of the
 * optional properties are present.
 */
export const MarkdownResult = Type.Object({
  status: Type.Unsafe<'ready' | 'queued' | 'unavailable'>({ type: 'string', enum: ['ready', 'queued', 'unavailable'], description: 'ready: the text is included; queued: a job converts it, call again later; unavailable: no source of full text is known.' }),
  paper_id: Type.Optional(Type.String({ format: 'uuid', description: 'ready: the paper\'s UUID.' })),
  markdown: Type.Optional(Type.String({ description: 'ready: the full text.' })),
  mime_type: Type.Optional(Type.Unsafe<'text/markdown'>({ type: 'string', enum: ['text/markdown'], description: 'ready: type of the text.' })),
  markdown_ready: Type.Optional(Type.Unsafe<true>({ type: 'boolean', enum: [true], description: 'ready: always true.' })),
  detail: Type.Optional(Type.String({ description: 'queued, unavailable: the status as a sentence.' })),
  code: Type.Optional(Type.String({ description: 'queued: markdown_queued; unavailable: markdown_source_unavailable.' })),
  job_id: Type.Optional(Type.String({ format: 'uuid', description: 'queued: the job that converts the text.' })),
  created: Type.Optional(Type.Boolean({ description: 'queued: whether this call queued the job.' }))
})
