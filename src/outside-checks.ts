import type { Mailer } from './alerts/mail.js'
import type { OutsideClient } from './outside/client.js'
import type { Settings } from './settings.js'
import { sources } from './sources/sources.js'

/** Something outside that the service depends on, and a way to see whether it is there. */
export interface OutsideCheck {
  name: string
  /** False for a source of papers: any of them may have a bad day, and feeds go on. */
  required: boolean
  /** @returns what was found. @throws where it cannot be used */
  check (): Promise<string>
}

const patience = 10_000

/** What can be looked at from here: every source, and what else the settings name. Nothing is asked of them but an answer. */
export function outsideChecks ({ addresses, converter, llm, smtp }: Settings, { configured, mailer }: { configured: OutsideClient, mailer: Mailer | undefined }): OutsideCheck[] {
  const answers = (name: string, url: string, required: boolean): OutsideCheck => ({
    name,
    required,
    async check () {
      const { status } = await configured.fetch(url, { timeout: patience, maxBytes: 1024 * 1024 })
      if (status >= 500) throw new Error(`${new URL(url).host} answers with status ${status}.`)
      return `${new URL(url).host} answers`
    }
  })
  const bySetting = new Map(sources.flatMap(({ title, urlSetting }) => urlSetting === null ? [] : [[urlSetting, title] as const]))
  return [
    ...[...bySetting].map(([setting, title]) => answers(`source ${title}`, addresses[setting as keyof typeof addresses], false)),
    ...(converter === undefined ? [] : [answers('converter', converter.url, true)]),
    ...(llm === undefined ? [] : [answers('summaries', llm.url, true)]),
    smtp === undefined || mailer === undefined
      ? { name: 'mail', required: false, check: async () => 'no SMTP_URL: digests are off' }
      : { name: 'mail', required: true, check: async () => { await mailer.verify(); return 'the server takes mail' } }
  ]
}
