import { clsx } from 'clsx'
import { type ComponentProps, type ReactNode, useEffect, useId, useRef } from 'react'

const widths = { wide: 'max-w-wide', reading: 'max-w-reading', narrow: 'max-w-narrow' }

/** The column of a screen's content. On a phone it ends with space for a toast, so that a toast does not cover its last button. */
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
    <div
      className={clsx('mx-auto w-full px-4 pt-8 pb-24 sm:px-6 sm:py-12 print:pb-0', widths[width], className)}
    >
      {children}
    </div>
  )
}

type PageHeaderProps = {
  title: ReactNode
  /** Shown to the right of the title; its space is reserved while it is false. */
  beside?: ReactNode
  lede?: ReactNode
  written?: boolean
  actions?: ReactNode
  children?: ReactNode
}

/**
 * A screen's title, subtitle and actions. `written` sets the title in the reading font: text by users is serif, text of the
 * product is sans.
 */
export function PageHeader({ title, beside, lede, written, actions, children }: PageHeaderProps) {
  return (
    <header className="mb-8">
      {children}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-8 lg:grid-cols-[minmax(0,1fr)_auto] lg:items-start">
        <div className="flex min-w-0 gap-3 lg:pt-0.5">
          <h1
            className={clsx(
              'min-w-0 text-3xl tracking-tight',
              written ? 'max-w-reading font-reading font-medium' : 'font-semibold',
            )}
          >
            {title}
          </h1>
          {beside !== undefined && <div className="mt-2 size-5 shrink-0">{beside}</div>}
        </div>
        {lede && <p className="mt-2 w-fit max-w-reading text-balance text-muted lg:col-span-2">{lede}</p>}
        {actions && (
          <div data-print="hidden" className="flex flex-wrap gap-2 max-lg:mt-5 lg:col-start-2 lg:row-start-1">
            {actions}
          </div>
        )}
      </div>
    </header>
  )
}

type StageHeadingProps = {
  /** The current stage, if the heading stays mounted through all stages. */
  stage?: string
  /** Whether the heading is remounted for each stage. */
  arrived?: true
  /** The size of a page title, for screens without a box. */
  large?: true
  children: ReactNode
}

/** The heading of a screen with several stages. It takes the focus at each new stage, because the pressed button was removed. */
export function StageHeading({ stage, arrived, large, children }: StageHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = useRef(stage)
  useEffect(() => {
    if (arrived || shown.current !== stage) heading.current?.focus()
    shown.current = stage
  }, [arrived, stage])
  return (
    <h1
      ref={heading}
      tabIndex={-1}
      className={clsx('font-semibold tracking-tight outline-none', large ? 'text-3xl' : 'text-2xl')}
    >
      {children}
    </h1>
  )
}

/** A bordered, raised box. */
export function Card({ className, ...rest }: ComponentProps<'article'>) {
  return (
    <article
      {...rest}
      className={clsx('break-inside-avoid rounded-lg border border-line bg-raised shadow-sm', className)}
    />
  )
}

type SectionProps = {
  title: string
  /** The id to which a link on the page leads. */
  anchor?: string
  children: ReactNode
}

/** A section of a long screen: a heading above a bordered, raised box. */
export function Section({ title, anchor, children }: SectionProps) {
  const id = useId()
  return (
    <section id={anchor} aria-labelledby={id} tabIndex={-1} className="scroll-mt-32 outline-none">
      <h2 id={id} className="mb-3 text-lg font-semibold">
        {title}
      </h2>
      <div className="rounded-lg border border-line bg-raised p-5 shadow-sm sm:p-6">{children}</div>
    </section>
  )
}
