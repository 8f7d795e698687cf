import type { Service } from '../service.js'
import type { Terminal } from './command.js'

/** Opens the service for a piece of work and always closes it. */
export async function withService<T> (terminal: Terminal, work: (service: Service) => Promise<T>): Promise<T> {
  const service = await terminal.open()
  try {
    return await work(service)
  } finally {
    await service.close()
  }
}
