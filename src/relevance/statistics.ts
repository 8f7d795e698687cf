/** The arithmetic mean; 0 of no values. */
export const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length

/** Rounds to three decimal places, without a negative zero. */
export const toDecimals = (value: number): number => Math.round(value * 1000) / 1000 || 0

/** Rounds to three significant digits, to keep stored models small. */
export const toSignificantDigits = (value: number): number => Number(value.toPrecision(3))
