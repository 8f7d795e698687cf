/*
 * pdf.js constructs a DOMMatrix on import and loads it from a native canvas package that some platforms lack.
 * Nothing is drawn here, so an empty class replaces the package.
 */
Object.assign(globalThis, { DOMMatrix: class {} })
