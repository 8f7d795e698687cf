/** Whether the publication types of a record say that the article was retracted. @see https://www.nlm.nih.gov/mesh/pubtypes.html */
export const isRetractedType = (types: readonly string[]): boolean => types.some(type => /^retracted publication$/i.test(type.trim()))
