import { clsx } from 'clsx'
import { ChevronRight } from 'lucide-react'
import type { ComponentProps } from 'react'

/** The line that opens and closes the `details` around it, with an arrow that says which. */
export function Summary({ className, children, ...rest }: ComponentProps<'summary'>) {
  return (
    <summary
      {...rest}
      className={clsx(
        '-mx-2 flex min-h-9 w-fit max-w-full items-center gap-1.5 rounded-md px-2 text-sm font-semibold text-muted hover:bg-hover hover:text-ink pointer-coarse:min-h-11 [&::-webkit-details-marker]:hidden',
        className,
      )}
    >
      <ChevronRight
        className="size-4 shrink-0 transition-[rotate] motion-reduce:transition-none rtl:-scale-x-100 [[open]>summary>&]:rotate-90 rtl:[[open]>summary>&]:-rotate-90"
        aria-hidden="true"
      />
      {children}
    </summary>
  )
}
