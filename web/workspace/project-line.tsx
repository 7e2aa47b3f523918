import { useQuery } from '@tanstack/react-query'
import { use, useState } from 'react'
import type { Milestone } from '#contract/milestones.ts'
import { dayIn } from '#contract/parts/date-formats.ts'
import { daysBetweenQuery } from '#web/calendar/queries.ts'
import { LineOfTime } from '#web/milestones/line-of-time/line-of-time.tsx'
import { placeOn, scaleOf } from '#web/milestones/line-of-time/scale.ts'
import { zoneOf } from '#web/ui/layout/days.ts'
import { DateContext } from '#web/ui/layout/time.tsx'

type ProjectLineProps = {
  projectId: string
  milestones: readonly Milestone[]
  selectedId: string | undefined
}

/** The line of time of a project, with its days that have entries, once it is open; nothing without dates. */
export function ProjectLine({ projectId, milestones, selectedId }: ProjectLineProps) {
  const zone = zoneOf(use(DateContext))
  const [isOpen, setOpen] = useState(false)
  const scale = scaleOf(milestones, selectedId, (iso) => dayIn(zone, new Date(iso)))
  const days = useQuery({
    ...daysBetweenQuery(projectId, scale?.from ?? '', scale?.to ?? ''),
    enabled: isOpen && scale !== null,
  })
  if (!scale) return null
  const ticks = days.data?.map(({ day }) => placeOn(scale, day))
  return <LineOfTime scale={scale} ticks={ticks} onOpen={() => setOpen(true)} />
}
