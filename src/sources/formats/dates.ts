/** Dates as files and sources write them. References read what was stated the same way. */
export { dateOf, monthIn, readDate, readStatedDate } from '../../papers/stated-date.js'
