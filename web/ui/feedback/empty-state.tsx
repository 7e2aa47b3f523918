import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { Button } from '#web/ui/controls/button.tsx'
import { TryAgain } from '#web/ui/controls/try-again.tsx'
import drawings from './empty-drawings.svg?url'

type EmptyStateProps = {
  /** The kind of empty state; by default, that nothing was created yet. */
  drawing?: Drawing
  title?: string
  /** `h1` if the empty state is the whole screen. */
  heading?: 'h1' | 'h2'
  action?: ReactNode
  children: ReactNode
}

/** An empty state: a drawing, a sentence and an optional action. */
export function EmptyState({
  drawing = 'trail',
  title,
  heading: Heading = 'h2',
  action,
  children,
}: EmptyStateProps) {
  const isScreen = Heading === 'h1'
  return (
    <div
      className={clsx('flex flex-col items-center px-4 text-center', isScreen ? 'py-14 sm:py-24' : 'py-12')}
    >
      <EmptyDrawing of={drawing} />
      {title && (
        <Heading
          className={clsx('font-semibold', isScreen ? 'mt-7 text-3xl tracking-tight' : 'mt-5 text-lg')}
        >
          {title}
        </Heading>
      )}
      <p className={clsx('max-w-sm text-balance text-muted', !title ? 'mt-5' : isScreen ? 'mt-2.5' : 'mt-1')}>
        {children}
      </p>
      {action && <div className={isScreen ? 'mt-7' : 'mt-5'}>{action}</div>}
    </div>
  )
}

type NothingFoundProps = { what: string; term: string; onClear: () => void }

/** Replaces a list if a search has no results. */
export function NothingFound({ what, term, onClear }: NothingFoundProps) {
  return (
    <EmptyState drawing="search" action={<Button onClick={onClear}>Clear Search</Button>}>
      No {what} found matching "{term}"
    </EmptyState>
  )
}

type FetchFailedProps = { title: string; busy?: boolean; onRetry: () => void }

/** Replaces content that could not be fetched: an explanation, and a button that tries again. */
export function FetchFailed({ title, busy = false, onRetry }: FetchFailedProps) {
  return (
    <EmptyState drawing="broken" title={title} action={<TryAgain busy={busy} onClick={onRetry} />}>
      Nothing is lost. Check your connection and try again.
    </EmptyState>
  )
}

/** The kinds of empty states: the ids of the drawings in the file. */
type Drawing = 'trail' | 'page' | 'search' | 'broken' | 'basket' | 'people' | 'bell' | 'gate' | 'signpost'

/**
 * The drawing of an empty state, one for each kind. The drawings are a separate file, which is fetched only by screens with
 * nothing to show; they inherit the colors of the page's theme.
 */
export function EmptyDrawing({ of }: { of: Drawing }) {
  return (
    <svg
      viewBox="0 0 220 92"
      fill="none"
      strokeWidth="2.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      className="h-23 w-55 max-w-full"
      aria-hidden="true"
    >
      <use href={`${drawings}#${of}`} />
    </svg>
  )
}
