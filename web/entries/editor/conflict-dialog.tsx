import { EntryTags } from '#web/entries/reading/entry-tags.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { DialogBody } from '#web/ui/dialogs/dialog.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import type { EntryText } from './entry-draft.ts'
import { type SetAside, textOf } from './use-entry-form.ts'

type ConflictChoiceProps = {
  mine: EntryText
  theirs: EntryText
  onChoose: (whose: SetAside['whose']) => void
}

/** The content of the editor's dialog in a conflict: both versions of the entry, side by side, to choose from. */
export function ConflictChoice({ mine, theirs, onChoose }: ConflictChoiceProps) {
  return (
    <DialogBody>
      <Banner>
        This entry was changed elsewhere while you were writing. Nothing is lost and nothing is overwritten:
        choose the text to go on with; the other stays beside it until you save.
      </Banner>
      <div className="grid flex-1 gap-4 sm:grid-cols-2">
        <Version
          heading="Your text"
          text={mine}
          action="Go on with yours"
          onChoose={() => onChoose('mine')}
        />
        <Version
          heading="The text saved meanwhile"
          text={textOf(theirs)}
          action="Go on with this one"
          onChoose={() => onChoose('theirs')}
        />
      </div>
    </DialogBody>
  )
}

type VersionProps = { heading: string; text: EntryText; action: string; onChoose: () => void }

function Version({ heading, text, action, onChoose }: VersionProps) {
  return (
    <section
      aria-label={heading}
      className="flex min-w-0 flex-col gap-3 rounded-lg border border-line bg-surface p-4"
    >
      <h3 className="text-sm font-semibold text-muted">{heading}</h3>
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" size="sm" onClick={onChoose}>
          {action}
        </Button>
        <CopyButton text={text.content} label="Copy content" />
      </div>
      <EntryTextView text={text} />
    </section>
  )
}

/** The text of an entry as plain Markdown, for comparison with another version. */
export function EntryTextView({ text }: { text: EntryText }) {
  return (
    <div className="flex flex-col gap-2.5">
      <p className="font-reading text-lg leading-snug font-medium">{text.title}</p>
      <p className="text-sm leading-6 whitespace-pre-wrap">{text.content}</p>
      <EntryTags tags={text.tags} />
    </div>
  )
}
