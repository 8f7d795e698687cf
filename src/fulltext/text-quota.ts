const full = 'The storage for uploads, texts of uploads and texts of imported papers is full.'

/** Why the text of a paper that an account imported is not stored. Without numbers: every account with the paper sees the job. */
export const textQuotaFull = `${full} Delete projects with imported papers, or ask the operator to raise UPLOAD_QUOTA.`

/** The same on pages. */
export const textQuotaFullForReaders = `${full} Delete projects with imported papers, or ask your administrator for more space.`

/** Why the text of an uploaded PDF is not stored. The PDF is deleted, or it would use the quota. */
export const uploadTextQuotaFull = `${textQuotaFull} Then upload the PDF again.`
