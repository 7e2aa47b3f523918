import { Button } from '#web/ui/button.tsx'
import { DialogBody, DialogFooter } from '#web/ui/dialog.tsx'
import type { DraftOrigin, EntryText } from './entry-draft.ts'
import { EntryTextView } from './entry-text-view.tsx'

/** A draft that was begun in another milestone. */
export type ForeignDraft = { text: EntryText; origin: DraftOrigin }

type DraftFromElsewhereProps = { draft: ForeignDraft; onUse: () => void; onDiscard: () => void }

/** Asks what is to become of a draft that was begun in another milestone, before another entry is written over it. */
export function DraftFromElsewhere({ draft: { text, origin }, onUse, onDiscard }: DraftFromElsewhereProps) {
  return (
    <>
      <DialogBody>
        <p>
          Unfinished: “<bdi>{nameOf(text)}</bdi>” from milestone <bdi>{origin.milestoneTitle}</bdi> of project{' '}
          <bdi>{origin.projectTitle}</bdi>.
        </p>
        <section aria-label="Unfinished entry" className="rounded-lg border border-line bg-surface p-4">
          <EntryTextView text={text} />
        </section>
      </DialogBody>
      <DialogFooter>
        <Button onClick={onDiscard}>Discard</Button>
        <Button variant="primary" onClick={onUse}>
          Use here
        </Button>
      </DialogFooter>
    </>
  )
}

/** The title, or the first words of a draft that has none yet. */
function nameOf({ title, content }: EntryText): string {
  return title.trim() || `${content.trim().slice(0, 40)}…`
}
