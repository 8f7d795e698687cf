/** Whose limits a request counts against, and milliseconds from the start of one to the start of the next. */
export interface Pace { group: string, interval: number }

/** Services that count requests to all their hosts together, whichever of their interfaces is asked. Source: their terms, as in indexes/. */
const services: ReadonlyArray<Pace & { host: RegExp }> = [
  { host: /(?:^|\.)arxiv\.org$/, group: 'arxiv', interval: 3000 },
  { host: /^eutils\.ncbi\.nlm\.nih\.gov$/, group: 'ncbi', interval: 340 }
]
const interval = 500

/** The pace at which an address that stands in data may be asked: its service's, else its host's own. */
export function paceOf (url: string | URL): Pace {
  // What is no address is refused by who is to fetch it.
  const hostname = URL.canParse(String(url)) ? new URL(url).hostname : ''
  const { group, interval: known } = services.find(({ host }) => host.test(hostname)) ?? { group: `host ${hostname}`, interval }
  return { group, interval: known }
}
