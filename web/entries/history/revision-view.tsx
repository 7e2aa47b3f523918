import { type UseInfiniteQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowLeft, RotateCcw, Tag } from 'lucide-react'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Revision, RevisionText } from '#contract/history.ts'
import { EntryTags } from '#web/entries/reading/entry-tags.tsx'
import { RenderedMarkdown } from '#web/markdown/rendered-markdown.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { Field, Select } from '#web/ui/controls/field.tsx'
import { TabList, TabPanel, Tabs } from '#web/ui/controls/tabs.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { FetchFailed } from '#web/ui/feedback/empty-state.tsx'
import { SkeletonText } from '#web/ui/feedback/loading.tsx'
import { VisuallyHidden } from '#web/ui/layout/accessibility.tsx'
import { Day, Time } from '#web/ui/layout/time.tsx'
import { Changes } from './changes.tsx'
import { NameForm } from './name-form.tsx'
import { type EntryRef, revisionQuery, useRestore } from './queries.ts'
import { namesOf } from './revision-list.tsx'

const faces = [
  { value: 'changes', label: 'Changes' },
  { value: 'text', label: 'Text' },
]
type Face = 'changes' | 'text'

/** Fetches further versions. */
export type Earlier = Pick<
  UseInfiniteQueryResult,
  'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'fetchNextPage'
>

type RevisionViewProps = {
  entryRef: EntryRef
  revision: Revision
  /** The previous version, if it is listed. */
  before: Revision | undefined
  /** Set if the previous version is not listed yet. */
  unlisted: Earlier | null
  current: Revision | undefined
  onBack: () => void
  onRestored: () => void
}

/** A version: its changes, or the changes since, its text, and its actions. */
export function RevisionView(props: RevisionViewProps) {
  const { entryRef, revision, before, unlisted, current, onBack, onRestored } = props

  const [face, setFace] = useState<Face>('changes')
  const { data, isError, refetch } = useQuery(revisionQuery(entryRef, revision._id))
  const { createdAt } = revision
  return (
    <Tabs value={face} onValueChange={setFace}>
      <section
        aria-label="Version"
        className="mx-auto flex max-w-reading flex-col gap-5 px-5 pt-5 pb-16 lg:pt-8"
      >
        <Button
          variant="quiet"
          size="sm"
          icon={<ArrowLeft />}
          className="-ml-3 self-start lg:hidden"
          onClick={onBack}
        >
          All versions
        </Button>
        <header className="flex flex-col gap-1">
          {revision.name !== null && (
            <p className="font-reading text-xl font-medium wrap-anywhere">
              <bdi>{revision.name}</bdi>
            </p>
          )}
          <p className="text-sm text-muted">
            {revision.isCurrent ? 'Current version, saved ' : 'Saved '}
            <Time iso={createdAt} format="datetime" className="text-ink" />
            {revision.authors.length > 0 && (
              <>
                {' by '}
                <bdi className="text-ink">{namesOf(revision)}</bdi>
              </>
            )}
          </p>
        </header>
        <div className="flex flex-col gap-3 border-b border-line pb-4 sm:flex-row-reverse sm:flex-wrap sm:items-center sm:justify-end">
          <Actions {...{ entryRef, revision, current, onRestored }} content={data?.content} />
          <div className="flex">
            <TabList label="What is shown" tabs={faces} />
          </div>
        </div>
        {!data && <VersionLoading isFailed={isError} onRetry={() => void refetch()} />}
        {data && (
          <>
            <TabPanel value="changes">
              <ChangesOf {...{ entryRef, before, unlisted, current }} text={data} />
            </TabPanel>
            <TabPanel value="text">
              <Text entryRef={entryRef} text={data} />
            </TabPanel>
          </>
        )}
      </section>
    </Tabs>
  )
}

type ActionsProps = Pick<RevisionViewProps, 'entryRef' | 'revision' | 'current' | 'onRestored'> & {
  content: string | undefined
}

