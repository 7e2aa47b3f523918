import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { IconButton } from './button.tsx'
import { TryAgain } from './try-again.tsx'

type PaginationProps = { label: string; page: number; pageCount: number; onPage: (page: number) => void }

/** Pagination: previous, up to five page numbers in a sliding window, and next. */
export function Pagination({ label, page, pageCount, onPage }: PaginationProps) {
  return (
    <nav aria-label={label} className="flex flex-wrap items-center justify-center gap-1 max-[22rem]:gap-0">
      <IconButton
        label="Previous page"
        icon={<ChevronLeft />}
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
      />
      {pageWindow(page, pageCount).map((number) => (
        <button
          key={number}
          type="button"
          aria-label={`Page ${number}`}
          aria-current={number === page ? 'page' : undefined}
          className={clsx(
            'h-10 min-w-10 rounded-md px-1.5 max-[22rem]:min-w-0! max-[22rem]:flex-1 text-sm font-semibold tabular-nums pointer-coarse:h-11 pointer-coarse:min-w-11',
            number === page
              ? 'bg-accent-soft text-accent forced-colors:border'
              : 'text-muted hover:bg-hover hover:text-ink',
          )}
          onClick={() => onPage(number)}
        >
          {number}
        </button>
      ))}
      <IconButton
        label="Next page"
        icon={<ChevronRight />}
        disabled={page >= pageCount}
        onClick={() => onPage(page + 1)}
      />
    </nav>
  )
}

const WIDTH = 5

/** Returns up to five page numbers around the current one. */
export function pageWindow(page: number, pageCount: number): number[] {
  const width = Math.min(WIDTH, pageCount)
  const first = Math.max(1, Math.min(page - Math.floor(WIDTH / 2), pageCount - width + 1))
  return Array.from({ length: width }, (_, index) => first + index)
}

type ShowEarlierProps = {
  query: Pick<
    UseInfiniteQueryResult,
    'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'fetchNextPage'
  >
}

/** The button at the end of a list in reverse chronological order: fetches the next page, and shows when that fails. */
export function ShowEarlier({ query }: ShowEarlierProps) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query
  if (!hasNextPage) return null
  return (
    <div className="flex flex-col items-center gap-2 px-4 pb-8">
      {isFetchNextPageError && !isFetchingNextPage && (
        <p role="alert" className="text-center text-sm text-danger">
          What came before could not be fetched. Check your connection and try again.
        </p>
      )}
      <TryAgain busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        Show earlier
      </TryAgain>
    </div>
  )
}
