import { accountCreate } from '../../operations/accounts/account-create.js'
import { accountUpdate } from '../../operations/accounts/account-update.js'
import { accountsList } from '../../operations/accounts/accounts-list.js'
import { administrationJobRetry } from '../../operations/administration/administration-job-retry.js'
import { administrationJobs } from '../../operations/administration/administration-jobs.js'
import { administrationJobsRetry } from '../../operations/administration/administration-jobs-retry.js'
import { administrationOverview } from '../../operations/administration/administration-overview.js'
import { administrationSourceUpdate } from '../../operations/administration/administration-source-update.js'
import { administrationSources } from '../../operations/administration/administration-sources.js'
import { invitationCreate } from '../../operations/invitations/invitation-create.js'
import { invitationRevoke } from '../../operations/invitations/invitation-revoke.js'
import { invitationsList } from '../../operations/invitations/invitations-list.js'
import { serviceReport } from '../../operations/administration/service-report.js'
import type { Route } from './route.js'

/** The REST routes for administrators. */
export const administrationRoutes: readonly Route[] = [
  { method: 'GET', url: '/api/administration/accounts', operation: accountsList, access: 'administrator' },
  { method: 'POST', url: '/api/administration/accounts', operation: accountCreate, access: 'administrator', status: 201 },
  { method: 'PATCH', url: '/api/administration/accounts/:account_id', operation: accountUpdate, access: 'administrator' },
  { method: 'GET', url: '/api/administration/invitations', operation: invitationsList, access: 'administrator' },
  { method: 'POST', url: '/api/administration/invitations', operation: invitationCreate, access: 'administrator', status: 201 },
  {
    method: 'DELETE',
    url: '/api/administration/invitations/:invitation_id',
    operation: invitationRevoke,
    access: 'administrator',
    status: 204
  },
  { method: 'GET', url: '/api/administration/jobs', operation: administrationJobs, access: 'administrator' },
  {
    method: 'POST',
    url: '/api/administration/jobs/:job_id/retry',
    operation: administrationJobRetry,
    access: 'administrator',
    status: 202
  },
  { method: 'POST', url: '/api/administration/jobs/retry', operation: administrationJobsRetry, access: 'administrator' },
  { method: 'GET', url: '/api/administration/overview', operation: administrationOverview, access: 'administrator' },
  { method: 'GET', url: '/api/administration/sources', operation: administrationSources, access: 'administrator' },
  { method: 'PATCH', url: '/api/administration/sources/:source', operation: administrationSourceUpdate, access: 'administrator' },
  { method: 'GET', url: '/api/administration/service', operation: serviceReport, access: 'administrator' }
]
