import { type Static, Type } from 'typebox'
import { time } from './fields.js'
import { ProjectId, Uuid } from './ids.js'
import { maxTagLength } from './item-state.js'
import { maxTokenLength } from './link-token.js'
import { Notice } from './notice.js'
import { Nullable, Words } from './nullable.js'
import { Paper } from './paper.js'

/** Links that a project may have. */
export const maxShareLinks = 50
/** Papers on a page of a shared feed. */
export const sharedPageSize = 50
/** Papers of all projects that a link of a tag shows, the newest: anyone may read them, and each project is read for every page. */
export const maxTaggedPapers = 2000
/** Formats in which readers download a shared list. */
export const sharedFormats = ['bibtex', 'ris'] as const

const id = Type.String({ format: 'uuid', description: "The link's UUID." })

/** A new link. */
export const ShareLinkCreateInput = Type.Object({
  project_id: ProjectId,
  title: Type.Optional(Type.String({ maxLength: 200, description: 'What readers see above the papers. Default: the project’s name.' })),
  tag: Type.Optional(Type.String({ maxLength: maxTagLength * 4, description: 'Only papers with this tag. Default: the whole feed.' })),
  all_projects: Type.Optional(
    Type.Boolean({ description: 'With tag: the papers of all projects that have it. The link belongs to this project.', default: false })
  ),
  expires_at: Type.Optional(
    Type.String({ maxLength: 40, description: 'RFC 3339 date or date-time at which the link stops working. Default: never.' })
  )
}, { additionalProperties: false })

/** A link. */
export const ShareLink = Type.Object({
  id: Uuid,
  title: Type.String({ description: 'What readers see above the papers.' }),
  tag: Nullable(Type.String(), 'Only papers with this tag; null: the whole feed.'),
  all_projects: Type.Boolean({ description: 'Whether the papers with this tag are those of all projects.' }),
  created_at: time('When it was created.'),
  expires_at: Nullable(time(), 'When it stops working.'),
  expired: Type.Boolean({ description: 'Whether it has stopped working.' }),
  last_opened_at: Nullable(time(), 'When it was last opened, to the minute.')
}, { description: 'A link that shows a feed to anyone who has it.' })
export type ShareLink = Static<typeof ShareLink>

/** A new link with its addresses, which are shown once. */
export const ShareLinkCreated = Type.Object({
  ...ShareLink.properties,
  url: Type.String({ description: 'Address of the page. It is shown only now.' }),
  atom_url: Type.String({ description: 'Address of the same list as an Atom feed.' })
}, { description: 'The link with its addresses.' })

export const ShareLinksResult = Type.Object({ items: Type.Array(ShareLink, { description: 'Newest first.' }) })
export const ShareLinkReference = Type.Object({ project_id: ProjectId, link_id: id }, { additionalProperties: false })

const token = Type.String({ maxLength: maxTokenLength, description: 'The token of the link.' })

/** Papers that a page of a shared feed may follow. */
export const maxSharedOffset = 10_000

/** A page of a shared feed. */
export const SharedFeedInput = Type.Object({
  token,
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: maxSharedOffset, description: 'Papers to skip.', default: 0 }))
}, { additionalProperties: false })

/** A paper as readers of a link see it: what its record states, and nothing of its owner. */
export const SharedPaper = Type.Object({
  ...Type.Pick(Paper, ['id', 'title', 'abstract', 'authors', 'published_date', 'url', 'pdf_url', 'doi', 'venue_name']).properties,
  author_count: Type.Integer({ description: 'Number of all authors, of whom the first are listed.' }),
  index_url: Paper.properties.index_url,
  external_ids: Paper.properties.external_ids,
  published: Nullable(Type.String(), 'Publication date as written, which shows whether the source stated a day.'),
  added_at: time('When it was added to the feed.'),
  changes: Type.Array(Type.Pick(Notice, ['kind', 'label']), { description: 'Retraction that the record of the paper states.' })
}, { description: 'A paper.' })
export type SharedPaper = Static<typeof SharedPaper>

export const SharedFeed = Type.Object({
  id: Uuid,
  title: Type.String({ description: 'Title of the list.' }),
  updated_at: time('When the list last changed.'),
  items: Type.Array(SharedPaper, { description: `Newest first, at most ${sharedPageSize}.` }),
  offset: Type.Integer({ description: 'Papers that were skipped.' }),
  has_more: Type.Boolean({ description: 'Whether more papers follow.' })
})

export const SharedExportInput = Type.Object(
  { token, format: Type.Optional(Words(sharedFormats, { description: 'Format of the references.', default: 'bibtex' })) },
  { additionalProperties: false }
)
