const namesForm = /(\b(?:author|editor)\s*=\s*[{"])([^{}"]*)(?=[}"])/gi
const initialsForm = /^(?:\p{Lu}\.?[\s~-]?){1,4}$/u

/**
 * Writes "and" between names that only commas or semicolons separate: "Smith, J., Jones, K. L., Brown, M.", "John Smith, Mary Jones, and
 * Bob Brown" and "Smith, J.; Jones, K. L.". The parser would keep one of them, or take them for one.
 */
export const separateNames = (text: string): string =>
  text.replace(namesForm, (_, start: string, names: string) => {
    const each = names.split(/(?<!\s)\s+and\s+|(?<!&#?\w{1,10});/).map(name => name.trim()).filter(Boolean)
    // "García Márquez, Gabriel José" is one name. Two names end with a comma where no other name of the field has one.
    const isOnlyComma = each.filter(name => name.includes(',')).length === 1
    const separated = each.flatMap(name => {
      const whole = name.split(',').map(part => part.trim()).filter(Boolean)
      const least = name.endsWith(',') && isOnlyComma ? 2 : 3
      const isListOfWhole = whole.length >= least && whole.every(part => /^\p{Lu}\S*\s+\S/u.test(part))
      if (isListOfWhole) return whole
      const parts = name.split(',').map(part => part.trim())
      const isList = parts.length > 3 && parts.length % 2 === 0 && parts.every((part, at) => at % 2 === 0 || initialsForm.test(part))
      return isList ? parts.flatMap((part, at) => at % 2 === 0 ? [`${part}, ${parts[at + 1]}`] : []) : [name]
    })
    return `${start}${separated.join(' and ')}`
  })
