import type { ComponentChildren } from 'preact'
import { formatCount } from './figures.js'

/** A property with its value, in a list `properties`. */
export const Fact = ({ name, children }: { name: string, children: ComponentChildren }) => <div><dt>{name}</dt><dd>{children}</dd></div>

/** A number with what it counts, in a list `totals`. */
export const Figure = ({ name, number }: { name: string, number: number }) => <div><dt>{name}</dt><dd>{formatCount(number)}</dd></div>
