import { clsx } from 'clsx'
import contours from './contours.svg'

/**
 * Contour lines that cover their box. They are inline SVG instead of an image or a mask, because Chromium would count that as the
 * largest contentful paint, and it is painted after the text.
 */
export function Contours({ className }: { className: string }) {
  return (
    <svg
      viewBox="0 0 1440 720"
      preserveAspectRatio="xMidYMid slice"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.25}
      className={clsx('size-full text-edge', className)}
    >
      <use href={`${contours}#lines`} />
    </svg>
  )
}
