import { useQuery } from '@tanstack/react-query'
import type { Milestone } from '#contract/milestones.ts'
import { request } from '#web/api/client.ts'
import { counted } from '#web/ui/layout/counted.ts'
import { Cover } from '#web/ui/layout/cover.tsx'
import { Marker } from '#web/ui/layout/timeline.tsx'

type ArrivalProps = { milestone: Pick<Milestone, '_id' | 'project' | 'title'> }

/** What a milestone was that has just been reached: its days, entries and pictures, the first and the last one. */
export function Arrival({ milestone: { _id: milestoneId, project: projectId, title } }: ArrivalProps) {
  const { data: summary } = useQuery({
    // Not below the key of the milestones, whose changes expect lists.
    queryKey: ['milestone summary', milestoneId],
    queryFn: ({ signal }) =>
      request('readMilestoneSummary', { params: { projectId, milestoneId } }, { signal }),
    gcTime: 0,
  })
  const facts = summary && [
    counted(summary.days, 'day'),
    ...(summary.entries > 0 ? [counted(summary.entries, 'entry', 'entries')] : []),
    ...(summary.pictures > 0 ? [counted(summary.pictures, 'picture')] : []),
  ]
  return (
    <div className="flex flex-col gap-2.5">
      <p className="flex items-center gap-2 font-reading text-lg/6 font-medium">
        <span className="-ml-1 shrink-0 animate-arrive">
          <Marker done current />
        </span>
        <bdi className="line-clamp-2 min-w-0">{title}</bdi>
      </p>
      {/* Its line is there from the start, so that the actions below stay under the pointer. */}
      <p className="min-h-5 text-muted tabular-nums">{facts?.join(' · ')}</p>
      {summary && summary.images.length > 0 && (
        <div className="grid grid-cols-2 gap-1.5">
          {summary.images.map((image) => (
            <Cover key={image.smallURL} image={image} className="aspect-[3/2] w-full rounded-md" />
          ))}
        </div>
      )}
    </div>
  )
}
