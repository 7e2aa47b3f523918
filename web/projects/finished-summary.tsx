import { clsx } from 'clsx'
import { Flag } from 'lucide-react'
import type { Finished } from '#contract/projects.ts'
import { counted } from '#web/ui/layout/counted.ts'
import { Time } from '#web/ui/layout/time.tsx'

type FinishedSummaryProps = {
  heading: 'h2' | 'h3'
  title: string
  finished: Finished
  milestoneCount: number
  /** The class of the text beside the title. */
  titleClassName?: string
  className?: string
}

/** The summary of a finished project: when its last milestone was completed, its duration and its content. */
export function FinishedSummary(props: FinishedSummaryProps) {
  const { heading: Heading, title, finished, milestoneCount, titleClassName, className } = props
  return (
    <div className={className}>
      <Heading className={clsx('flex gap-2 font-reading text-lg font-medium', titleClassName)}>
        <Flag className="mt-1 size-4.5 shrink-0 text-success" aria-hidden="true" />
        {title}
      </Heading>
      <p className="mt-1 text-sm text-muted">
        {finishedFacts(finished, milestoneCount)} <Time iso={finished.at} className="whitespace-nowrap" />
      </p>
    </div>
  )
}

/** Returns the summary of a finished project as a sentence; without pictures if there are none. */
export function finishedFacts({ days, entries, pictures }: Finished, milestones: number): string {
  const facts = [
    counted(days, 'day'),
    counted(milestones, 'milestone'),
    counted(entries, 'entry', 'entries'),
    ...(pictures > 0 ? [counted(pictures, 'picture')] : []),
  ]
  return `${facts.join(', ')}.`
}

/** Returns the number of completed milestones as a phrase. */
export const completionText = (completed: number, milestones: number) =>
  `${completed} of ${counted(milestones, 'milestone')} completed`
