import type { FeedItem } from '../../../../../schemas/feed.js'
import { Icon } from '../../components/icon.js'
import { OutsideLink } from '../../components/outside-link.js'
import { Authors, CiteLinks, Identifiers, Imprint } from '../../components/paper.js'
import { Time } from '../../components/time.js'
import { useView } from '../../view.js'
import { feedAddress, type Place } from './address.js'
import { MatchPicture } from './match-picture.js'
import { Vote } from './vote.js'

interface DetailsProps {
  place: Place
  item: FeedItem | undefined
  /** Whether the address names it: on a small screen it is then shown in the place of the list. */
  isChosen: boolean
  /** Why there is none. */
  message: string | undefined
}

/** One item, to be read and rated. */
export function Details ({ place, item, isChosen, message }: DetailsProps) {
  const { to } = useView()
  const back = `${to(feedAddress({ ...place, item: undefined }))}${item === undefined ? '' : `#row-${item.short_id}`}`
  return (
    <section id='details' class='details' aria-label='Paper' tabIndex={-1} data-chosen={isChosen ? item?.short_id ?? '' : undefined} data-item={item?.short_id}>
      {isChosen && <a class='back' href={back}><Icon name='back' />All papers</a>}
      {item === undefined ? <p class='empty'>{message ?? 'Select a paper to read it.'}</p> : <Item place={place} item={item} />}
    </section>
  )
}

function Item ({ place, item }: { place: Place, item: FeedItem }) {
  const { to } = useView()
  const { paper, must_read, relevance_score, summary, summary_origin, personalized_note, ready_at } = item
  return (
    <article class='item'>
      <p class='overline'>
        {must_read && <span class='badge accented'>Must read</span>}
        <span>Match {Math.round(relevance_score * 100)} of 100</span>
        <span>added <Time at={ready_at} /></span>
      </p>
      <h2>{paper.title}</h2>
      <Authors authors={paper.authors} />
      <Imprint paper={paper} />
      <div class='item-actions'>
        <Vote item={item} address={feedAddress({ ...place, item: item.short_id })} />
        <div class='item-links'>
          <a class='link-button' href={to(`/papers/${paper.id}`)} data-key='o'><Icon name='text' />{paper.markdown_ready ? 'Read full text' : 'Paper'}</a>
          {paper.pdf_url !== null && <OutsideLink href={paper.pdf_url} class='link-button'>PDF</OutsideLink>}
          <CiteLinks paperId={paper.id} />
        </div>
      </div>
      {personalized_note !== null && <p class='note'>{personalized_note}</p>}
      {summary !== null && summary_origin === 'model' && <><h3>Summary</h3><p class='prose'>{summary}</p><p class='quiet-text'>Written by a language model from the abstract.</p></>}
      <h3>Abstract</h3>
      {paper.abstract === null ? <p class='quiet-text'>No abstract.</p> : <div class='prose'>{paper.abstract.split(/\n\s*\n/).map((text, at) => <p key={at}>{text}</p>)}</div>}
      <MatchPicture details={item.matching_details} paperAddress={id => to(`/papers/${id}`)} />
      <h3>Identifiers</h3>
      <Identifiers paper={paper} />
    </article>
  )
}
