import { clsx } from 'clsx'
import { TryAgain } from '#web/ui/controls/try-again.tsx'
import { Banner } from './banner.tsx'

type OutdatedProps = {
  /** The queries of the shown data. */
  of: readonly { isRefetchError: boolean; isFetching: boolean; refetch: () => Promise<unknown> }[]
  className?: string
}

/** A notice above data that could not be refetched and may be outdated. */
export function Outdated({ of: queries, className }: OutdatedProps) {
  const failed = queries.filter(({ isRefetchError }) => isRefetchError)
  if (failed.length === 0) return null
  return (
    <div tabIndex={-1} className={clsx('outline-none', className)} data-print="hidden">
      <Banner
        tone="info"
        action={
          <TryAgain
            size="sm"
            busy={failed.some(({ isFetching }) => isFetching)}
            onClick={() => failed.forEach(({ refetch }) => void refetch())}
          />
        }
      >
        This could not be fetched again, and may be out of date.
      </Banner>
    </div>
  )
}
