import { clsx } from 'clsx'
import { memo } from 'react'
import { CONTOUR_HEIGHT, CONTOUR_WIDTH, contoursOf } from '#contract/parts/contours.ts'

/** The classes of each tint. */
const tints = [
  'bg-sunken text-edge/45',
  'bg-editor-soft text-editor/35',
  'bg-viewer-soft text-viewer/35',
  'bg-accent-soft text-accent/35',
  'bg-warning-soft text-warning/35',
]

type ContourCoverProps = {
  /** The id of the project, to which the drawing belongs. */
  id: string
  /** The tint of its picture, if it has one that is not shown; otherwise that of the id. */
  tint?: number | undefined
  /** Sets the size, which the drawing fills at any aspect ratio. */
  className: string
}

/** The cover of a project whose pictures are not shown: contour lines of a map, as on the landing page. It is decorative. */
export const ContourCover = memo(function ContourCover({ id, tint, className }: ContourCoverProps) {
  const { paths, tint: ownTint } = contoursOf(id)
  return (
    <svg
      viewBox={`0 0 ${CONTOUR_WIDTH} ${CONTOUR_HEIGHT}`}
      preserveAspectRatio="xMidYMid slice"
      fill="none"
      stroke="currentColor"
      className={clsx(tints[tint ?? ownTint], className)}
      aria-hidden="true"
    >
      {paths.map((path, level) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: their order is fixed
        <path key={level} d={path} strokeWidth={level === Math.floor(paths.length / 2) ? 2.25 : 1.25} />
      ))}
    </svg>
  )
})
