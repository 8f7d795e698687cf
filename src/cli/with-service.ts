import type { Service } from '../service.js'
import type { Terminal } from './command.js'

/** Opens the service for a piece of work and always closes it. */
export async function withService<T> (terminal: Terminal, work: (service: Service) => Promise<T>): Promise<T> {
  return await exitingOnSignals(async () => {
    const service = await terminal.open()
    try {
      return await work(service)
    } finally {
      await service.close()
    }
  })
}

const exitCodes: Partial<Record<NodeJS.Signals, number>> = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Does a piece of work during which signals exit the process: it then removes its temporary database and gives files to their owner. */
export async function exitingOnSignals<T> (work: () => Promise<T>): Promise<T> {
  const exit = (signal: NodeJS.Signals) => process.exit(exitCodes[signal])
  for (const signal of signals) process.on(signal, exit)
  try {
    return await work()
  } finally {
    for (const signal of signals) process.off(signal, exit)
  }
}
