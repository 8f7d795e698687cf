import { findJob, findLastFailure, findUploadJob } from '../../../db/queries/jobs.js'
import { findConversion } from '../../../db/queries/markdown.js'
import { findFeedsOfPaper } from '../../../db/queries/papers.js'
import { PaperPageInput, PaperPageResult } from '../../../schemas/paper-page.js'
import { convertJob } from '../../jobs/new-jobs.js'
import { jobOf } from '../../jobs/records.js'
import { feedbackOf, marksOf } from '../../papers/records.js'
import { resolvePaperId } from '../../papers/references.js'
import { operation } from '../operation.js'

/** @throws PaperNotFound, AmbiguousShortId */
export const paperPage = operation({
  name: 'paper_page',
  title: 'Get the details of a paper\'s page',
  description: 'Returns the feeds of a paper, the origin of its text, and the progress of conversions.',
  input: PaperPageInput,
  output: PaperPageResult,
  async handler (context, { paper_id, job_id }) {
    const { db, account } = context
    const id = await resolvePaperId(context, paper_id)
    const [feeds, conversion, job, upload, failure] = await Promise.all([
      findFeedsOfPaper(db, account.id, id),
      findConversion(db, account.id, id),
      job_id === undefined ? undefined : findJob(db, account.id, job_id),
      findUploadJob(db, account.id, id),
      findLastFailure(db, 'convert-markdown', convertJob(id).once_key)
    ])
    return {
      feeds: feeds.map(({ project_id, name, item, id, ...row }) => ({
        project_id,
        name,
        item,
        id,
        feedback: feedbackOf(row),
        ...marksOf(row)
      })),
      conversion: conversion === undefined
        ? null
        : { origin: conversion.origin, at: conversion.created_at.toISOString(), warnings: conversion.warnings },
      job: job === undefined ? null : jobOf(job),
      upload: upload === undefined ? null : jobOf(upload),
      reason: failure?.error ?? null
    }
  }
})
