import { Globe } from 'lucide-react'
import { use, useId, useState } from 'react'
import type { DatePreferences } from '#contract/parts/date-formats.ts'
import type { Visibility } from '#contract/projects.ts'
import type { DraftStatus } from '#web/composer/drafts/draft-status.ts'
import { OtherEditors } from '#web/entries/presence/other-editors.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { TabList } from '#web/ui/controls/tabs.tsx'
import { CloseLayer } from '#web/ui/dialogs/page-layer.tsx'
import { zoneIfUsable } from '#web/ui/layout/date-formatter.ts'
import { DateContext } from '#web/ui/layout/time.tsx'
import type { Composer } from './use-composer.ts'

const tabs = [
  { value: 'edit', label: 'Edit' },
  { value: 'preview', label: 'Preview' },
]

type ComposerHeaderProps = {
  composer: Composer
  /** Who beyond the members will see what is saved. */
  visibility: Visibility
}

/** The close button, the project and milestone, the tabs for editing and preview, the draft status, and the save button. */
export function ComposerHeader({ composer, visibility }: ComposerHeaderProps) {
  const { origin, source, original, draft, isSaving, closing } = composer
  const audienceId = useId()
  return (
    <header className="@container relative z-10 flex min-h-14 shrink-0 flex-wrap items-center gap-x-2 gap-y-0.5 bg-raised p-1.5 pb-0.5 min-[23rem]:pe-4 sm:gap-x-3 sm:pb-1.5 sm:px-4 lg:flex-nowrap">
      {/* Widths of the container grow with the size of text, unlike those of the window. */}
      <div className="flex min-w-[40px] flex-1 items-center gap-2 lg:@max-[46rem]:flex-none">
        <CloseLayer />
        <p className="truncate text-sm text-muted max-sm:sr-only lg:@max-[46rem]:sr-only">
          {origin.milestoneTitle && (
            <>
              <bdi>{origin.projectTitle}</bdi> <span aria-hidden="true">/</span>{' '}
              <bdi className="text-ink">{origin.milestoneTitle}</bdi>
            </>
          )}
        </p>
        {original?.state === 'published' && (
          <OtherEditors milestoneId={source.milestoneId} entryId={original._id} />
        )}
      </div>
      <TabList label="Write or look" tabs={tabs} />
      <div className="flex flex-1 items-center justify-end gap-2 max-lg:contents">
        <DraftStatusLine status={draft.status} />
        <Audience id={audienceId} visibility={visibility} />
        <Button variant="quiet" className="max-sm:hidden" onClick={closing.close}>
          Cancel
        </Button>
        <Button
          type="submit"
          aria-describedby={audienceId}
          variant="primary"
          busy={isSaving}
          busyLabel="Saving..."
          aria-keyshortcuts="Control+Enter Meta+Enter"
          className="max-sm:px-3 @max-[16rem]:flex-1"
        >
          {original ? 'Update Entry' : 'Create Entry'}
        </Button>
      </div>
    </header>
  )
}

const audiences: { [visibility in Visibility]: [name: string, who: string] | null } = {
  private: null,
  unlisted: ['Unlisted', ': everyone with the link will see it'],
  public: ['Public', ': everyone will see it'],
}

/** Says beside the button that saves who will see the entry, if not only the members; also when that changes. */
function Audience({ id, visibility }: { id: string; visibility: Visibility }) {
  const audience = audiences[visibility]
  return (
    <output className="flex items-center justify-end gap-1.5 text-xs text-muted empty:hidden max-lg:order-1 max-lg:basis-full @max-[16rem]:basis-auto max-sm:px-1.5 lg:me-1">
      {audience && (
        <>
          <Globe className="size-3.5 shrink-0" aria-hidden="true" />
          {/* An output is a form control: as a description of another element it has no text. */}
          <span id={id}>
            {audience[0]}
            <span className="@max-[16rem]:sr-only lg:@max-[46rem]:sr-only">{audience[1]}</span>
          </span>
        </>
      )}
    </output>
  )
}

/** Returns the text of the draft status, which never claims more than is stored. */
function statusText(status: DraftStatus, choice: DatePreferences): string {
  if (status.kind === 'saving') return 'Saving...'
  if (status.kind === 'saved')
    return `Saved on the server ${new Date(status.at).toLocaleTimeString('en-GB', { timeZone: zoneIfUsable(choice) })}`
  if (status.kind === 'local') return `Kept in this browser only: ${status.reason}`
  if (status.kind === 'lost') return `Not saved: ${status.reason}`
  return ''
}

/**
 * The status of the draft. Screen readers announce that it is on the server for the first time, and problems, but not each
 * save after a pause in typing.
 */
function DraftStatusLine({ status }: { status: DraftStatus }) {
  const choice = use(DateContext)
  const [announced, setAnnounced] = useState<DraftStatus['kind']>('none')
  const isResult = status.kind !== 'saving' && status.kind !== 'none'
  const [shouldAnnounce, setShouldAnnounce] = useState(false)
  if (isResult && status.kind !== announced) {
    setAnnounced(status.kind)
    setShouldAnnounce(true)
  } else if (!isResult && shouldAnnounce) setShouldAnnounce(false)
  const isTrouble = status.kind === 'local' || status.kind === 'lost'

  return (
    <output
      aria-live={shouldAnnounce ? 'polite' : 'off'}
      // On a phone it has a line of its own from the start, so that it covers no text.
      className={`text-sm tabular-nums max-lg:text-xs max-sm:order-last max-sm:min-h-4 max-sm:basis-full max-sm:px-1.5 max-sm:text-right sm:max-lg:max-w-48 ${isTrouble ? 'font-semibold text-ink' : 'text-muted'}`}
    >
      {statusText(status, choice)}
    </output>
  )
}
