import type { ComponentChildren } from 'preact'
import { Icon } from './icon.js'

/** A link to another site, without a Referer header. An address that is not http or https is shown as text. */
export function ExternalLink ({ href, class: name, children }: { href: string, class?: string, children?: ComponentChildren }) {
  if (!/^https?:\/\//i.test(href) || !URL.canParse(href)) return <span>{children ?? href}</span>
  return (
    <a href={href} class={name} rel='noopener noreferrer nofollow'>
      {children ?? href.replace(/^https?:\/\/(?:www\.)?/i, '')}{name !== undefined && <Icon name='out' />}
    </a>
  )
}
