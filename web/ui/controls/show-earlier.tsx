import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { Button } from './button.tsx'

type ShowEarlierProps = {
  query: Pick<
    UseInfiniteQueryResult,
    'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'fetchNextPage'
  >
}

/** The end of a list whose latest rows come first: fetches the page before, and says so when that fails. */
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
      <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        Show earlier
      </Button>
    </div>
  )
}
