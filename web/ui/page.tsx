import { clsx } from 'clsx'
import type { ReactNode } from 'react'

const widths = { wide: 'max-w-wide', reading: 'max-w-reading', narrow: 'max-w-narrow' }

/** The column of a screen's content. */
export function Page({
  width = 'wide',
  className,
  children,
}: {
  width?: keyof typeof widths
  className?: string
  children: ReactNode
}) {
  return (
    <div className={clsx('mx-auto w-full px-4 py-8 sm:px-6 sm:py-12', widths[width], className)}>
      {children}
    </div>
  )
}

type PageHeaderProps = {
  title: ReactNode
  /** Shown to the right of the title; its space is reserved while it is false. */
  beside?: ReactNode
  lede?: ReactNode
  /** Shows only the title on a phone. */
  compact?: boolean
  written?: boolean
  actions?: ReactNode
  children?: ReactNode
}

/**
 * A screen's title, subtitle and actions. `written` sets the title in the reading font: text by users is serif, text of
 * the product is sans.
 */
export function PageHeader({ title, beside, lede, compact, written, actions, children }: PageHeaderProps) {
  return (
    <header className="mb-8 flex flex-wrap items-end justify-between gap-x-8 gap-y-5 lg:flex-nowrap">
      <div className="min-w-0 max-w-reading">
        {children}
        <div className="flex gap-3">
          <h1
            className={clsx(
              'min-w-0 text-3xl tracking-tight',
              written ? 'font-reading font-medium' : 'font-semibold',
            )}
          >
            {title}
          </h1>
          {beside !== undefined && <div className="mt-2 size-5 shrink-0">{beside}</div>}
        </div>
        {lede && <p className={clsx('mt-2 text-muted', compact && 'max-lg:hidden')}>{lede}</p>}
      </div>
      {actions && (
        <div
          data-print="hidden"
          className={clsx('flex max-w-full flex-wrap gap-2.5 lg:shrink-0', compact && 'max-lg:hidden')}
        >
          {actions}
        </div>
      )}
    </header>
  )
}
