import { OperationError } from './operation-error.js'

/** The client closed its connection before the response. The error reaches nobody; it ends the work. */
export class RequestAbandoned extends OperationError {
  readonly code = 'request_abandoned'
  constructor () {
    super('The client closed the connection before the response.')
  }
}
