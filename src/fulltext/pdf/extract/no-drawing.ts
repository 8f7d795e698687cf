/*
 * pdf.js takes classes for drawing from a native package for canvases, which is there for some platforms only, and makes a matrix as it is
 * loaded. Nothing is drawn here: with a class of that name it does without the package.
 */
Object.assign(globalThis, { DOMMatrix: class {} })
