/** Work that another try would not bring further; the message says why, to whoever reads the job. */
export class GivenUp extends Error {}
