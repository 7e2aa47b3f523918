import type { Draft } from '#contract/drafts.ts'
import type { Entry } from '#contract/entries.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { type EntryText, textOf } from './entry-draft.ts'
import { EntryTextView } from './entry-text-view.tsx'
import { MovedEntry, type NewHome } from './moved-entry.tsx'
import type { SetAside, useEntryForm } from './use-entry-form.ts'

type EntryFormBannersProps = {
  entry: ReturnType<typeof useEntryForm>
  /** The entry as it is saved; absent for a new one. */
  original: Entry | undefined
  /** A text of this draft that another device has written. */
  other: Draft | null
  onDiscardDraft: () => void
  newHome: NewHome | null
  onOpenNewHome: (home: NewHome) => void
}

/** The banners above the form: a restored draft, a failed save, the version set aside in a conflict. */
export function EntryFormBanners({
  entry: { restored, saveError, setAside },
  original,
  other,
  onDiscardDraft,
  newHome,
  onOpenNewHome,
}: EntryFormBannersProps) {
  const isNew = !original
  return (
    <>
      {restored && !saveError && (
        <Banner tone="info">
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
            {isNew ? 'Your draft is back.' : 'The changes that you had not saved are back.'}
            <Button size="sm" onClick={onDiscardDraft}>
              Discard
            </Button>
          </span>
        </Banner>
      )}
      {restored && !saveError && original && (
        <Details summary="Show the saved text" text={textOf(original)} />
      )}
      {other && (
        <>
          <Banner tone="info">
            Another device has changed this draft. Nothing is lost: what you write here is a draft of its own,
            and the other text stays among your drafts.
          </Banner>
          <Details summary="The text from the other device" text={textOf(other)} />
        </>
      )}
      {saveError && newHome && <MovedEntry home={newHome} onOpen={() => onOpenNewHome(newHome)} />}
      {saveError && !newHome && (
        <Banner>
          <p>{saveError.message}</p>
          {saveError.code !== 'invalid' && <p>What you wrote is still here.</p>}
        </Banner>
      )}
      {setAside && <Aside setAside={setAside} />}
    </>
  )
}

function Aside({ setAside: { whose, text } }: { setAside: SetAside }) {
  const summary = whose === 'mine' ? 'Your text, put aside' : 'The other text, put aside'
  return <Details summary={summary} text={text} />
}

/** Another text than that of the form, to read and to copy. */
function Details({ summary, text }: { summary: string; text: EntryText }) {
  return (
    <details className="rounded-md border border-line bg-sunken px-3.5 py-2.5 text-sm">
      <summary className="font-semibold">{summary}</summary>
      <CopyButton text={text.content} label="Copy content" className="my-3" />
      <EntryTextView text={text} />
    </details>
  )
}
