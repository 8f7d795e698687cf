import type { ComponentChildren } from 'preact'
import type { PrismaFlow } from '../../../../../schemas/snapshot.js'
import { formatCount } from '../../components/figures.js'

const reasonTitles = { not_relevant: 'Not relevant', low_quality: 'Low quality', none: 'No reason given' } as const

/**
 * The flow of records as boxes whose numbers add up. PRISMA screens every record that was not removed before; in a living review, some are
 * still to be screened, and others were chosen elsewhere.
 */
export function PrismaBoxes ({ flow }: { flow: PrismaFlow }) {
  const { identified, identified_earlier = 0, duplicates_removed, excluded_automatically, excluded, included } = flow
  const { screened, not_screened, included_unscreened = 0 } = flow
  const removed = duplicates_removed + excluded_automatically.records
  const inFeed = identified.records + identified_earlier - removed
  const unscreened = not_screened + included_unscreened
  return (
    <>
      <ol class='prisma' aria-labelledby='flow'>
        <Step
          stage='Identification'
          side={(
            <Box
              title='Records removed before screening' records={removed}
              parts={[
                ['Duplicates', duplicates_removed],
                ['Excluded automatically (minimum score, excluded keyword or weekly limit)', excluded_automatically.records]
              ]}
            />
          )}
        >
          <Box
            title='Records identified' records={identified.records}
            parts={identified.sources.map(({ title, records }) => [title, records])}
          />
          {identified_earlier > 0 && <Box title='Records identified in earlier periods, added in this one' records={identified_earlier} />}
        </Step>
        <Step
          side={unscreened > 0 && (
            <Box
              title='Records not screened' records={unscreened}
              parts={[['Not screened yet', not_screened], ['Included from other sources', included_unscreened]]}
            />
          )}
        >
          <Box title='Records in the feed' records={inFeed} />
        </Step>
        <Step
          stage='Screening'
          side={(
            <Box
              title='Records excluded' records={excluded.records}
              parts={excluded.reasons.map(({ reason, records }) => [reasonTitles[reason], records])}
            />
          )}
        >
          <Box title='Records screened' records={screened} />
        </Step>
        <Step stage='Included'>
          <Box title='Studies included' records={included.records} parts={[['Starred', included.starred]]} />
          {included_unscreened > 0 && <Box title='Studies included from other sources, not screened' records={included_unscreened} />}
        </Step>
      </ol>
      <p class='section-text quiet-text'>
        {formatCount(identified.records)} identified
        {identified_earlier > 0 && ` + ${formatCount(identified_earlier)} of earlier periods`} − {formatCount(removed)} removed
        = {formatCount(inFeed)} in the feed: {formatCount(screened)} screened, {formatCount(not_screened)} not screened yet
        {included_unscreened > 0 && `, ${formatCount(included_unscreened)} included without screening`}.
      </p>
    </>
  )
}

/** A row of the diagram. @param side what leaves the flow here */
const Step = ({ stage, side = false, children }: { stage?: string, side?: ComponentChildren, children: ComponentChildren }) => (
  <li>
    {stage !== undefined && <p class='prisma-stage'>{stage}</p>}
    <div class='prisma-main'>{children}</div>
    {side !== false && <div class='prisma-side'>{side}</div>}
  </li>
)

type Part = readonly [title: string, records: number]

/** A number of records, and what it consists of. */
function Box ({ title, records, parts = [] }: { title: string, records: number, parts?: readonly Part[] }) {
  const shown = parts.filter(([, count]) => count > 0)
  return (
    <div class='prisma-box'>
      <p>{title}: <strong>{formatCount(records)}</strong></p>
      {shown.length > 0 && <ul>{shown.map(([part, count]) => <li key={part}>{part}: {formatCount(count)}</li>)}</ul>}
    </div>
  )
}
