import { clsx } from 'clsx'
import type { Project } from '#contract/projects.ts'
import { ContourCover } from '#web/ui/layout/contour-cover.tsx'
import { Cover } from '#web/ui/layout/cover.tsx'

type ProjectCoverProps = Pick<Project, 'image' | 'tint'> & {
  projectId: string
  /** The picture of a project to which somebody is invited. */
  invitedURL?: string | undefined
  className: string
}

/** The cover of a project: its picture, or without one the contour lines of its id. */
export function ProjectCover({ projectId, image, invitedURL, tint, className }: ProjectCoverProps) {
  if (image) return <Cover image={image} className={className} />
  if (invitedURL !== undefined)
    return (
      <img src={invitedURL} alt="" decoding="async" className={clsx('bg-sunken object-cover', className)} />
    )
  return <ContourCover id={projectId} tint={tint} className={className} />
}

/** The class of a cover at the upper edge of a card with a padding of 5. */
export const cardCoverClass =
  '-mx-5 -mt-5 mb-4 aspect-[3/1] w-[calc(100%+2.5rem)] max-w-none shrink-0 rounded-t-lg'
