import { Button } from '#web/ui/controls/button.tsx'
import { TabList } from '#web/ui/controls/tabs.tsx'
import { CloseLayer } from '#web/ui/dialogs/page-layer.tsx'
import type { DraftOrigin, DraftState } from './entry-draft.ts'

const newTexts: { [state in DraftState]: string } = {
  none: '',
  stored: 'Draft saved',
  'not stored': 'This browser cannot keep a draft',
}

const editTexts: typeof newTexts = {
  none: '',
  stored: 'Kept in this browser only',
  'not stored': 'Not saved',
}

const tabs = [
  { value: 'edit', label: 'Edit' },
  { value: 'preview', label: 'Preview' },
]

type ComposerHeaderProps = {
  origin: DraftOrigin
  isNew: boolean
  draft: DraftState
  isSaving: boolean
  onCancel: () => void
}

/** The way out, where the entry belongs, the two faces of the content, how the draft is doing, and the button that saves. */
export function ComposerHeader({ origin, isNew, draft, isSaving, onCancel }: ComposerHeaderProps) {
  return (
    <header className="relative z-10 flex h-14 shrink-0 items-center gap-2 bg-raised px-1.5 sm:gap-3 sm:px-4">
      <div className="flex min-w-0 flex-1 items-center gap-2">
        <CloseLayer />
        <p className="truncate text-sm text-muted max-sm:sr-only">
          <bdi>{origin.projectTitle}</bdi> <span aria-hidden="true">/</span>{' '}
          <bdi className="text-ink">{origin.milestoneTitle}</bdi>
        </p>
      </div>
      <TabList label="Write or look" tabs={tabs} />
      <div className="flex flex-1 items-center justify-end gap-2">
        <output className="text-sm text-muted not-empty:rounded-sm max-sm:absolute max-sm:top-full max-sm:right-3 max-sm:bg-raised max-sm:px-2 max-sm:text-xs max-lg:max-w-40 lg:whitespace-nowrap">
          {(isNew ? newTexts : editTexts)[draft]}
        </output>
        <Button variant="quiet" className="max-sm:hidden" onClick={onCancel}>
          Cancel
        </Button>
        <Button
          type="submit"
          variant="primary"
          busy={isSaving}
          busyLabel="Saving..."
          aria-keyshortcuts="Control+Enter Meta+Enter"
          className="max-sm:px-3"
        >
          {isNew ? 'Create Entry' : 'Update Entry'}
        </Button>
      </div>
    </header>
  )
}
