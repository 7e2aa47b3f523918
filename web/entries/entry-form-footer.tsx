import { Button } from '#web/ui/button.tsx'
import { DialogFooter } from '#web/ui/dialog.tsx'
import type { DraftState } from './entry-draft.ts'

const draftTexts: { [state in DraftState]: string } = {
  none: '',
  kept: 'Draft saved',
  'cannot be kept': 'This browser cannot keep a draft',
}

const editTexts: typeof draftTexts = {
  none: '',
  kept: 'Kept in this browser only',
  'cannot be kept': 'Not saved',
}

type EntryFormFooterProps = { isNew: boolean; draft: DraftState; isSaving: boolean; onCancel: () => void }

/** How the draft is doing, Cancel, and the button that saves. */
export function EntryFormFooter({ isNew, draft, isSaving, onCancel }: EntryFormFooterProps) {
  return (
    <DialogFooter>
      <output className="mr-auto self-center text-sm text-muted">
        {(isNew ? draftTexts : editTexts)[draft]}
      </output>
      <Button onClick={onCancel}>Cancel</Button>
      <Button
        type="submit"
        variant="primary"
        busy={isSaving}
        busyLabel="Saving..."
        aria-keyshortcuts="Control+Enter Meta+Enter"
      >
        {isNew ? 'Create Entry' : 'Update Entry'}
      </Button>
    </DialogFooter>
  )
}
