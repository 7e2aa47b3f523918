import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { DialogBody } from '#web/ui/dialog.tsx'
import type { EntryText } from './entry-draft.ts'
import { EntryTextView } from './entry-text-view.tsx'
import { type SetAside, textOf } from './use-entry-form.ts'

type TwoTextsProps = {
  mine: EntryText
  theirs: EntryText
  onChoose: (whose: SetAside['whose']) => void
}

/** Two texts of one entry that met, side by side, for a person to choose between. */
export function TwoTexts({ mine, theirs, onChoose }: TwoTextsProps) {
  return (
    <DialogBody>
      <Banner>
        This entry was changed elsewhere while you were writing. Nothing is lost and nothing is overwritten:
        choose the text to go on with; the other stays beside it until you save.
      </Banner>
      <div className="grid flex-1 gap-4 sm:grid-cols-2">
        <OneText
          heading="Your text"
          text={mine}
          action="Go on with yours"
          onChoose={() => onChoose('mine')}
        />
        <OneText
          heading="The text saved meanwhile"
          text={textOf(theirs)}
          action="Go on with this one"
          onChoose={() => onChoose('theirs')}
        />
      </div>
    </DialogBody>
  )
}

type OneTextProps = { heading: string; text: EntryText; action: string; onChoose: () => void }

function OneText({ heading, text, action, onChoose }: OneTextProps) {
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
