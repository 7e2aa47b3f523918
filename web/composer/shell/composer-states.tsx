import { type ReactNode, useState } from 'react'
import { excerptOfSource } from '#markdown/source-excerpt.ts'
import type { EntryText } from '#web/composer/drafts/entry-draft.ts'
import { draftName } from '#web/drafts/draft-name.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { TryAgain } from '#web/ui/controls/try-again.tsx'
import { CloseLayer } from '#web/ui/dialogs/page-layer.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { Skeleton, Spinner } from '#web/ui/feedback/loading.tsx'
import { VisuallyHidden } from '#web/ui/layout/accessibility.tsx'
import { EntryTextView } from './entry-form-banners.tsx'
import type { ChosenDraft, OtherDraft } from './use-chosen-draft.ts'

/** A message instead of the form, with a close button. */
export function ComposerMessage({ children }: { children: ReactNode }) {
  return (
    <>
      <header className="flex h-14 shrink-0 items-center px-1.5 sm:px-4">
        <CloseLayer />
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto px-5 pt-6 pb-10">
        <div className="mx-auto flex max-w-reading flex-col gap-5">{children}</div>
      </div>
    </>
  )
}

/** Says that a draft on the server could not be fetched. */
export function DraftFailed({ onRetry }: { onRetry: () => void }) {
  return (
    <ComposerMessage>
      <EmptyState
        drawing="broken"
        title="The draft could not be opened"
        action={<TryAgain onClick={onRetry} />}
      >
        It is safe on the server, and so is what this browser keeps. Check your connection.
      </EmptyState>
    </ComposerMessage>
  )
}

/** The person's draft of a deleted entry, for copying. */
export function DeletedEntryDraft({ draft }: { draft: EntryText }) {
  return (
    <section aria-labelledby="lost-edit" className="rounded-lg border border-line bg-surface p-4">
      <h3 id="lost-edit" className="font-semibold">
        What you wrote is still in this browser
      </h3>
      <CopyButton text={draft.content} label="Copy content" className="my-3" />
      <EntryTextView text={draft} />
    </section>
  )
}

/** `isAfterSave`: the previous text is still being saved. */
export function Loading({ isAfterSave }: { isAfterSave: boolean }) {
  return (
    <ComposerMessage>
      {isAfterSave ? (
        <Spinner label="Saving what you wrote before…" />
      ) : (
        <output>
          <VisuallyHidden>Opening the entry</VisuallyHidden>
        </output>
      )}
      <Skeleton className="h-10 w-2/3" />
      <Skeleton className="h-[50dvh]" />
    </ComposerMessage>
  )
}

type DraftFromElsewhereProps = { draft: OtherDraft; choice: ChosenDraft }

/** Asks whether to use, keep or discard a draft of another milestone, which a new entry would overwrite. */
export function DraftFromElsewhere({ draft, choice }: DraftFromElsewhereProps) {
  const { text, origin } = draft
  const [isKeeping, setKeeping] = useState(false)

  async function keep() {
    setKeeping(true)
    await choice.keep()
    setKeeping(false)
  }

  return (
    <ComposerMessage>
      <h2 className="font-reading text-2xl font-medium">An unfinished entry</h2>
      <p>
        Unfinished: “<bdi>{nameOf(text)}</bdi>” from milestone <bdi>{origin.milestoneTitle}</bdi> of project{' '}
        <bdi>{origin.projectTitle}</bdi>.
      </p>
      <section aria-label="Unfinished entry" className="rounded-lg border border-line bg-surface p-4">
        <EntryTextView text={text} />
      </section>
      <div className="flex flex-wrap justify-end gap-2.5">
        <Button onClick={choice.discard}>Discard</Button>
        <Button busy={isKeeping} onClick={() => void keep()}>
          Keep it and start a new entry
        </Button>
        <Button variant="primary" onClick={choice.continueHere}>
          Use here
        </Button>
      </div>
    </ComposerMessage>
  )
}

/** Returns the title of a draft, or its first words. */
const nameOf = ({ title, content }: EntryText): string =>
  draftName({ title, excerpt: excerptOfSource(content, NAME_MAX) })

const NAME_MAX = 40
