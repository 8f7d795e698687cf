import { InvalidArguments } from './operation-errors.js'

/** The error of a name of which nothing is left without the characters that people cannot see. */
export const invisibleName = (): InvalidArguments =>
  new InvalidArguments('name has no visible characters. Send a name that people can read.', {
    userMessage: 'The name has no visible characters. Enter a name.'
  })
