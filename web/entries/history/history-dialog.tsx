import { useInfiniteQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { useEffect, useState } from 'react'
import type { Entry } from '#contract/entries.ts'
import type { Revision } from '#contract/history.ts'
import { ShowEarlier } from '#web/ui/controls/pagination.tsx'
import { CloseLayer, PageLayer } from '#web/ui/dialogs/page-layer.tsx'
import { EmptyState, FetchFailed } from '#web/ui/feedback/empty-state.tsx'
import { Skeleton, SkeletonText } from '#web/ui/feedback/loading.tsx'
import { VisuallyHidden } from '#web/ui/layout/accessibility.tsx'
import { type EntryRef, historyQuery } from './queries.ts'
import { RevisionList } from './revision-list.tsx'
import { type Earlier, RevisionView } from './revision-view.tsx'

type HistoryDialogProps = {
  entry: Pick<Entry, '_id' | 'milestone' | 'title'>
  onClose: () => void
  /** Called instead after a version was restored. */
  onRestored?: () => void
}

/** The history of an entry above the page: a list of versions by day, and one of them beside it (on phones after it). */
export function HistoryDialog({ entry, onClose, onRestored = onClose }: HistoryDialogProps) {
  const ref = { milestoneId: entry.milestone, entryId: entry._id }
  const [chosen, setChosen] = useState<Revision>()
  const history = useInfiniteQuery(historyQuery(ref))
  const revisions = history.data?.pages.flatMap((page) => page.revisions)

  function close() {
    onClose()
    return true
  }

  return (
    <PageLayer title={`History of ${entry.title}`} close={close}>
      <header className="flex h-14 shrink-0 items-center gap-2 border-b border-line px-1.5 sm:px-4">
        <CloseLayer />
        <p className="truncate text-sm text-muted">
          History of <bdi className="font-semibold text-ink">{entry.title}</bdi>
        </p>
      </header>
      {revisions && revisions.length > 0 ? (
        <div className="flex min-h-0 flex-1">
          <nav
            aria-label="Versions"
            className={clsx(
              'min-h-0 shrink-0 overflow-y-auto overscroll-contain border-line max-lg:flex-1 lg:w-80 lg:border-r',
              chosen && 'max-lg:hidden',
            )}
          >
            <RevisionList
              revisions={revisions}
              shown={shownOf(revisions, chosen)?._id}
              onChoose={setChosen}
            />
            <ShowEarlier query={history} />
          </nav>
          <RevisionPanel
            entryRef={ref}
            revisions={revisions}
            earlier={history}
            isChosen={chosen !== undefined}
            shown={shownOf(revisions, chosen)}
            onBack={() => setChosen(undefined)}
            onRestored={onRestored}
          />
        </div>
      ) : history.isPending ? (
        <HistorySkeleton />
      ) : (
        <div className="min-h-0 flex-1 overflow-y-auto px-5 pt-10">
          {revisions ? (
            <EmptyState drawing="page" title="No earlier versions yet">
              Earlier versions of this entry were not kept. From the next save on, each one is here.
            </EmptyState>
          ) : (
            <FetchFailed title="The history could not be fetched" onRetry={() => void history.refetch()} />
          )}
        </div>
      )}
    </PageLayer>
  )
}

/** The selected version with its current name; on wide screens the newest by default. */
const shownOf = (revisions: Revision[], chosen: Revision | undefined) =>
  chosen ? (revisions.find(({ _id }) => _id === chosen._id) ?? chosen) : revisions[0]

type RevisionPanelProps = {
  entryRef: EntryRef
  revisions: Revision[]
  /** Fetches further versions. */
  earlier: Earlier
  isChosen: boolean
  shown: Revision | undefined
  onBack: () => void
  onRestored: () => void
}

function RevisionPanel(props: RevisionPanelProps) {
  const { entryRef, revisions, earlier, isChosen, shown, onBack, onRestored } = props
  const at = revisions.findIndex(({ _id }) => _id === shown?._id)
  const lacksBefore = at === revisions.length - 1 && earlier.hasNextPage
  const { isFetchingNextPage, isFetchNextPageError, fetchNextPage } = earlier

  // The predecessor of the last listed version is on the next page.
  useEffect(() => {
    if (lacksBefore && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage()
  }, [lacksBefore, isFetchingNextPage, isFetchNextPageError, fetchNextPage])

  return (
    <div
      className={clsx(
        'min-h-0 min-w-0 flex-1 overflow-y-auto overscroll-contain',
        !isChosen && 'max-lg:hidden',
      )}
    >
      {shown && (
        <RevisionView
          key={shown._id}
          entryRef={entryRef}
          revision={shown}
          before={at === -1 ? undefined : revisions[at + 1]}
          unlisted={lacksBefore ? earlier : null}
          current={revisions.find(({ isCurrent }) => isCurrent)}
          onBack={onBack}
          onRestored={onRestored}
        />
      )}
    </div>
  )
}

/** The list of versions, and the text of one beside it. */
function HistorySkeleton() {
  return (
    <output className="flex min-h-0 flex-1 overflow-hidden">
      <VisuallyHidden>Loading the history</VisuallyHidden>
      <div className="flex shrink-0 flex-col gap-2 border-line px-5 pt-6 max-lg:flex-1 lg:w-80 lg:border-r">
        <Skeleton className="mb-1 h-4 w-20" />
        {Array.from({ length: 6 }, (_, index) => (
          <div key={index} className="flex flex-col gap-2 py-2">
            <Skeleton className="h-4 w-24" />
            <Skeleton className="h-3 w-32" />
          </div>
        ))}
      </div>
      <div className="mx-auto w-full max-w-reading px-6 pt-8 max-lg:hidden">
        <Skeleton className="mb-8 h-9 w-8/12" />
        <SkeletonText lines={10} />
      </div>
    </output>
  )
}
