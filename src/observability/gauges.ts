import { Gauge, type Registry } from 'prom-client'

/** Returns a function that adds a gauge to a registry, with the names of its labels last. */
export const gauges = (registry: Registry) =>
  <Label extends string = never>(name: string, help: string, ...labelNames: Label[]): Gauge<Label> =>
    new Gauge({ name, help, labelNames, registers: [registry] })