function Actions({ entryRef, revision, current, content, onRestored }: ActionsProps) {
  const [isNaming, setNaming] = useState(false)
  const [isStale, setStale] = useState(false)
  const nameButton = useRef<HTMLButtonElement>(null)
  const restore = useRestore(entryRef, { onDone: onRestored, onStale: () => setStale(true) })

  function restoreNow() {
    if (!current) return
    setStale(false)
    restore.mutate({ revision, version: current.version })
  }

  function stopNaming() {
    flushSync(() => setNaming(false))
    // The focus was lost with the form, unless it is elsewhere by now.
    if (document.activeElement === document.body) nameButton.current?.focus({ preventScroll: true })
  }

  if (isNaming) return <NameForm entryRef={entryRef} revision={revision} onClose={stopNaming} />
  return (
    <>
      {isStale && (
        <Banner>
          This entry was changed while you were looking, so nothing was restored. The list now begins with
          what was saved; look at it, and restore again if you still want to.
        </Banner>
      )}
      <div className="flex flex-wrap gap-2.5">
        {!revision.isCurrent && current && (
          <Button
            variant="primary"
            size="sm"
            icon={<RotateCcw />}
            busy={restore.isPending}
            onClick={restoreNow}
          >
            Restore this version
          </Button>
        )}
        <Button ref={nameButton} size="sm" icon={<Tag />} onClick={() => setNaming(true)}>
          {revision.name === null ? 'Name this version' : 'Change the name'}
        </Button>
        {content !== undefined && <CopyButton text={content} label="Copy text" />}
      </div>
    </>
  )
}

type Against = 'before' | 'current'
const sides: { value: Against; label: string }[] = [
  { value: 'before', label: 'the version before' },
  { value: 'current', label: 'the current version' },
]

const sentences: { [side in Against]: string } = {
  before: 'What was changed with this version.',
  current: 'What was changed since this version.',
}

type ChangesOfProps = Pick<RevisionViewProps, 'entryRef' | 'before' | 'unlisted' | 'current'> & {
  text: RevisionText
}

/** The differences from the previous version, or to the current one. */
function ChangesOf({ entryRef, before, unlisted, current, text }: ChangesOfProps) {
  const [against, setAgainst] = useState<Against>('before')
  const other = against === 'before' ? before : current
  const { data, isError, refetch } = useQuery(revisionQuery(entryRef, other?._id))
  const isFirst = against === 'before' && !before && !unlisted
  const failure = other ? isError : unlisted?.isFetchNextPageError && !unlisted.isFetchingNextPage
  const retry = other ? refetch : unlisted?.fetchNextPage
  return (
    <div className="flex flex-col gap-5">
      {!text.isCurrent && current && (
        <Field label="Compare with" className="max-w-64">
          <Select
            compact
            options={sides}
            value={against}
            onChange={({ target }) => setAgainst(target.value as Against)}
          />
        </Field>
      )}
      <p className="text-sm text-muted">
        {isFirst ? 'This is the first version that is kept.' : sentences[against]}
      </p>
      {isFirst && <Text entryRef={entryRef} text={text} />}
      {!isFirst && !data && <VersionLoading isFailed={failure === true} onRetry={() => void retry?.()} />}
      {!isFirst &&
        data &&
        (against === 'before' ? (
          <Changes before={data} after={text} />
        ) : (
          <Changes before={text} after={data} />
        ))}
    </div>
  )
}

/** A rendered version with its pictures. */
function Text({ entryRef, text }: { entryRef: EntryRef; text: RevisionText }) {
  const client = useQueryClient()
  const { queryKey } = revisionQuery(entryRef, text._id)
  return (
    <article className="flex flex-col gap-4">
      <h3 dir="auto" className="font-reading text-2xl font-medium wrap-anywhere">
        {text.title}
      </h3>
      <p className="text-sm text-muted">
        <Day on={text.happenedOn} zone={text.happenedZone} />
      </p>
      <RenderedMarkdown
        name={text._id}
        html={text.html}
        scope="version"
        onExpired={() => client.invalidateQueries({ queryKey })}
      />
      <EntryTags tags={text.tags} />
    </article>
  )
}

function VersionLoading({ isFailed, onRetry }: { isFailed: boolean; onRetry: () => void }) {
  if (isFailed) return <FetchFailed title="This version could not be fetched" onRetry={onRetry} />
  return (
    <output className="block">
      <VisuallyHidden>Loading the version</VisuallyHidden>
      <SkeletonText lines={10} />
    </output>
  )
}
