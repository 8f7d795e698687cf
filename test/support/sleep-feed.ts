import { createHash } from 'node:crypto'
import { Corpus } from '../../src/relevance/corpus.js'
import type { Interest, ScoredText } from '../../src/relevance/interest.js'
import { type RatedText, type Model, train } from '../../src/relevance/model.js'
import { scorer } from '../../src/relevance/score.js'

/** What the reader is interested in. */
export const interest: Interest = {
  interest_description: 'How sleep changes memory',
  positive_keywords: [],
  negative_keywords: ['zebrafish'],
  must_read_threshold: 0.6
}

/* A feed of two subjects that both match the interest, of which a person wants one, and of a third that matches nothing. */

export const spindles = (at: number): ScoredText => ({
  title: `Sleep spindles and memory ${at}`,
  abstract: `Thalamic bursts couple to slow waves in cohort ${at}. Recall of word pairs rose overnight.`
})
export const apnoea = (at: number): ScoredText => ({
  title: `Sleep apnoea and memory clinic ${at}`,
  abstract: `Airway pressure masks were worn by patients of hospital ${at}. Oxygen desaturation fell.`
})
export const soil = (at: number): ScoredText => ({
  title: `Soil moisture in field ${at}`,
  abstract: `Rain infiltrated clay and loam of plot ${at}. Roots drew water deeper.`
})

/** Papers of the three subjects, in turn. */
export const feed = Array.from({ length: 90 }, (_, at) => [spindles, apnoea, soil][at % 3]!(at))

/** A UUID that is the same for the same title. */
export const idOf = ({ title }: ScoredText): string =>
  createHash('sha256')
    .update(title)
    .digest('hex')
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5')

/** A paper with a vote. */
export const rated = (text: ScoredText, vote: RatedText['vote'], downvote_reason: RatedText['downvote_reason'] = null): RatedText => ({
  ...text,
  paper_id: idOf(text),
  vote,
  downvote_reason
})

/** Learns from votes on papers of the feed. */
export function learn (votes: RatedText[], papers = feed): Model {
  const corpus = new Corpus()
  for (const paper of papers) corpus.add(paper)
  return train({ interest, corpus, rated: votes, background: papers })
}

/** The score of a text for the interest. @param model null: before any vote */
export const scoreOf = (model: Model | null, text: ScoredText) => scorer(interest, model)(text).relevance_score
