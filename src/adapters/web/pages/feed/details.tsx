import type { FeedItem } from '../../../../../schemas/feed.js'
import { RefusalNotice } from '../../components/form.js'
import { Icon } from '../../components/icon.js'
import { Changes } from '../../components/changes.js'
import { ExternalLink } from '../../components/external-link.js'
import { Authors, CiteLinks, Identifiers, Imprint } from '../../components/paper.js'
import { Abstract, RichText } from '../../components/rich-text.js'
import { ScorePill } from '../../components/score.js'
import { Time } from '../../components/time.js'
import { useView } from '../../view.js'
import { feedAddress, type FeedLocation, paperAddress } from './address.js'
import { MatchPicture } from './match-picture.js'
import { Marks, Note, Tags } from './marks.js'
import { searchTerms } from './terms.js'
import { Vote } from './vote.js'

interface DetailsProps {
  location: FeedLocation
  item: FeedItem | undefined
  /** Whether the address names the item. A small screen then shows it instead of the list. */
  isChosen: boolean
  /** The reason why there is no item. */
  message: string | undefined
  /** Names of projects, if the list is of several: the item shows that of its own. */
  projects?: readonly ProjectName[] | undefined
}

/** A project as a reader sees it. */
export interface ProjectName { id: string, name: string }

/** The open item, to read and rate. */
export function Details ({ location, item, isChosen, message, projects }: DetailsProps) {
  const { to } = useView()
  const back = `${to(feedAddress({ ...location, item: undefined }))}${item === undefined ? '' : `#row-${item.short_id}`}`
  return (
    <section id='details' class='details' aria-label='Paper' tabIndex={-1} data-chosen={isChosen ? '' : undefined} data-item={item?.id}>
      {/* Seen on a small screen with a chosen paper, also while scripts open one. */}
      <a class='back' href={back}><Icon name='back' />All papers</a>
      {item === undefined
        ? (
          <>
            <RefusalNotice actions={['vote', 'mark', 'tag', 'note', 'change']} />
            <p class='empty'>{message ?? 'Select a paper to read it.'}</p>
          </>
          )
        : <Item location={location} item={item} projects={projects} />}
    </section>
  )
}

function Item ({ location, item, projects }: Pick<DetailsProps, 'location' | 'projects'> & { item: FeedItem }) {
  const { to } = useView()
  const terms = searchTerms(location.q)
  const address = feedAddress({ ...location, item: item.short_id })
  const project = projects?.find(({ id }) => id === item.project_id)
  const { paper, must_read, relevance_score, summary, summary_origin, personalized_note, ready_at } = item
  return (
    <article class='item'>
      <p class='overline'>
        <ScorePill value={relevance_score} mustRead={must_read} />
        {must_read && <span class='must-read-name' aria-hidden='true'>Must read</span>}
        <span>Added <Time at={ready_at} /></span>
        {project !== undefined && <a href={to(`/projects/${project.id}?item=${item.short_id}`)}>{project.name}</a>}
      </p>
      <RichText as='h2' text={paper.title} terms={terms} />
      <Authors authors={paper.authors} />
      <Imprint paper={paper} />
      <Changes metadata={paper.metadata} />
      <div class='item-actions'>
        <Vote item={item} address={address} />
        <Marks item={item} address={address} />
        <div class='item-links'>
          <a class='link-button' href={to(paperAddress(location, { paperId: paper.id, item: item.id }))} data-key='o'>
            <Icon name='text' />
            {paper.markdown_ready ? 'Read full text' : 'Paper'}
          </a>
          {paper.pdf_url !== null && (
            <ExternalLink href={paper.pdf_url} class='link-button'>
              PDF
            </ExternalLink>
          )}
          <a class='link-button' href={to(`/projects/${item.project_id}/tune?item=${item.short_id}`)} data-tune='' data-key='T'>Tune</a>
          <CiteLinks paperId={paper.id} />
        </div>
      </div>
      {personalized_note !== null && <RichText as='p' class='note' text={personalized_note} />}
      {summary !== null && summary_origin === 'model' && (
        <>
          <h3>Summary</h3>
          <RichText as='p' class='prose' text={summary} />
          <p class='quiet-text'>Written by a language model from the abstract.</p>
        </>
      )}
      <h3>Abstract</h3>
      {paper.abstract === null ? <p class='quiet-text'>No abstract.</p> : <Abstract text={paper.abstract} terms={terms} />}
      <Tags item={item} address={address} />
      <Note item={item} address={address} />
      <MatchPicture details={item.matching_details} paperAddress={id => to(`/papers/${id}`)} />
      <h3>Identifiers</h3>
      <Identifiers paper={paper} />
    </article>
  )
}
